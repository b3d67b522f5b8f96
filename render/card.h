// The contract of part card. That of part circles is in render.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "card_scene.h"
#include "workspace.h"

// Renders the scene of the business card, as card_scene.h describes it, with `scene.samples` rays
// through each pixel.
//
// image      device memory, width * height pixels, rows from the top: red, green, blue and a fourth
//            value that is not checked; see pixel_value() for the scale
// workspace  scratch memory of card_workspace_bytes(scene) bytes, aligned to 256
//
// Random numbers are yours to choose: uniform in [0, 1), independent for all rays of an image, and
// others for another scene.seed. So no two right images are equal. The judge renders another image
// and asks whether yours is another sample of the same picture, with the noise of as many rays,
// and no more noise.
//
// The work is queued in the default stream and need not have ended on return. Throws CudaError.
void render_card(const CardScene& scene, float4* image, Workspace& workspace);

// 16 bytes per pixel, 1 MiB for the rest.
inline size_t card_workspace_bytes(const CardScene& scene) {
  return (size_t{1} << 20) + size_t{16} * scene.width * scene.height;
}
