// Where a volume's picture is taken from, and the ray of a pixel: host and device.
#pragma once

#include "vec3.h"

constexpr int kVolumeColours = 32;  // entries of the transfer function

// Rays are parallel. Places are in voxels: the volume is the cube from 0 to `size` along x, y and
// z, and the centre of voxel (i, j, k) is (i, j, k) + 0.5. Sample k of pixel (row, col) lies at
//   corner + col * right + row * down + k * forward,      k = 0 ... steps - 1.
struct VolumeView {
  int width;     // of the image in pixels, 1 to 8192
  int height;    // the same
  int size;      // voxels along each side of the volume, a multiple of 16 from 32 to 1024
  int steps;     // samples of a ray: all samples inside of the volume are included
  Vec3 corner;   // sample 0 of pixel (0, 0): outside of the volume
  Vec3 right;    // from a pixel to its right neighbour
  Vec3 down;     // from a pixel to the one below
  Vec3 forward;  // from a sample to the next on the ray: 1 long
};

// Samples first, first + 1 ... end - 1 of the ray are inside of the volume; none where first ==
// end.
struct VolumeRay {
  Vec3 origin;  // sample 0
  int first;
  int end;
};

// Narrows [near, far], in samples, to where origin + k * forward is within [0, size].
HARNESS_HOST_DEVICE inline void cut_to_slab(float origin, float forward, float size, float& near,
                                            float& far) {
  // Along a ray parallel to the faces the quotients are infinite or NaN, which fmaxf and fminf
  // leave out.
  const float at_low = (0 - origin) / forward;
  const float at_high = (size - origin) / forward;
  near = fmaxf(near, fminf(at_low, at_high));
  far = fminf(far, fmaxf(at_low, at_high));
}

HARNESS_HOST_DEVICE inline VolumeRay volume_ray(const VolumeView& view, int row, int col) {
  VolumeRay ray;
  ray.origin = view.corner + view.right * col + view.down * row;
  float near = 0;
  float far = static_cast<float>(view.steps - 1);
  const auto size = static_cast<float>(view.size);
  cut_to_slab(ray.origin.x, view.forward.x, size, near, far);
  cut_to_slab(ray.origin.y, view.forward.y, size, near, far);
  cut_to_slab(ray.origin.z, view.forward.z, size, near, far);
  ray.first = static_cast<int>(ceilf(near));
  ray.end = near <= far ? static_cast<int>(floorf(far)) + 1 : ray.first;
  return ray;
}
