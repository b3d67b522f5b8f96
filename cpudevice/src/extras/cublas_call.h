// What every function of cuBLAS does around its own work: its operands are checked, the observers
// hear of them, and in a stream that is being captured it waits for the graph's launch.
#pragma once

#include <cstdint>
#include <functional>

#include "cublas_v2.h"
#include "diagnostics/observer.h"
#include "memory/location.h"
#include "streams/call_in_stream.h"

struct cublasContext {
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasMath_t math_mode;
  // These change nothing; they are kept to be asked for.
  cublasEmulationStrategy_t emulation_strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissa_control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int mantissa_bits = 0;
  int mantissa_offset = 0;
};

namespace cudacpu::blas {

cublasHandle_t open_handle();
bool close_handle(cublasHandle_t handle);  // false if it was not open
bool is_open(cublasHandle_t handle);
cublasStatus_t status_of(cudaError_t error);

// The running function; it checks its operands with this object, which keeps the first error.
struct Call {
  const char* name;
  bool valid = true;

  // Columns of `rows` elements, `ld` elements apart, that are read, written or both.
  template <typename T>
  const T* reads(const T* a, int64_t rows, int64_t columns, int64_t ld, const char* role) {
    look(a, rows, columns, ld, role, true, false);
    return a;
  }
  template <typename T>
  T* writes(T* a, int64_t rows, int64_t columns, int64_t ld, const char* role, bool also_reads) {
    look(a, rows, columns, ld, role, also_reads, true);
    return a;
  }
  // The elements of a vector; with a negative distance they are counted from its end.
  template <typename T>
  const T* reads_vector(const T* x, int64_t n, int64_t inc, const char* role) {
    look(x, 1, n, inc < 0 ? -inc : inc, role, true, false);
    return inc < 0 ? x - (n - 1) * inc : x;
  }
  template <typename T>
  T* writes_vector(T* x, int64_t n, int64_t inc, const char* role, bool also_reads = true) {
    look(x, 1, n, inc < 0 ? -inc : inc, role, also_reads, true);
    return inc < 0 ? x - (n - 1) * inc : x;
  }
  // `count` elements, of which some are used: transfers() says which.
  template <typename T>
  void checks(const T* a, int64_t count, const char* role) {
    if (count > 0 && valid)
      valid = check_range(name, role, a, static_cast<size_t>(count) * sizeof(T), Side::kDevice);
  }
  template <typename T>
  void transfers(const T* a, int64_t rows, int64_t columns, int64_t ld, bool read, bool write) {
    if (rows <= 0 || columns <= 0 || !valid) return;
    const auto width = static_cast<size_t>(rows) * sizeof(T);
    const auto pitch = static_cast<size_t>(ld) * sizeof(T);
    const size_t height = static_cast<size_t>(columns);
    const cudaStream_t stream = copy_stream.stream;
    if (read)
      observe::transferring({name, nullptr, a, width, height, 1, 0, 0, pitch, 0, stream, true});
    if (!write) return;
    void* out = const_cast<void*>(static_cast<const void*>(a));
    observe::transferring({name, out, nullptr, width, height, 1, pitch, 0, 0, 0, stream, true});
  }

 private:
  template <typename T>
  void look(const T* a, int64_t rows, int64_t columns, int64_t ld, const char* role, bool read,
            bool write) {
    if (rows > 0 && columns > 0) checks(a, (columns - 1) * ld + rows, role);
    transfers(a, rows, columns, ld, read, write);
  }
};

// Runs `function(call)` in the handle's stream, or later if that is being captured. `function` must
// hold copies of what it needs, and returns early if its operands are not valid.
template <typename Function>
cublasStatus_t run(cublasHandle_t handle, const char* name, Function function) {
  if (!is_open(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  // A result in host memory is there when the function returns.
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) wait_for(pending_before(handle->stream));
  return status_of(api_in_stream(handle->stream, name, [=](const char* called) {
    Call call{called};
    function(call);
    return call.valid ? cudaSuccess : cudaErrorInvalidValue;
  }));
}

// A factor. In host memory it is read when the function is called, in device memory when the
// function runs.
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

// Stores a result; in host memory at once, because the function waits for it.
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
