// The fastest card we know.
//
//   make check-render WITH=solution PART=card
//
// Rung 7, and spheres found by where the ray is. All centres lie in the plane y = 0, on a lattice,
// so a ray can meet spheres only while |y| <= 1. Meanwhile the ray is somewhere in x and z: the
// rows of the bitmap within reach, and in each the columns, are a few bits. The eye's rays cross
// the letters nearly at a right angle and have 1 to 5 spheres to test where rung 6 tests 49.
//
// A shadow ray goes up, so the ray cannot meet the floor, and the first sphere found is enough.
#include "card.h"
#include "cuda_check.h"
#include "random.h"

namespace {

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kBlockSize = 128;
// Blocks per multiprocessor; the compiler keeps to the registers left.
constexpr int kResident = 8;
constexpr int kMaxDepth = 8;
// A lattice point further than a radius away cannot be a sphere that the ray meets; a little more
// because of rounding.
constexpr float kReach = 1.001f;

// 16 bits of a linear congruential generator, with a state of its own for each thread.
struct Generator {
  unsigned state;
  __device__ float next() {
    state = 214013 * state + 2531011;
    return (state >> 16) * (1.0f / 65536);
  }
};

__device__ Vec3 direction_of(Vec3 a) {
  return a * rsqrtf(dot(a, a));
}

// The part of a ray, from distance to distance, in which it may meet spheres.
struct Stretch {
  float enter, leave;
  // Keeps only what lies between the planes `low` and `high` of an axis. A ray parallel to the
  // planes divides by zero, and infinities compare rightly.
  __device__ void clip(float origin, float direction, float low, float high) {
    const float inverse = __fdividef(1, direction);
    const float first = (low - origin) * inverse;
    const float second = (high - origin) * inverse;
    enter = fmaxf(enter, fminf(first, second));
    leave = fminf(leave, fmaxf(first, second));
  }
};

// The lattice coordinates from `first` to `last` that a ray may touch in the stretch.
struct Range {
  int first, last;
};
__device__ Range touched(float origin, float direction, const Stretch& stretch, int size) {
  const float a = origin + stretch.enter * direction;
  const float b = origin + stretch.leave * direction;
  return {max(static_cast<int>(ceilf(fminf(a, b) - kReach)), 0),
          min(static_cast<int>(floorf(fmaxf(a, b) + kReach)), size - 1)};
}

// The first sphere that the ray meets before `distance`, or, for kAny, any sphere. Updates
// `distance` and the sphere's place in the bitmap; false without a sphere.
template <bool kAny>
__device__ bool meet_spheres(const int* rows, Vec3 origin, Vec3 direction, float* distance,
                             int* sphere_row, int* sphere_col) {
  Stretch stretch = {kNearest, *distance};
  stretch.clip(origin.y, direction.y, -1, 1);
  stretch.clip(origin.x, direction.x, -1, kCardCols);
  stretch.clip(origin.z, direction.z, 3, 4 + kCardRows);
  if (!(stretch.enter < stretch.leave)) return false;
  const Range cols = touched(origin.x, direction.x, stretch, kCardCols);
  const Range bands = touched(origin.z - 4, direction.z, stretch, kCardRows);
  const unsigned mask = (2u << cols.last) - (1u << cols.first);
  // The terms that are the same for all centres, whose y is 0.
  const float y_half = origin.y * direction.y;
  const float y_square = origin.y * origin.y - 1;
  bool found = false;
  for (int row = bands.first; row <= bands.last; ++row) {
    const float z = origin.z - 4 - row;
    for (unsigned left = rows[row] & mask; left != 0; left &= left - 1) {
      const int col = __ffs(left) - 1;
      // |p + t * direction| = 1 with p from the sphere's centre to the origin: t^2 + 2bt + c = 0.
      const float x = origin.x - col;
      const float b = x * direction.x + y_half + z * direction.z;
      const float c = x * x + y_square + z * z;
      const float discriminant = b * b - c;
      if (discriminant <= 0) continue;
      const float t = -b - sqrtf(discriminant);
      if (t >= *distance || t <= kNearest) continue;
      if (kAny) return true;
      *distance = t;
      *sphere_row = row;
      *sphere_col = col;
      found = true;
    }
  }
  return found;
}

// The light that comes along a ray, against the ray's direction.
__device__ Vec3 shade(const int* rows, Vec3 origin, Vec3 direction, Generator* random) {
  Vec3 light = {0, 0, 0};
  float share = 1;  // of the light that the ray sees now
  for (int reflections = 0;; ++reflections) {
    float distance = kFarthest;
    const float to_floor = __fdividef(-origin.z, direction.z);
    const bool floor = to_floor > kNearest && to_floor < kFarthest;
    if (floor) distance = to_floor;
    int row = 0;
    int col = 0;
    const bool sphere = meet_spheres<false>(rows, origin, direction, &distance, &row, &col);
    if (!sphere && !floor) {
      const float low = 1 - direction.z;
      return light + kSky * (share * low * low * low * low);
    }

    const Vec3 point = origin + direction * distance;
    const Vec3 normal =
        sphere ? point - Vec3{static_cast<float>(col), 0, row + 4.0f} : Vec3{0, 0, 1};
    const float light_x = random->next();
    const Vec3 towards = direction_of(light_position(light_x, random->next()) - point);
    float lambert = dot(towards, normal);
    float to_light = kFarthest;
    if (lambert < 0 || meet_spheres<true>(rows, point, towards, &to_light, &row, &col)) {
      lambert = 0;
    }
    if (!sphere) {
      return light + floor_colour(point.x, point.y) * (share * (lambert * 0.2f + 0.1f));
    }
    const Vec3 reflected = direction - normal * (2 * dot(normal, direction));
    const float shine = lambert > 0 ? fmaxf(dot(towards, reflected), 0) : 0;
    const float specular = share * __powf(shine, 99);
    light = light + Vec3{specular, specular, specular};
    if (reflections == kMaxDepth) return light;
    origin = point;
    // The normal's length is 1 except for rounding: lengths of directions would drift away from 1.
    direction = direction_of(reflected);
    share *= 0.5f;
  }
}

__device__ float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// A warp per pixel; the lanes take the samples in turn. The bitmap is copied to shared memory,
// because the lanes of a warp look at different rows.
__global__ void __launch_bounds__(kBlockSize, kResident)
    render_card_kernel(CardScene scene, CardView view, float4* image) {
  __shared__ int rows[kCardRows];
  if (threadIdx.x < kCardRows) rows[threadIdx.x] = scene.rows[threadIdx.x];
  __syncthreads();
  const int pixel = (blockIdx.x * kBlockSize + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (pixel >= scene.width * scene.height) return;
  const int row = pixel / scene.width;
  const int col = pixel % scene.width;
  Generator random = {static_cast<unsigned>(random_bits(scene.seed, 32 * pixel + lane))};
  Vec3 sum = {0, 0, 0};
  for (int sample = lane; sample < scene.samples; sample += 32) {
    float numbers[4];
    for (float& number : numbers)
      number = random.next();
    const Ray ray = card_ray(scene, view, row, col, numbers);
    sum = sum + shade(rows, ray.origin, ray.direction, &random);
  }
  sum = {sum_of_warp(sum.x), sum_of_warp(sum.y), sum_of_warp(sum.z)};
  if (lane > 0) return;
  image[pixel] = make_float4(pixel_value(sum.x, scene.samples), pixel_value(sum.y, scene.samples),
                             pixel_value(sum.z, scene.samples), 1);
}

}  // namespace

void render_card(const CardScene& scene, float4* image, Workspace&) {
  const int blocks = ceil_div(scene.width * scene.height, kBlockSize / 32);
  render_card_kernel<<<blocks, kBlockSize>>>(scene, card_view(scene), image);
  CUDA_CHECK(cudaGetLastError());
}
