// The types of pointers to the driver API's functions in cuda.h.
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include "cuda.h"

// The type without a version, and the type with the version of CUDA in which the function got its
// form.
#define CUDACPU_POINTER(name, version)             \
  typedef decltype(&name) PFN_##name##_v##version; \
  typedef PFN_##name##_v##version PFN_##name
CUDACPU_POINTER(cuInit, 2000);
CUDACPU_POINTER(cuDriverGetVersion, 2020);
CUDACPU_POINTER(cuGetErrorName, 6000);
CUDACPU_POINTER(cuGetErrorString, 6000);
CUDACPU_POINTER(cuDeviceGetCount, 2000);
CUDACPU_POINTER(cuDeviceGet, 2000);
CUDACPU_POINTER(cuDeviceGetName, 2000);
CUDACPU_POINTER(cuDeviceGetAttribute, 2000);
CUDACPU_POINTER(cuDeviceTotalMem, 3020);
CUDACPU_POINTER(cuDevicePrimaryCtxRetain, 7000);
CUDACPU_POINTER(cuDevicePrimaryCtxRelease, 11000);
CUDACPU_POINTER(cuCtxGetCurrent, 4000);
CUDACPU_POINTER(cuCtxSetCurrent, 4000);
CUDACPU_POINTER(cuCtxGetDevice, 2000);
CUDACPU_POINTER(cuCtxSynchronize, 2000);
CUDACPU_POINTER(cuMemGetInfo, 3020);
CUDACPU_POINTER(cuMemAlloc, 3020);
CUDACPU_POINTER(cuMemFree, 3020);
CUDACPU_POINTER(cuMemGetAddressRange, 3020);
CUDACPU_POINTER(cuMemcpyHtoD, 3020);
CUDACPU_POINTER(cuMemcpyDtoH, 3020);
CUDACPU_POINTER(cuMemcpyDtoD, 3020);
CUDACPU_POINTER(cuMemcpyHtoDAsync, 3020);
CUDACPU_POINTER(cuMemcpyDtoHAsync, 3020);
CUDACPU_POINTER(cuMemsetD8, 3020);
CUDACPU_POINTER(cuMemsetD32, 3020);
CUDACPU_POINTER(cuMemGetAllocationGranularity, 10020);
CUDACPU_POINTER(cuMemAddressReserve, 10020);
CUDACPU_POINTER(cuMemAddressFree, 10020);
CUDACPU_POINTER(cuMemCreate, 10020);
CUDACPU_POINTER(cuMemRelease, 10020);
CUDACPU_POINTER(cuMemMap, 10020);
CUDACPU_POINTER(cuMemUnmap, 10020);
CUDACPU_POINTER(cuMemSetAccess, 10020);
CUDACPU_POINTER(cuModuleLoad, 2000);
CUDACPU_POINTER(cuModuleLoadData, 2000);
CUDACPU_POINTER(cuModuleGetFunction, 2000);
CUDACPU_POINTER(cuLaunchKernel, 4000);
CUDACPU_POINTER(cuTensorMapEncodeTiled, 12000);
#undef CUDACPU_POINTER

#endif
