// The steps of a cuBLAS function around its own work: checks of the operands, reports to the
// observers, and, in a stream under capture, waiting for the graph's launch.
#pragma once

#include "common/core.h"
#include "common/library_call.h"
#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasMath_t math_mode;
  // Settings without an effect, kept for the functions that return settings.
  cublasEmulationStrategy_t emulation_strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissa_control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int mantissa_bits = 0;
  int mantissa_offset = 0;
};

namespace cudacpu::blas {

cublasHandle_t open_handle();
bool close_handle(cublasHandle_t handle);  // false for a handle that was not open
bool is_open(cublasHandle_t handle);
cublasStatus_t status_of(cudaError_t error);

using Call = LibraryCall;

// Runs `function(call)` in the handle's stream: see library_call_in_stream().
template <typename Function>
cublasStatus_t run(cublasHandle_t handle, const char* name, Function function) {
  if (!is_open(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  // A result in host memory is complete when the function returns.
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) wait_for(pending_before(handle->stream));
  return status_of(library_call_in_stream(handle->stream, name, function));
}

// A factor. In host memory the factor is read when the function is called, in device memory when
// the function runs.
template <typename T>
struct Factor {
  T value;
  const T* on_device;

  Factor(cublasHandle_t handle, const T* pointer) : value(), on_device(nullptr) {
    if (!is_open(handle) || !pointer) return;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
      on_device = pointer;
    } else {
      value = *pointer;
    }
  }
  T get(Call& call) const {
    if (!on_device) return value;
    call.reads(on_device, 1, 1, 1, "a factor");
    return call.valid ? *on_device : value;
  }
};

// Stores a result; in host memory at once, because the function waits for the result.
template <typename T>
struct Result {
  T* place;
  bool on_device;

  Result(cublasHandle_t handle, T* place)
      : place(place),
        on_device(is_open(handle) && handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {}
  void put(Call& call, T value) const {
    if (on_device) call.writes(place, 1, 1, 1, "the result", false);
    if (call.valid && place) *place = value;
    if (!on_device) observe::stream_synchronized(copy_stream.stream);
  }
};

}  // namespace cudacpu::blas
