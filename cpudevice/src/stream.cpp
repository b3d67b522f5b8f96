// Streams and events. Everything has finished when its call returns, so a stream is a name to be
// checked, and an event the time at which it was recorded.
#include <chrono>

#include "api.h"
#include "graph.h"
#include "handles.h"
#include "observer.h"
#include "stream.h"

using namespace cudacpu;

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

// Never destroyed: the program's destructors may still use them.
Handles<CUstream_st>& streams() {
  static auto* handles = new Handles<CUstream_st>;
  return *handles;
}
Handles<CUevent_st>& events() {
  static auto* handles = new Handles<CUevent_st>;
  return *handles;
}

StreamAttributes default_attributes;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

StreamAttributes& attributes_of(cudaStream_t stream) {
  return is_default(stream) ? default_attributes : stream->attributes;
}

cudaError_t check_event(cudaEvent_t event, const char* function) {
  if (events().has(event)) return cudaSuccess;
  explain("%s: there is no such event (not created, or destroyed)", function);
  return cudaErrorInvalidResourceHandle;
}

cudaError_t create_stream(cudaStream_t* stream, unsigned int flags, int priority) {
  if (!stream || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  priority = priority > kLeastPriority      ? kLeastPriority
             : priority < kGreatestPriority ? kGreatestPriority
                                            : priority;
  *stream = streams().add({flags, priority, {}, {}});
  observe::stream_created(*stream, flags & cudaStreamNonBlocking);
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, const char* function) {
  if (cudaError_t error = check_event(event, function)) return error;
  if (cudaError_t error = check_stream(stream, function)) return error;
  if (is_capturing(stream)) {
    event->capture = stream->capture;
    return cudaSuccess;
  }
  event->capture = {};
  observe::event_recorded(event, stream);
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}

}  // namespace

namespace cudacpu {

bool is_capturing(cudaStream_t stream) {
  return !is_default(stream) && streams().has(stream) && stream->capture.graph;
}

void end_capture(cudaGraph_t graph) {
  const auto end = [&](auto& object) {
    if (object.capture.graph == graph) object.capture = {};
  };
  streams().for_each(end);
  events().for_each(end);
}

cudaError_t check_stream(cudaStream_t stream, const char* function) {
  if (is_default(stream) || streams().has(stream)) return cudaSuccess;
  explain("%s: there is no such stream (not created, or destroyed)", function);
  return cudaErrorInvalidResourceHandle;
}

void destroy_all_streams_and_events() {
  streams().remove_all();
  events().remove_all();
}

}  // namespace cudacpu

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    if (least) *least = kLeastPriority;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api([&] { return create_stream(stream, cudaStreamDefault, kLeastPriority); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return api([&] { return create_stream(stream, flags, kLeastPriority); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return api([&] { return create_stream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&] {
    if (streams().has(stream)) observe::stream_destroyed(stream);
    if (streams().remove(stream)) return cudaSuccess;
    explain(
        "cudaStreamDestroy: there is no such stream (the default one, not created, or destroyed "
        "before)");
    return cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] {
    const cudaError_t error = check_stream(stream, "cudaStreamSynchronize");
    if (error == cudaSuccess && is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess) observe::stream_synchronized(stream);
    return error;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api([&] {
    const cudaError_t error = check_stream(stream, "cudaStreamQuery");
    if (error == cudaSuccess && is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess) observe::stream_synchronized(stream);
    return error;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return api([&] {
    if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamWaitEvent")) return error;
    const cudaError_t error = check_event(event, "cudaStreamWaitEvent");
    if (error == cudaSuccess && (event->capture.graph || is_capturing(stream)))
      return capture_wait(stream, *event);
    if (error == cudaSuccess) observe::stream_waits(stream, event);
    return error;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return api([&] {
    if (!flags) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamGetFlags")) return error;
    *flags = is_default(stream) ? cudaStreamDefault : stream->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&] {
    if (!priority) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamGetPriority")) return error;
    *priority = is_default(stream) ? kLeastPriority : stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return api([&] {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return check_stream(stream, "cudaStreamGetDevice");
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamSetAttribute")) return error;
    if (attribute == cudaStreamAttributeAccessPolicyWindow) {
      attributes_of(stream).window = value->accessPolicyWindow;
    } else if (attribute == cudaStreamAttributeSynchronizationPolicy) {
      attributes_of(stream).policy = value->syncPolicy;
    } else if (attribute == cudaStreamAttributePriority && !is_default(stream)) {
      stream->priority = value->priority;
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamGetAttribute")) return error;
    if (attribute == cudaStreamAttributeAccessPolicyWindow) {
      value->accessPolicyWindow = attributes_of(stream).window;
    } else if (attribute == cudaStreamAttributeSynchronizationPolicy) {
      value->syncPolicy = attributes_of(stream).policy;
    } else if (attribute == cudaStreamAttributePriority) {
      value->priority = is_default(stream) ? kLeastPriority : stream->priority;
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  return api([&] {
    if (cudaError_t error = check_stream(destination, "cudaStreamCopyAttributes")) return error;
    if (cudaError_t error = check_stream(source, "cudaStreamCopyAttributes")) return error;
    attributes_of(destination) = attributes_of(source);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags) {
  const cudaError_t error = api([&] {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    return check_stream(stream, "cudaStreamAddCallback");
  });
  if (error == cudaSuccess) {
    observe::host_function_begin(stream);
    callback(stream, cudaSuccess, user_data);
    observe::host_function_end(stream);
  }
  return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  const cudaError_t error = api([&] {
    if (!function) return cudaErrorInvalidValue;
    return check_stream(stream, "cudaLaunchHostFunc");
  });
  if (error == cudaSuccess && is_capturing(stream)) {
    capture(stream, cudaGraphNodeTypeHost,
            [=](cudaStream_t in) { return cudaLaunchHostFunc(in, function, user_data); });
  } else if (error == cudaSuccess) {
    observe::host_function_begin(stream);
    function(user_data);
    observe::host_function_end(stream);
  }
  return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t,
                                     unsigned int flags) {
  return api([&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
      return cudaErrorInvalidValue;
    if (locate(pointer).place != Place::kManaged) return cudaErrorInvalidValue;
    return check_stream(stream, "cudaStreamAttachMemAsync");
  });
}

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
    const cudaError_t error = check_event(event, "cudaEventSynchronize");
    if (error == cudaSuccess) observe::event_synchronized(event);
    return error;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api([&] {
    const cudaError_t error = check_event(event, "cudaEventQuery");
    if (error == cudaSuccess) observe::event_synchronized(event);
    return error;
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
    }
    *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
    return cudaSuccess;
  });
}
