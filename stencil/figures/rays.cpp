// The rays that are still active after each bounce: the handout's table, as Markdown.
//
//   g++ -O2 -std=c++17 -Iharness/shared -Istencil -Istencil/grading stencil/figures/rays.cpp \
//     harness/shared/options.cpp -o build/rays && build/rays
//
// A scene is traced on the host at --size x --size pixels. Printed are the share of the rays that
// have another bounce ahead, and the share of the warps, 32 rays of a row, with such a ray.
#include <cstdio>
#include <vector>

#include "options.h"
#include "scene.h"
#include "trace.h"

namespace {

constexpr int kBounces = 6;
constexpr int kWarp = 32;

struct Alive {
  long rays[kBounces] = {};
  long warps[kBounces] = {};
};

Alive count_alive(const Scene& scene, int size) {
  Alive alive;
  for (int y = 0; y < size; ++y) {
    for (int first = 0; first < size; first += kWarp) {
      bool warp[kBounces] = {};
      for (int x = first; x < first + kWarp; ++x) {
        Ray ray = camera_ray(scene, x, y, size, size);
        Vec3 colour;
        for (int bounce = 0; bounce < kBounces; ++bounce) {
          if (!shade(scene, intersect(scene, ray), &ray, &colour)) break;
          ++alive.rays[bounce];
          warp[bounce] = true;
        }
      }
      for (int bounce = 0; bounce < kBounces; ++bounce)
        alive.warps[bounce] += warp[bounce];
    }
  }
  return alive;
}

void print_row(const char* scene, const char* what, const long* counts, double all) {
  std::printf("| %s, %s |", scene, what);
  for (int bounce = 0; bounce < kBounces; ++bounce)
    std::printf(" %.1f %% |", 100 * counts[bounce] / all);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const Options options({argv + 1, argv + argc});
  const int size = options.count("size", 1024) / kWarp * kWarp;
  const uint64_t seed = options.count("seed", 1);
  std::printf("| after bounce | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---|---|---|---|---|---|\n");
  for (const char* name : {"diffuse", "mirror", "large"}) {
    const SceneData data = make_scene(name);
    const Alive alive = count_alive(scene_of(data, seed), size);
    const double rays = 1.0 * size * size;
    print_row(name, "rays", alive.rays, rays);
    print_row(name, "warps", alive.warps, rays / kWarp);
  }
}
