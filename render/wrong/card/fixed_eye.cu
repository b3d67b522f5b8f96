// verdict: =wrong
// from: ladder/card/04_no_allocation.cu
// Always looks from where the card's eye is, and not from scene.eye. So would a picture that was
// rendered beforehand.
#include "card.h"

#include "cuda_check.h"
#include "random.h"

namespace {

constexpr int kTile = 16;
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

enum Material { kNothing, kFloor, kSphere };

// What the ray hits first, how far away, and the surface's normal there.
__device__ Material trace(const CardScene& scene, Vec3 origin, Vec3 direction, float* distance,
                          Vec3* normal) {
  Material material = kNothing;
  *distance = kFarthest;
  const float to_floor = __fdividef(-origin.z, direction.z);
  if (to_floor > kNearest && to_floor < kFarthest) {
    *distance = to_floor;
    *normal = {0, 0, 1};
    material = kFloor;
  }
  for (int k = 0; k < kCardCols; ++k) {
    for (int j = 0; j < kCardRows; ++j) {
      if ((scene.rows[j] >> k & 1) == 0) continue;
      // |p + t * direction| = 1 with p from the sphere's centre to the origin: t^2 + 2bt + c = 0.
      const Vec3 p = origin - Vec3{static_cast<float>(k), 0, j + 4.0f};
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
  }
  return material;
}

// The light that comes along a ray, against the ray's direction.
__device__ Vec3 shade(const CardScene& scene, Vec3 origin, Vec3 direction, Generator* random) {
  Vec3 light = {0, 0, 0};
  float share = 1;  // of the light that the ray sees now
  for (int reflections = 0;; ++reflections) {
    float distance;
    Vec3 normal;
    const Material material = trace(scene, origin, direction, &distance, &normal);
    if (material == kNothing) return light + kSky * (share * __powf(1 - direction.z, 4));

    const Vec3 point = origin + direction * distance;
    const float light_x = random->next();
    const Vec3 towards = direction_of(light_position(light_x, random->next()) - point);
    float lambert = dot(towards, normal);
    float unused_distance;
    Vec3 unused_normal;
    if (lambert < 0 || trace(scene, point, towards, &unused_distance, &unused_normal) != kNothing) {
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

// A thread per pixel.
__global__ void render_card_kernel(CardScene scene, float4* image) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col >= scene.width || row >= scene.height) return;
  const int pixel = row * scene.width + col;
  Generator random = {static_cast<unsigned>(random_bits(scene.seed, pixel))};
  scene.eye = {17, 16, 8};
  const CardView view = card_view(scene);
  Vec3 sum = {0, 0, 0};
  for (int sample = 0; sample < scene.samples; ++sample) {
    float numbers[4];
    for (float& number : numbers)
      number = random.next();
    const Ray ray = card_ray(scene, view, row, col, numbers);
    sum = sum + shade(scene, ray.origin, ray.direction, &random);
  }
  image[pixel] = make_float4(pixel_value(sum.x, scene.samples), pixel_value(sum.y, scene.samples),
                             pixel_value(sum.z, scene.samples), 1);
}

}  // namespace

void render_card(const CardScene& scene, float4* image, Workspace&) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const dim3 block(kTile, kTile);
  render_card_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
