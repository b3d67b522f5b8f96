// The contract of part volume. Those of circles and card are in render.h and card.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "volume_view.h"
#include "workspace.h"

// A volume of view.size^3 voxels of 8 bits, and what its values look like.
struct VolumeScene {
  VolumeView view;
  // Voxels and table, twice each: in device memory, aligned as cudaMalloc aligns, and as textures.
  // None of them may be modified.
  const unsigned char* voxels;  // voxel (i, j, k) is element (k * view.size + j) * view.size + i
  const float4* table;          // kVolumeColours times red, green, blue, opacity of a sample
  // tex3D<float>(volume, x, y, z): the voxels around the place interpolated, 255 being 1.
  // Coordinates are not normalised but count voxels, and voxel i has its middle at i + 0.5.
  cudaTextureObject_t volume;
  // tex1D<float4>(transfer, value): the table interpolated, entry i being the colour of (i + 0.5) /
  // kVolumeColours. The coordinate is normalised: from 0 to 1.
  cudaTextureObject_t transfer;
  int transparent;  // voxels up to this value, from 0 to 255, are wholly transparent
  int shape;        // for experiments: --shape of the command line; -1 in all graded calls
};

// A ray may end when less light than this is left to pass: 1/256, a step of an 8-bit image.
constexpr float kVolumeDark = 1.0f / 256;

// Draws the volume over black, front to back. volume_view.h has the places of a pixel's samples.
// Samples inside of the volume add up, the light being 1 before the first:
//   pixel += light * opacity * colour;  light *= 1 - opacity.
// Voxels on the volume's faces are transparent, so a sample on a face may be taken to be on either
// side.
//
// image      device memory, width * height pixels, rows from the top: red, green, blue and a fourth
//            value that is not checked
// workspace  scratch memory of volume_workspace_bytes(scene) bytes, aligned to 256, with any
//            contents. Each call builds everything in the workspace again.
//
// Right is a channel within 1/96, and the whole image within 1/1000 in the root mean square, of
// the exact sum. A texture's interpolation, whose weights have 8 bits, stays well within both, and
// so does an end in the dark.
//
// The work is queued in the default stream and need not have ended on return. Throws CudaError.
void render_volume(const VolumeScene& scene, float4* image, Workspace& workspace);

// A byte for 16 voxels, 1 MiB for the rest.
inline size_t volume_workspace_bytes(const VolumeScene& scene) {
  const auto size = static_cast<size_t>(scene.view.size);
  return (size_t{1} << 20) + size * size * size / 16;
}
