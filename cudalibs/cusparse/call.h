// The steps of a cuSPARSE function around its own work: handles are looked up, and in a stream
// under capture the work waits for the graph's launch.
#pragma once

#include <type_traits>
#include <utility>

#include "common/core.h"
#include "common/library_call.h"
#include "cusparse.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

namespace cudacpu::sparse {

// The objects of a type to which programs have handles.
template <typename Object>
Handles<Object>& live() {
  static auto* const objects = new Handles<Object>;
  return *objects;
}

template <typename Object>
bool is_live(const Object* handle) {
  return handle && live<Object>().has(handle);
}

template <typename Object>
cusparseStatus_t create(Object** handle, std::remove_const_t<Object> object = {}) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = live<std::remove_const_t<Object>>().add(std::move(object));
  return CUSPARSE_STATUS_SUCCESS;
}

// A null pointer may be destroyed.
template <typename Object>
cusparseStatus_t destroy(const Object* handle) {
  const bool destroyed = !handle || live<Object>().remove(const_cast<Object*>(handle));
  return destroyed ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

// Stores a result, unless the program passes null.
template <typename T, typename U>
void give(T* place, U value) {
  if (place) *place = static_cast<T>(value);
}

cusparseStatus_t status_of(cudaError_t error);

// The status before a function runs: an error if a handle or another argument is wrong.
inline cusparseStatus_t check(cusparseHandle_t handle, bool valid = true) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return valid ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

// No buffer is used, but programs allocate a buffer, and some programs take a size of 0 for an
// error.
template <typename Bytes>
cusparseStatus_t buffer_size(cusparseHandle_t handle, Bytes* bytes, bool valid = true) {
  constexpr Bytes kBytes = 256;
  const cusparseStatus_t status = check(handle, valid && bytes);
  if (status == CUSPARSE_STATUS_SUCCESS) *bytes = kBytes;
  return status;
}

using Call = LibraryCall;

// Runs `function(call)` in the handle's stream: see library_call_in_stream().
template <typename Function>
cusparseStatus_t run(cusparseHandle_t handle, const char* name, Function function) {
  return status_of(library_call_in_stream(handle->stream, name, function));
}

// run() for a function with a result on the host, which is complete when the function returns.
template <typename Function>
cusparseStatus_t run_and_wait(cusparseHandle_t handle, const char* name, Function function) {
  wait_for(pending_before(handle->stream));
  return run(handle, name, [=](Call& call) {
    function(call);
    observe::stream_synchronized(copy_stream.stream);
  });
}

// An integer result, on the host or the device as the handle says.
struct IntResult {
  int* place;
  bool on_device;

  IntResult(cusparseHandle_t handle, int* place)
      : place(place), on_device(handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {}
  void put(Call& call, int64_t value) const {
    if (on_device) call.writes(place, 1, 1, 1, "result", false);
    if (call.valid) *place = static_cast<int>(value);
    if (!on_device) observe::stream_synchronized(copy_stream.stream);
  }
};

}  // namespace cudacpu::sparse
