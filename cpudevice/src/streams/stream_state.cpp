#include "streams/stream_state.h"

#include "base/error.h"

namespace cudacpu {

// Never destroyed: the program's destructors may still use the streams.
Handles<CUstream_st>& streams() {
  static auto* handles = new Handles<CUstream_st>;
  return *handles;
}
Handles<CUevent_st>& events() {
  static auto* handles = new Handles<CUevent_st>;
  return *handles;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

StreamAttributes& attributes_of(cudaStream_t stream) {
  static StreamAttributes default_attributes;
  return is_default(stream) ? default_attributes : stream->attributes;
}

namespace {

// The calling thread's cudaStreamPerThread.
CUstream_st* stream_of_thread() {
  struct Owner {
    cudaStream_t stream = nullptr;
    ~Owner() { streams().remove(stream); }
  };
  static thread_local Owner owner;
  // cudaDeviceReset destroys all streams.
  if (!streams().has(owner.stream)) owner.stream = streams().add({});
  return owner.stream;
}

}  // namespace

Capture& capture_of(cudaStream_t stream) {
  return (stream == cudaStreamPerThread ? stream_of_thread() : stream)->capture;
}

cudaError_t check_stream(cudaStream_t stream, const char* function) {
  if (is_default(stream) || streams().has(stream)) return cudaSuccess;
  explain("%s: there is no such stream (not created, or destroyed)", function);
  return cudaErrorInvalidResourceHandle;
}

cudaError_t check_event(cudaEvent_t event, const char* function) {
  if (events().has(event)) return cudaSuccess;
  explain("%s: there is no such event (not created, or destroyed)", function);
  return cudaErrorInvalidResourceHandle;
}

void destroy_all_streams_and_events() {
  streams().remove_all();
  events().remove_all();
}

}  // namespace cudacpu
