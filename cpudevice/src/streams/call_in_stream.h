// The steps before and after the work of a runtime API function that has a turn in a stream.
#pragma once

#include "base/call.h"
#include "memory/copy_box.h"
#include "streams/capture.h"
#include "streams/stream_state.h"
#include "streams/stream_thread.h"

namespace cudacpu {

// Runs a function that first waits for the work in the default stream.
template <typename Function>
cudaError_t api_in_default_stream(Function function) {
  return api([&] {
    const cudaError_t error = wait_for(pending_before(nullptr));
    return error == cudaSuccess ? function() : error;
  });
}

// Runs a function that first waits for all work.
template <typename Function>
cudaError_t api_after_all_work(Function function) {
  return api([&] {
    const cudaError_t error = wait_for(pending_anywhere());
    return error == cudaSuccess ? function() : error;
  });
}

// Runs an *Async function. Calls `function(name)` after checking the stream, or when the function's
// turn in the stream comes, or, in a stream under capture, when the graph is launched. So
// `function` must hold copies of its data.
template <typename Function>
cudaError_t api_in_stream(cudaStream_t stream, const char* name, Function function,
                          cudaGraphNodeType node_type = cudaGraphNodeTypeMemcpy) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, name)) return error;
    if (is_capturing(stream)) {
      capture(stream, node_type,
              [=](cudaStream_t in) { return api_in_stream(in, name, function, node_type); });
      return cudaSuccess;
    }
    const auto in_turn = [=] { return api_in_stream(stream, name, function, node_type); };
    if (queue_if_pending(stream, in_turn)) return cudaSuccess;
    copy_stream = {stream, true};
    const cudaError_t error = function(name);
    copy_stream = {};
    return error;
  });
}

}  // namespace cudacpu
