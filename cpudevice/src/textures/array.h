// cudaArray: elements in one, two or three dimensions, of which kernels see only what textures and
// surfaces show them.
#pragma once

#include "cuda_runtime_api.h"
#include "memory/copy_box.h"

struct cudaArray {
  cudaChannelFormatDesc channels;
  cudaExtent extent;  // as asked for: unused dimensions are 0
  unsigned int flags;
  size_t element_bytes;
  // In elements, 1 where unused; layers, or faces of cubes, are the depth.
  size_t width, height, depth;
  // Row by row; on a GPU they would be tiled, but no program can tell. `pitch` and `slice` are the
  // distances between rows and between slices in bytes: no multiples of a page, since the elements
  // of a column would then compete for the same few lines of the processor's cache.
  char* data;
  size_t pitch, slice;
  size_t row_bytes() const { return width * element_bytes; }
};

namespace cudacpu {

// How many bytes an element has, or 0 if no array can hold it.
size_t element_bytes(const cudaChannelFormatDesc& channels);

// cudaSuccess if `array` is one that exists.
cudaError_t check_array(cudaArray_const_t array, const char* function);

// Of an array that exists; of none, 1.
size_t array_element_bytes(cudaArray_const_t array);

// Where the elements from `position` on lie, if the array holds as many as `elements` says.
cudaError_t array_box(cudaArray_const_t array, const cudaPos& position, const cudaExtent& elements,
                      const char* function, void** start, Layout* layout);

void forget_all_arrays();

}  // namespace cudacpu
