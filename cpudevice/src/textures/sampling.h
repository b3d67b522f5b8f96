// A texture object for fetches, with all decisions that do not depend on the coordinates made in
// advance.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/device/textures/texture.h"

namespace cudacpu {

// How a coordinate becomes an index.
enum class Addressing : int { kClamp, kWrap, kMirror, kBorder, kLayer };

struct Axis {
  Addressing addressing;
  int size;
  float scale;   // from the coordinate to elements: `size` for normalised coordinates, else 1
  float extent;  // `size`
};

struct Texture : SamplerOf {
  const char* data;
  size_t pitch, slice;
  Axis axis[3];
  float border[4];
  // For the diagnostic modes.
  unsigned element_bytes;
  bool is_linear_memory;  // not an array, and so not tiled on a GPU
  Sampler point;          // for fetches without a filter: gather
  // The descriptions as the program gave them.
  cudaResourceDesc resource;
  cudaTextureDesc description;
};

// The functions for elements of these channels, in `dimensions` dimensions (1, 2 or 3; layers do
// not count).
SamplerOf choose_sampler(const cudaChannelFormatDesc& channels, const cudaTextureDesc& description,
                         const Axis* axes, int dimensions);

}  // namespace cudacpu
