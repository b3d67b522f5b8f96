// Copies and fills of boxes of bytes, the general form of every copy. Checks that both sides match
// the direction and are large enough, then calls memcpy.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace cudacpu {

// `depth` slices of `height` rows of `width` bytes.
struct Box {
  size_t width, height, depth;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// The distances from one row to the next and from one slice to the next, in bytes.
struct Layout {
  size_t pitch, slice;
  // The number of bytes from the first to the last byte of a box.
  size_t span(const Box& box) const {
    return (box.depth - 1) * slice + (box.height - 1) * pitch + box.width;
  }
};

// Copies a box. `function` is the called API function: the first word of an explanation.
cudaError_t copy_box(void* destination, const Layout& to, const void* source, const Layout& from,
                     const Box& box, cudaMemcpyKind kind, const char* function);
// Sets every byte of a box of device memory to `value`.
cudaError_t fill_box(void* pointer, const Layout& layout, int value, const Box& box,
                     const char* function);

// The stream that was passed to the running *Async function.
struct CopyStream {
  cudaStream_t stream = nullptr;
  bool async = false;
};
extern thread_local CopyStream copy_stream;

}  // namespace cudacpu
