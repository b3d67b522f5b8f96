// The part of the driver API that programs use beside the runtime API: devices, errors, contexts,
// streams, memory.
//
// Modules and run-time compilation are not offered: the CPU device has no PTX.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdint.h>

#include "cuda_runtime_api.h"
#include "cudacpu/driver/attributes.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaDeviceAttr CUdevice_attribute;

// The driver's errors have the runtime's numbers.
typedef enum cudaError_enum {
  CUDA_SUCCESS = cudaSuccess,
  CUDA_ERROR_INVALID_VALUE = cudaErrorInvalidValue,
  CUDA_ERROR_OUT_OF_MEMORY = cudaErrorMemoryAllocation,
  CUDA_ERROR_NOT_INITIALIZED = cudaErrorInitializationError,
  CUDA_ERROR_DEINITIALIZED = cudaErrorCudartUnloading,
  CUDA_ERROR_NO_DEVICE = cudaErrorNoDevice,
  CUDA_ERROR_INVALID_DEVICE = cudaErrorInvalidDevice,
  CUDA_ERROR_INVALID_CONTEXT = cudaErrorDeviceUninitialized,
  CUDA_ERROR_INVALID_HANDLE = cudaErrorInvalidResourceHandle,
  CUDA_ERROR_NOT_FOUND = cudaErrorSymbolNotFound,
  CUDA_ERROR_NOT_READY = cudaErrorNotReady,
  CUDA_ERROR_ILLEGAL_ADDRESS = cudaErrorIllegalAddress,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = cudaErrorLaunchOutOfResources,
  CUDA_ERROR_LAUNCH_TIMEOUT = cudaErrorLaunchTimeout,
  CUDA_ERROR_ASSERT = cudaErrorAssert,
  CUDA_ERROR_LAUNCH_FAILED = cudaErrorLaunchFailure,
  CUDA_ERROR_NOT_PERMITTED = cudaErrorNotPermitted,
  CUDA_ERROR_NOT_SUPPORTED = cudaErrorNotSupported,
  CUDA_ERROR_UNKNOWN = cudaErrorUnknown
} CUresult;

// The description of a matrix for bulk copies, which a GPU of compute capability 9.0 has and the
// CPU device lacks. The declaration lets programs compile that choose their copies at run time.
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUtensorMap_st {
  alignas(128) cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

extern "C" {

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device);
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemAllocHost(void** pointer, size_t bytes);
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void* pointer);
// The start and the bytes of the allocation that holds `pointer`; either result may be null.
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer);
CUresult cuMemcpyHtoD(CUdeviceptr destination, const void* source, size_t bytes);
CUresult cuMemcpyDtoH(void* destination, CUdeviceptr source, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void* source, size_t bytes,
                           CUstream stream);
CUresult cuMemcpyDtoHAsync(void* destination, CUdeviceptr source, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                           CUstream stream);
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count);
// Always returns CUDA_ERROR_NOT_SUPPORTED.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* extents, const cuuint64_t* pitches,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);

}  // extern "C"

#include "cudacpu/driver/contexts.h"
#include "cudacpu/driver/mapping.h"

#endif
