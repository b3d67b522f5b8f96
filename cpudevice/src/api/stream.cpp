// Streams.
#include "base/call.h"
#include "base/devices.h"
#include "diagnostics/observer.h"
#include "memory/location.h"
#include "streams/capture.h"
#include "streams/stream_state.h"
#include "streams/stream_thread.h"

using namespace cudacpu;

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

cudaError_t create_stream(cudaStream_t* stream, unsigned int flags, int priority) {
  if (!stream || (flags & ~cudaStreamNonBlocking)) return cudaErrorInvalidValue;
  priority = priority > kLeastPriority      ? kLeastPriority
             : priority < kGreatestPriority ? kGreatestPriority
                                            : priority;
  *stream = streams().add({flags, priority, current_device(), {}, {}});
  observe::stream_created(*stream, flags & cudaStreamNonBlocking);
  return cudaSuccess;
}

// Exists while a function of the host runs in its stream's place, also when an exception ends the
// function.
class HostFunction {
 public:
  explicit HostFunction(cudaStream_t stream) : stream_(stream) {
    observe::host_function_begin(stream_);
  }
  ~HostFunction() { observe::host_function_end(stream_); }
  HostFunction(const HostFunction&) = delete;
  HostFunction& operator=(const HostFunction&) = delete;

 private:
  const cudaStream_t stream_;
};

}  // namespace

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
    const auto remove = [stream] {
      return streams().remove(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    };
    if (streams().has(stream) && queue_if_pending(stream, remove)) return cudaSuccess;
    if (remove() == cudaSuccess) return cudaSuccess;
    explain(
        "cudaStreamDestroy: there is no such stream (the default one, not created, or destroyed "
        "before)");
    return cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaStreamSynchronize")) return error;
    if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    if (cudaError_t error = wait_for(pending_before(stream))) return error;
    observe::stream_synchronized(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaStreamQuery")) return error;
    if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
    if (pending_before(stream)) return cudaErrorNotReady;
    observe::stream_synchronized(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return api([&] {
    if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamWaitEvent")) return error;
    if (cudaError_t error = check_event(event, "cudaStreamWaitEvent")) return error;
    if (event->capture.graph || is_capturing(stream)) return capture_wait(stream, *event);
    come_after(stream, event->ticket);
    observe::stream_waits(stream, event);
    return cudaSuccess;
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
    if (cudaError_t error = check_stream(stream, "cudaStreamGetDevice")) return error;
    *device = is_default(stream) ? current_device() : stream->device;
    return cudaSuccess;
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
  const auto in_turn = [=] { return cudaStreamAddCallback(stream, callback, user_data, flags); };
  if (error == cudaSuccess && !queue_if_pending(stream, in_turn)) {
    HostFunction in(stream);
    callback(stream, cudaSuccess, user_data);
  }
  return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  const cudaError_t error = api([&] {
    if (!function) return cudaErrorInvalidValue;
    return check_stream(stream, "cudaLaunchHostFunc");
  });
  const auto in_turn = [=] { return cudaLaunchHostFunc(stream, function, user_data); };
  if (error == cudaSuccess && is_capturing(stream)) {
    capture(stream, cudaGraphNodeTypeHost,
            [=](cudaStream_t in) { return cudaLaunchHostFunc(in, function, user_data); });
  } else if (error == cudaSuccess && !queue_if_pending(stream, in_turn)) {
    HostFunction in(stream);
    function(user_data);
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
