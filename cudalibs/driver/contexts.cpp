// The driver API's contexts, streams and events. A context stands for a device: making a context
// current chooses the device.
#include <algorithm>
#include <vector>

#include "common/core.h"
#include "cuda.h"
#include "driver/result.h"

using cudacpu::result;

struct CUctx_st {
  int device;
};

namespace {

CUctx_st contexts[cudacpu::kMostDevices];

// The contexts that the calling host thread has made current, the last on top. At the bottom is the
// context of the runtime API.
std::vector<CUcontext>& stack() {
  static thread_local std::vector<CUcontext> current;
  return current;
}

CUcontext context_of(int device) {
  contexts[device].device = device;
  return &contexts[device];
}

bool is_context(CUcontext context) {
  return context >= contexts && context < contexts + cudacpu::device_count();
}

void choose(CUcontext context) {
  cudacpu::set_current_device(static_cast<int>(context - contexts));
}

CUresult refuse(const char* function) {
  cudacpu::explain(
      "%s: the CPU device has no modules, which hold code for GPUs; kernels of the program's own "
      "files are launched by kernel<<<grid, block>>>(...)",
      function);
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned int flags,
                        CUdevice device) {
  constexpr unsigned kFlags = CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD | CU_CTX_SCHED_BLOCKING_SYNC |
                              CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX;
  if (!context || (flags & ~kFlags)) return CUDA_ERROR_INVALID_VALUE;
  if (!cudacpu::is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *context = context_of(device);
  return cuCtxPushCurrent(*context);
}

CUresult cuCtxDestroy(CUcontext context) {
  if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  auto& current = stack();
  if (!current.empty() && current.back() == context) return cuCtxPopCurrent(nullptr);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  stack().push_back(context);
  choose(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  auto& current = stack();
  if (current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = current.back();
  current.pop_back();
  if (!current.empty()) choose(current.back());
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  auto& current = stack();
  if (!context) return current.empty() ? CUDA_SUCCESS : cuCtxPopCurrent(nullptr);
  if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!current.empty()) current.pop_back();
  return cuCtxPushCurrent(context);
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = context_of(cudacpu::current_device());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return result(cudaGetDevice(device));
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  return result(cudaDeviceSynchronize());
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (!cudacpu::is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *context = context_of(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return cudacpu::is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamDestroy(CUstream stream) {
  return result(cudaStreamDestroy(stream));
}

CUresult cuStreamQuery(CUstream stream) {
  return result(cudaStreamQuery(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  return result(cudaStreamSynchronize(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
  return result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return result(cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event) {
  return result(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event) {
  return result(cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(ms, start, end));
}

CUresult cuModuleLoad(CUmodule*, const char*) {
  return refuse("cuModuleLoad");
}

CUresult cuModuleLoadData(CUmodule*, const void*) {
  return refuse("cuModuleLoadData");
}

CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**) {
  return refuse("cuModuleLoadDataEx");
}

CUresult cuModuleLoadFatBinary(CUmodule*, const void*) {
  return refuse("cuModuleLoadFatBinary");
}

CUresult cuModuleUnload(CUmodule) {
  return refuse("cuModuleUnload");
}

CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) {
  return refuse("cuModuleGetFunction");
}

CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*) {
  return refuse("cuModuleGetGlobal");
}

CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
                        unsigned int, unsigned int, unsigned int, CUstream, void**, void**) {
  return refuse("cuLaunchKernel");
}
