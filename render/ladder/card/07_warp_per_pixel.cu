// Rung 7: a warp per pixel.
//
//   make check-render WITH=ladder/card/07_warp_per_pixel.cu
//
// Idea: the rays of a pixel are more alike than those of 32 neighbouring pixels: all miss the box,
// or all hit the same sphere and are reflected as often. So a warp takes a pixel, and the lanes
// share the samples. At the end the lanes add up the colours by shuffles.
// Expect: less divergence, 32 times as many threads, and each with 1/32 of the work: the slowest
// pixel no longer takes long.
#include "card.h"

#include "cuda_check.h"
#include "random.h"

namespace {

// A ray between two mirrors ends after this many reflections. A share of 0.5^8 of the light would
// be left.
constexpr int kMaxDepth = 8;

// 16 bits of the linear congruential generator behind Microsoft's rand(), which returns 15 bits.
// Each thread has a separate state.
struct Generator {
  unsigned state;
  __device__ float next() {
    state = 214013 * state + 2531011;
    return (state >> 16) * (1.0f / 65536);
  }
};

// normalized() with the hardware's reciprocal square root.
__device__ Vec3 direction_of(Vec3 a) {
  return a * rsqrtf(dot(a, a));
}

// The spheres' centres: (x[i], 0, z[i]).
struct Spheres {
  int count;
  float x[kCardRows * kCardCols];
  float z[kCardRows * kCardCols];
};

Spheres list_spheres(const CardScene& scene) {
  Spheres spheres = {};
  for (int k = 0; k < kCardCols; ++k) {
    for (int j = 0; j < kCardRows; ++j) {
      if ((scene.rows[j] >> k & 1) == 0) continue;
      spheres.x[spheres.count] = static_cast<float>(k);
      spheres.z[spheres.count] = j + 4.0f;
      ++spheres.count;
    }
  }
  return spheres;
}

// Does the ray enter the box around all spheres? The three stretches between pairs of planes must
// overlap. A ray parallel to a pair divides by zero, and infinities compare rightly.
__device__ bool meets_box(Vec3 origin, Vec3 direction) {
  const Vec3 inverse = {__fdividef(1, direction.x), __fdividef(1, direction.y),
                        __fdividef(1, direction.z)};
  const float x_low = (-1 - origin.x) * inverse.x;
  const float x_high = (kCardCols - origin.x) * inverse.x;
  const float y_low = (-1 - origin.y) * inverse.y;
  const float y_high = (1 - origin.y) * inverse.y;
  const float z_low = (3 - origin.z) * inverse.z;
  const float z_high = (4 + kCardRows - origin.z) * inverse.z;
  const float enter =
      fmaxf(fmaxf(fminf(x_low, x_high), fminf(y_low, y_high)), fminf(z_low, z_high));
  const float leave =
      fminf(fminf(fmaxf(x_low, x_high), fmaxf(y_low, y_high)), fmaxf(z_low, z_high));
  return leave > fmaxf(enter, 0);
}

enum Material { kNothing, kFloor, kSphere };

// What the ray hits first, how far away, and the surface's normal there.
__device__ Material trace(const Spheres& spheres, Vec3 origin, Vec3 direction, float* distance,
                          Vec3* normal) {
  Material material = kNothing;
  *distance = kFarthest;
  const float to_floor = __fdividef(-origin.z, direction.z);
  if (to_floor > kNearest && to_floor < kFarthest) {
    *distance = to_floor;
    *normal = {0, 0, 1};
    material = kFloor;
  }
  if (!meets_box(origin, direction)) return material;
  for (int i = 0; i < spheres.count; ++i) {
    // |p + t * direction| = 1 with p from the sphere's centre to the origin: t^2 + 2bt + c = 0.
    const Vec3 p = origin - Vec3{spheres.x[i], 0, spheres.z[i]};
    const float b = dot(p, direction);
    const float c = dot(p, p) - 1;
    const float discriminant = b * b - c;
    if (discriminant <= 0) continue;
    const float t = -b - sqrtf(discriminant);
    if (t >= *distance || t <= kNearest) continue;
    *distance = t;
    *normal = direction_of(p + direction * t);
    material = kSphere;
  }
  return material;
}

// The light that comes along a ray, against the ray's direction.
__device__ Vec3 shade(const Spheres& spheres, Vec3 origin, Vec3 direction, Generator* random) {
  Vec3 light = {0, 0, 0};
  float share = 1;  // of the light that the ray sees now
  for (int reflections = 0;; ++reflections) {
    float distance;
    Vec3 normal;
    const Material material = trace(spheres, origin, direction, &distance, &normal);
    if (material == kNothing) return light + kSky * (share * __powf(1 - direction.z, 4));

    const Vec3 point = origin + direction * distance;
    const float light_x = random->next();
    const Vec3 towards = direction_of(light_position(light_x, random->next()) - point);
    float lambert = dot(towards, normal);
    float unused_distance;
    Vec3 unused_normal;
    if (lambert < 0 ||
        trace(spheres, point, towards, &unused_distance, &unused_normal) != kNothing) {
      lambert = 0;
    }
    if (material == kFloor) {
      return light + floor_colour(point.x, point.y) * (share * (lambert * 0.2f + 0.1f));
    }
    const Vec3 reflected = direction - normal * (2 * dot(normal, direction));
    const float shine = lambert > 0 ? fmaxf(dot(towards, reflected), 0) : 0;
    const float specular = share * __powf(shine, 99);
    light = light + Vec3{specular, specular, specular};
    if (reflections == kMaxDepth) return light;
    origin = point;
    direction = reflected;
    share *= 0.5f;
  }
}

__device__ float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  return value;
}

// A warp per pixel; the lanes take the samples in turn.
constexpr int kBlockSize = 256;
__global__ void render_card_kernel(CardScene scene, Spheres spheres, float4* image) {
  const int pixel = (blockIdx.x * kBlockSize + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (pixel >= scene.width * scene.height) return;
  const int row = pixel / scene.width;
  const int col = pixel % scene.width;
  Generator random = {static_cast<unsigned>(random_bits(scene.seed, 32 * pixel + lane))};
  const CardView view = card_view(scene);
  Vec3 sum = {0, 0, 0};
  for (int sample = lane; sample < scene.samples; sample += 32) {
    float numbers[4];
    for (float& number : numbers)
      number = random.next();
    const Ray ray = card_ray(scene, view, row, col, numbers);
    sum = sum + shade(spheres, ray.origin, ray.direction, &random);
  }
  sum = {sum_of_warp(sum.x), sum_of_warp(sum.y), sum_of_warp(sum.z)};
  if (lane > 0) return;
  image[pixel] = make_float4(pixel_value(sum.x, scene.samples), pixel_value(sum.y, scene.samples),
                             pixel_value(sum.z, scene.samples), 1);
}

}  // namespace

void render_card(const CardScene& scene, float4* image, Workspace&) {
  const int blocks = ceil_div(scene.width * scene.height, kBlockSize / 32);
  render_card_kernel<<<blocks, kBlockSize>>>(scene, list_spheres(scene), image);
  CUDA_CHECK(cudaGetLastError());
}
