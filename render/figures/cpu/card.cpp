// The card in plain C++: the time of a CPU.
//
//   g++ -O3 -std=c++17 -Iharness/shared -Irender render/figures/cpu/card.cpp -o card
//   ./card 256 16 2 own
//
// Arguments: the image's side, samples per pixel, threads, and whose random numbers the threads
// use: `rand` (the C library's, a state for all) or `own` (a state for each thread). Prints the
// time in ms. render/figures/cpu/rungs.py compiles several variants and prints the handout's table.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "card_scene.h"

namespace {

constexpr int kMaxDepth = 8;
constexpr int kBitmap[kCardRows] = {247570, 280596, 280600, 249748, 18578, 18577, 231184, 16, 16};

bool own_state = false;
thread_local unsigned state = 1;

// Uniform in [0, 1).
float random_number() {
  if (!own_state) return rand() / (static_cast<float>(RAND_MAX) + 1);
  state = 214013 * state + 2531011;
  return (state >> 16) * (1.0f / 65536);
}

enum class Material { kNothing, kFloor, kSphere };

Material trace(const CardScene& scene, const Ray& ray, float* distance, Vec3* normal) {
  Material material = Material::kNothing;
  *distance = kFarthest;
  const float to_floor = -ray.origin.z / ray.direction.z;
  if (to_floor > kNearest && to_floor < kFarthest) {
    *distance = to_floor;
    *normal = {0, 0, 1};
    material = Material::kFloor;
  }
  for (int k = 0; k < kCardCols; ++k) {
    for (int j = 0; j < kCardRows; ++j) {
      if ((scene.rows[j] >> k & 1) == 0) continue;
      const Vec3 p = ray.origin - Vec3{static_cast<float>(k), 0, j + 4.0f};
      const float b = dot(p, ray.direction);
      const float discriminant = b * b - dot(p, p) + 1;
      if (discriminant <= 0) continue;
      const float t = -b - sqrtf(discriminant);
      if (t >= *distance || t <= kNearest) continue;
      *distance = t;
      *normal = normalized(p + ray.direction * t);
      material = Material::kSphere;
    }
  }
  return material;
}

Vec3 shade(const CardScene& scene, const Ray& ray, int depth) {
  float distance;
  Vec3 normal;
  const Material material = trace(scene, ray, &distance, &normal);
  if (material == Material::kNothing) return kSky * powf(1 - ray.direction.z, 4);
  const Vec3 point = ray.origin + ray.direction * distance;
  const float light_x = random_number();
  const Vec3 towards = normalized(light_position(light_x, random_number()) - point);
  float lambert = dot(towards, normal);
  float unused_distance;
  Vec3 unused_normal;
  if (lambert < 0 ||
      trace(scene, {point, towards}, &unused_distance, &unused_normal) != Material::kNothing) {
    lambert = 0;
  }
  if (material == Material::kFloor) {
    return floor_colour(point.x, point.y) * (lambert * 0.2f + 0.1f);
  }
  const Vec3 reflected = ray.direction - normal * (2 * dot(normal, ray.direction));
  const float specular = powf(lambert > 0 ? fmaxf(dot(towards, reflected), 0) : 0, 99);
  const Vec3 light = {specular, specular, specular};
  if (depth == kMaxDepth) return light;
  return light + shade(scene, {point, reflected}, depth + 1) * 0.5f;
}

// Rows first, first + step, ...
void render_rows(const CardScene& scene, int first, int step, std::vector<Vec3>& image) {
  state = static_cast<unsigned>(first) + 1;
  const CardView view = card_view(scene);
  for (int row = first; row < scene.height; row += step) {
    for (int col = 0; col < scene.width; ++col) {
      Vec3 sum = {0, 0, 0};
      for (int sample = 0; sample < scene.samples; ++sample) {
        float numbers[4];
        for (float& number : numbers)
          number = random_number();
        sum = sum + shade(scene, card_ray(scene, view, row, col, numbers), 0);
      }
      image[static_cast<size_t>(row) * scene.width + col] = sum;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: card SIDE SAMPLES THREADS rand|own\n");
    return 2;
  }
  CardScene scene = {};
  scene.width = scene.height = std::atoi(argv[1]);
  scene.samples = std::atoi(argv[2]);
  scene.eye = {17, 16, 8};
  std::memcpy(scene.rows, kBitmap, sizeof kBitmap);
  own_state = std::strcmp(argv[4], "own") == 0;
  std::vector<Vec3> image(static_cast<size_t>(scene.width) * scene.height);
  const int count = std::atoi(argv[3]);

  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i)
    threads.emplace_back([&, i] { render_rows(scene, i, count, image); });
  render_rows(scene, 0, count, image);
  for (std::thread& thread : threads)
    thread.join();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;

  // Uses the picture's mean, so that no compiler removes the rendering.
  double sum = 0;
  for (const Vec3& pixel : image)
    sum += pixel_value(pixel.y, scene.samples);
  std::printf("%.1f ms   mean %.3f\n", time.count(), sum / image.size());
  return 0;
}
