// The driver API's contexts, streams and events; modules are refused with a sentence.
// expect: done
// stderr: cuModuleLoadData: the CPU device has no modules
#include <cuda.h>
#include <cudaTypedefs.h>

#include "../../cpudevice/run/check.h"

#define CHECK_CU(call) CHECK((call) == CUDA_SUCCESS)

__global__ void add_kernel(int* x, int value) {
  x[threadIdx.x] += value;
}

void test_contexts(CUdevice device) {
  CUcontext context, other, current;
  CHECK_CU(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_CU(cuCtxPushCurrent(context));
  CHECK_CU(cuCtxGetCurrent(&current));
  CHECK(current == context);
  CUdevice of_context = 7;
  CHECK_CU(cuCtxGetDevice(&of_context));
  CHECK(of_context == device);
  CHECK_CU(cuCtxPopCurrent(&other));
  CHECK(other == context);
  CHECK_CU(cuCtxSetCurrent(context));
  CHECK(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&other)) != CUDA_SUCCESS);
}

void test_work() {
  CUdeviceptr x;
  CUstream stream;
  CUevent start, end;
  CHECK_CU(cuMemAlloc(&x, 32 * sizeof(int)));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK_CU(cuEventCreate(&end, CU_EVENT_DEFAULT));
  int numbers[32];
  for (int i = 0; i < 32; ++i)
    numbers[i] = i;
  CHECK_CU(cuEventRecord(start, stream));
  CHECK_CU(cuMemcpyHtoDAsync(x, numbers, sizeof(numbers), stream));
  add_kernel<<<1, 32, 0, stream>>>(reinterpret_cast<int*>(x), 100);
  CHECK_CU(cuMemcpyDtoHAsync(numbers, x, sizeof(numbers), stream));
  CHECK_CU(cuEventRecord(end, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(numbers[31] == 131);
  float ms = -1;
  CHECK_CU(cuEventElapsedTime(&ms, start, end));
  CHECK(ms >= 0);
  CHECK_CU(cuEventDestroy(start));
  CHECK_CU(cuEventDestroy(end));
  CHECK_CU(cuStreamDestroy(stream));
  CHECK_CU(cuMemFree(x));
}

int main() {
  CUdevice device;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuDeviceGet(&device, 0));
  test_contexts(device);
  test_work();
  const PFN_cuCtxSynchronize synchronize = cuCtxSynchronize;
  CHECK_CU(synchronize());
  CUmodule module;
  CHECK(cuModuleLoadData(&module, "not a module") != CUDA_SUCCESS);
  CHECK_CU(cuDevicePrimaryCtxRelease(device));
  printf("done\n");
}
