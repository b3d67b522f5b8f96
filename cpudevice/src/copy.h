// Copies of boxes of bytes, which every copy is.
#pragma once

#include <cstddef>

#include "api.h"
#include "graph.h"

namespace cudacpu {

// `depth` slices of `height` rows of `width` bytes.
struct Box {
  size_t width, height, depth;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// From one row to the next and from one slice to the next, in bytes.
struct Layout {
  size_t pitch, slice;
  // From the first to the last byte of a box.
  size_t span(const Box& box) const {
    return (box.depth - 1) * slice + (box.height - 1) * pitch + box.width;
  }
};

// Copies a box. `function` is the API function that was called: the first word of an explanation.
cudaError_t copy_box(void* destination, const Layout& to, const void* source, const Layout& from,
                     const Box& box, cudaMemcpyKind kind, const char* function);

// The stream that the running *Async function was given.
struct CopyStream {
  cudaStream_t stream = nullptr;
  bool async = false;
};
extern thread_local CopyStream copy_stream;

// Runs an *Async function: `function(name)` after a look at the stream, or, in one that is being
// captured, when the graph is launched. So `function` must hold copies of what it needs.
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
