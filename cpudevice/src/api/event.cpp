// Events.
#include <chrono>
#include <memory>

#include "base/call.h"
#include "base/error.h"
#include "diagnostics/observer.h"
#include "streams/capture.h"
#include "streams/stream_state.h"
#include "streams/stream_thread.h"

using namespace cudacpu;

namespace {

using Clock = std::chrono::steady_clock;

cudaError_t record(cudaEvent_t event, cudaStream_t stream, const char* function) {
  if (cudaError_t error = check_event(event, function)) return error;
  if (cudaError_t error = check_stream(stream, function)) return error;
  if (is_capturing(stream)) {
    event->capture = capture_of(stream);
    return cudaSuccess;
  }
  event->capture = {};
  observe::event_recorded(event, stream);
  event->recorded = true;
  const auto time = std::make_shared<Clock::time_point>(Clock::now());
  event->time = time;
  event->ticket = queue_if_pending(stream, [time] {
    *time = Clock::now();
    return cudaSuccess;
  });
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return api([&] {
    constexpr unsigned kFlags =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || (flags & ~kFlags)) return cudaErrorInvalidValue;
    *event = events().add({flags, false, {}, {}});
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&] {
    if (events().has(event)) observe::event_destroyed(event);
    if (events().remove(event)) return cudaSuccess;
    return check_event(event, "cudaEventDestroy");
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api([&] { return record(event, stream, "cudaEventRecord"); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return api([&] {
    if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
    return record(event, stream, "cudaEventRecordWithFlags");
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&] {
    if (cudaError_t error = check_event(event, "cudaEventSynchronize")) return error;
    if (cudaError_t error = wait_for(event->ticket)) return error;
    observe::event_synchronized(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api([&] {
    if (cudaError_t error = check_event(event, "cudaEventQuery")) return error;
    if (is_pending(event->ticket)) return cudaErrorNotReady;
    observe::event_synchronized(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return api([&] {
    if (!milliseconds) return cudaErrorInvalidValue;
    for (cudaEvent_t event : {start, stop}) {
      if (cudaError_t error = check_event(event, "cudaEventElapsedTime")) return error;
      if (!event->recorded || (event->flags & cudaEventDisableTiming)) {
        explain("cudaEventElapsedTime: an event was %s",
                event->recorded ? "created with cudaEventDisableTiming" : "never recorded");
        return cudaErrorInvalidResourceHandle;
      }
      if (is_pending(event->ticket)) return cudaErrorNotReady;
    }
    observe::events_timed(start, stop);
    *milliseconds = std::chrono::duration<float, std::milli>(*stop->time - *start->time).count();
    return cudaSuccess;
  });
}
