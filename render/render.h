// The contract of part circles. That of part card is in card.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "workspace.h"

// Circles in drawing order. All three arrays are in device memory, aligned as
// cudaMalloc aligns, and not modified.
//
// The picture is the unit square, x to the right and y down, stretched to width x height pixels:
// the centre of pixel (row, col) is ((col + 0.5) / width, (row + 0.5) / height). A circle covers
// the pixels with dx^2 + dy^2 <= radius^2, all in float, dx and dy being the distances from the
// centre.
//
// Centres lie in [-1, 2] in x and y, so a circle may be outside of the picture in part or wholly.
// Radii are at most 1. A circle whose radius is not above 0 covers nothing, nor does a circle
// whose radius is NaN.
struct CircleScene {
  int width;              // of the image in pixels, 1 to 8192
  int height;             // the same
  int count;              // of circles, >= 0
  bool snow;              // circles are snowflakes: opaque in the middle, fading outwards
  const float* position;  // 3 * count: x, y and height above the picture, z, in [0, 1]
  const float* radius;    // count
  const float* colour;    // 3 * count: red, green, blue in [0, 1]
};

// Draws the circles, in order, over the scene's background.
//
// A circle blends into each covered pixel: new = opacity * colour + (1 - opacity) * old.
// circle_shading.h has opacity, colour and background. Blending does not commute: each pixel must
// get its circles in order of the index.
//
// image      device memory, width * height pixels, rows from the top: red, green, blue and a fourth
//            value that is not checked. The value is not the sum of all opacities, as in CS149:
//            no picture shows the sum, which would forbid to leave out a hidden circle.
// workspace  scratch memory of circle_workspace_bytes(scene) bytes, aligned to 256, with any
//            contents. Each call builds everything in the workspace again.
//
// Right is a channel within 1/512, half a step of an 8-bit image, of what exact arithmetic gives.
// Centres and radii of the graded scenes are multiples of 2^-11, so on images whose sides are
// powers of two, up to 2048, float decides exactly whether a pixel is covered, with or without
// fused multiply-add. On other images a circle whose edge passes a pixel's centre within rounding
// may cover the pixel or not.
//
// The work is queued in the default stream and need not have ended on return. Throws CudaError.
void render_circles(const CircleScene& scene, float4* image, Workspace& workspace);

// 64 bytes per circle, 16 per pixel, 1 MiB for the rest.
inline size_t circle_workspace_bytes(const CircleScene& scene) {
  return (size_t{1} << 20) + size_t{64} * scene.count + size_t{16} * scene.width * scene.height;
}
