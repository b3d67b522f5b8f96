// The steps that every *Async function of the runtime API takes before and after its own work.
#pragma once

#include "base/call.h"
#include "memory/copy_box.h"
#include "streams/capture.h"
#include "streams/stream_state.h"

namespace cudacpu {

// Runs an *Async function. It calls `function(name)` after it has checked the stream, or, in a
// stream that is being captured, when the graph is launched. So `function` must hold copies of what
// it needs.
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
    copy_stream = {stream, true};
    const cudaError_t error = function(name);
    copy_stream = {};
    return error;
  });
}

}  // namespace cudacpu
