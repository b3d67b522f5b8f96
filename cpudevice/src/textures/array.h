// cudaArray: elements in one, two or three dimensions, which kernels access only through textures
// and surfaces.
#pragma once

#include "cuda_runtime_api.h"
#include "memory/copy_box.h"

struct cudaArray {
  cudaChannelFormatDesc channels;
  cudaExtent extent;  // as requested: unused dimensions are 0
  unsigned int flags;
  size_t element_bytes;
  // The size in elements, 1 for an unused dimension; the depth is the number of layers or of faces
  // of cubes.
  size_t width, height, depth;
  // Elements lie row by row; a GPU would tile the elements, but a program cannot notice. `pitch`
  // and `slice` are the distances between rows and between slices in bytes: no multiples of a page,
  // because the elements of a column would then compete for the same few lines of the processor's
  // cache.
  char* data;
  size_t pitch, slice;
  size_t row_bytes() const { return width * element_bytes; }
};

namespace cudacpu {

// Returns the bytes of an element, or 0 if no array can hold the element.
size_t element_bytes(const cudaChannelFormatDesc& channels);

// Returns cudaSuccess if `array` exists.
cudaError_t check_array(cudaArray_const_t array, const char* function);

// Returns the bytes of an element; 1 if the array does not exist.
size_t array_element_bytes(cudaArray_const_t array);

// Finds the elements from `position` on, if the array holds `elements` of them.
cudaError_t array_box(cudaArray_const_t array, const cudaPos& position, const cudaExtent& elements,
                      const char* function, void** start, Layout* layout);

void forget_all_arrays();

}  // namespace cudacpu
