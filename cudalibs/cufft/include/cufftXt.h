// cuFFT's plans with types as values: the transforms of cufft.h, on a single device.
#ifndef CUDACPU_CUFFT_XT_H_
#define CUDACPU_CUFFT_XT_H_

#include "cufft.h"

extern "C" {
// Types of 32 or 64 bits, the same number everywhere; `execution` is the complex or the real type.
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType input,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType output, long long batch, size_t* work_size,
                                cudaDataType execution);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType input,
                               long long* onembed, long long ostride, long long odist,
                               cudaDataType output, long long batch, size_t* work_size,
                               cudaDataType execution);
// From and to real numbers the direction is ignored.
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction);
}

#endif
