// cuFFT: Fourier transforms of one to three dimensions, of any lengths.
//
// Arrays are checked against their allocations, and sanitize sees which elements are read and
// written in which stream. All transforms are computed in double precision, and rounded at the end.
// No transform is scaled: a forward and a backward transform multiply by the number of elements.
// The CPU device needs no additional memory for a plan, and the library's time on a GPU is not
// modelled.
#ifndef CUDACPU_CUFFT_H_
#define CUDACPU_CUFFT_H_
// Programs test the name, which a toolkit's cufft.h defines.
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 12000

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,  // up to CUDA 12
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,  // up to CUDA 12
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,  // up to CUDA 12
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
#define MAX_CUFFT_ERROR 0x15

// From what to what: real or complex numbers, of 32 bits (R, C) or of 64 (D, Z).
typedef enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;
#define CUFFT_FORWARD -1  // the sign of the exponent
#define CUFFT_INVERSE 1

typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

typedef int cufftHandle;
#define CUFFT_PLAN_NULL -1

extern "C" {
// ---- plans ----
// The elements of the last dimension are neighbours: n real numbers, or the n / 2 + 1 complex
// numbers that belong to n real numbers. In place, rows of real data have 2 * (n / 2 + 1) numbers.
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
// Element (x, y, z) of array b of the input is at
// `b * idist + ((x * inembed[1] + y) * inembed[2] + z) * istride`. If the arrays `inembed` and
// `onembed` are null, the six values are as above.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_size);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_size);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* work_size);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t* work_size);
cufftResult cufftDestroy(cufftHandle plan);

// ---- execution ----
// The input may be the output. A transform to real numbers in several dimensions overwrites the
// input.
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);

// ---- memory that a GPU needs in addition ----
// The sizes are the sizes of the transformed data. Memory of the program is not used.
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_size);
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_size);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_size);
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* work_size);
cufftResult cufftGetSize(cufftHandle plan, size_t* work_size);
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_size);
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size);
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                           size_t* work_size);
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, size_t* work_size);
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               size_t* work_size);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate);
cufftResult cufftSetWorkArea(cufftHandle plan, void* area);

cufftResult cufftGetVersion(int* version);
cufftResult cufftGetProperty(libraryPropertyType type, int* value);
}

#endif
