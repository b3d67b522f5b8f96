// The scenes, made from a seed: for the runner, which draws them, and for the judge.
//
// Centres and radii are multiples of 2^-11, and every scene is jittered by the seed. Scenes that
// move are functions of the frame's number: no frame depends on the frame before.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "options.h"
#include "parallel.h"
#include "random.h"

// Which picture: "--scene rand10k --size 512 --circles 1000 --frame 3".
struct CircleCase {
  std::string scene;
  int width;
  int height;
  int circles;
  int frame;
};

// The arrays of render.h's CircleScene, on the host.
struct CircleArrays {
  bool snow = false;
  std::vector<float> position;
  std::vector<float> radius;
  std::vector<float> colour;
};

namespace circle_scenes {

constexpr float kPi = 3.14159265f;
constexpr float kGrid = 2048;  // coordinates are multiples of 1 / kGrid

inline float snap(float value) {
  return std::round(value * kGrid) / kGrid;
}

// Random numbers of one scene, which differ by circle and by purpose.
class Random {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}
  // Uniform in [low, high).
  float uniform(int circle, int use, float low, float high) const {
    const uint64_t index = static_cast<uint64_t>(circle) * kUses + use;
    return low + (high - low) * (0.5f + 0.5f * random_float(seed_, index));
  }
  float jitter(int circle, int use) const { return uniform(circle, use, -0.01f, 0.01f); }

 private:
  static constexpr int kUses = 16;
  uint64_t seed_;
};
// What a circle's random numbers are for.
enum Use { kX, kY, kZ, kRadius, kRed, kGreen, kBlue, kMoveX, kMoveY, kPhase };

struct Circle {
  float x, y, z, radius;
  float red, green, blue;
};

// What a scene is made of: circle i of n at a frame's time, in seconds.
using Maker = Circle (*)(const Random& random, int i, int n, float time);

inline Circle with_random_colour(const Random& random, int i, float x, float y, float radius) {
  return {x,
          y,
          random.uniform(i, kZ, 0, 1),
          radius,
          random.uniform(i, kRed, 0, 1),
          random.uniform(i, kGreen, 0, 1),
          random.uniform(i, kBlue, 0, 1)};
}

inline Circle anywhere(const Random& random, int i, float radius) {
  return with_random_colour(random, i, random.uniform(i, kX, 0, 1), random.uniform(i, kY, 0, 1),
                            radius);
}

// Red, green, blue and yellow, overlapping: the smallest scene whose order matters.
inline Circle primaries(const Random& random, int i, int, float) {
  constexpr float kColours[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  const float angle = 2 * kPi * (i % 4) / 3 - kPi / 2;
  const float* colour = kColours[i % 4];
  const float away = i % 4 == 3 ? 0 : 0.16f;
  return {0.5f + away * std::cos(angle) + random.jitter(i, kX),
          0.5f + away * std::sin(angle) + random.jitter(i, kY),
          0,
          0.28f + random.jitter(i, kRadius),
          colour[0],
          colour[1],
          colour[2]};
}

inline Circle random_large(const Random& random, int i, int, float) {
  return anywhere(random, i, random.uniform(i, kRadius, 0.02f, 0.08f));
}
inline Circle random_small(const Random& random, int i, int, float) {
  return anywhere(random, i, random.uniform(i, kRadius, 0.005f, 0.025f));
}
inline Circle random_tiny(const Random& random, int i, int, float) {
  return anywhere(random, i, random.uniform(i, kRadius, 0.001f, 0.003f));
}
// Smaller than a pixel of 1024 x 1024, or not much larger.
inline Circle random_specks(const Random& random, int i, int, float) {
  return anywhere(random, i, random.uniform(i, kRadius, 0.0005f, 0.0015f));
}

// Radii from large to small, and the other way round.
inline Circle big_to_little(const Random& random, int i, int n, float) {
  const float left = 1 - static_cast<float>(i) / n;
  return anywhere(random, i, 0.005f + 0.3f * left + random.uniform(i, kRadius, 0, 0.005f));
}
inline Circle little_to_big(const Random& random, int i, int n, float) {
  return big_to_little(random, n - 1 - i, n, 0);
}

// A sun behind a lattice of dots, which swell around it.
inline Circle pattern(const Random& random, int i, int n, float) {
  if (i == 0) return {0.5f, 0.5f, 0, 0.42f + random.jitter(i, kRadius), 1, 0.85f, 0.3f};
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<float>(n))));
  const int row = (i - 1) / side;
  const int col = (i - 1) % side;
  const float x = (col + 0.25f + 0.5f * (row % 2)) / side + 0.1f * random.jitter(i, kX);
  const float y = (row + 0.5f) / side + 0.1f * random.jitter(i, kY);
  const float ring = 0.5f + 0.5f * std::cos(12 * std::hypot(x - 0.5f, y - 0.5f));
  return {x, y, 0, (0.4f + 0.5f * ring) / side, 0.1f + 0.8f * x, 0.35f, 0.1f + 0.8f * y};
}

// Balls that jump on the lower edge, each forever as high.
inline Circle bouncing_balls(const Random& random, int i, int, float time) {
  const float radius = random.uniform(i, kRadius, 0.04f, 0.09f);
  const float period = random.uniform(i, kMoveY, 0.8f, 1.6f);
  const float phase = std::fmod(time / period + random.uniform(i, kPhase, 0, 1), 1.0f);
  const float jump = 4 * phase * (1 - phase) * random.uniform(i, kY, 0.3f, 0.8f);
  // Moves to and fro between left and right, as if from wall to wall.
  const float way = random.uniform(i, kX, 0, 2) + time * random.uniform(i, kMoveX, -0.3f, 0.3f);
  const float x = std::fabs(std::fmod(std::fabs(way), 2.0f) - 1);
  return with_random_colour(random, i, radius + (1 - 2 * radius) * x, 1 - radius - jump, radius);
}

// Rings that swell out of the middle, the largest first.
inline Circle hypnosis(const Random& random, int i, int n, float time) {
  const float step = std::fmod(time, 1.0f);
  const float radius = 0.7f * (n - i - 1 + step + 0.1f) / n;
  const bool odd = (i + static_cast<int>(time)) % 2 == 1;
  const float x = 0.5f + random.jitter(0, kX) + 0.02f * std::sin(3 * radius * 2 * kPi);
  return {x, 0.5f + random.jitter(0, kY), 0, radius, odd ? 0.1f : 0.95f, 0.1f, odd ? 0.6f : 0.2f};
}

// Bursts of a core and sparks that fly apart, slow down and fall.
inline Circle fireworks(const Random& random, int i, int, float time) {
  constexpr int kBurst = 21;
  const int burst = i / kBurst;
  const int spark = i % kBurst;
  const int core = burst * kBurst;
  const float age = std::fmod(time + 0.6f + random.uniform(core, kPhase, 0, 1.5f), 1.8f) + 0.05f;
  const float reach = random.uniform(core, kMoveX, 0.12f, 0.25f) * (1 - std::exp(-2 * age));
  const float angle = 2 * kPi * spark / (kBurst - 1) + random.jitter(i, kMoveY);
  const float away = spark == 0 ? 0 : reach;
  Circle circle = with_random_colour(random, core, random.uniform(core, kX, 0.15f, 0.85f),
                                     random.uniform(core, kY, 0.15f, 0.6f), 0);
  circle.x += away * std::cos(angle);
  circle.y += away * std::sin(angle) + 0.04f * age * age;
  circle.radius = spark == 0 ? 0.05f / (1 + 2 * age) : 0.018f * std::exp(-0.6f * age) + 0.004f;
  return circle;
}

// Flakes that sink, the nearer the larger and the faster, and come in again at the top.
inline Circle snow(const Random& random, int i, int, float time) {
  const float z = random.uniform(i, kZ, 0, 1);
  const float near = 1 - z;
  const float fallen = random.uniform(i, kY, 0, 1.1f) + time * (0.05f + 0.1f * near);
  const float sway = 0.01f * std::sin(2 * time + random.uniform(i, kPhase, 0, 2 * kPi));
  const float radius = 0.003f + 0.012f * near * near;
  return {random.uniform(i, kX, 0, 1) + sway, std::fmod(fallen, 1.1f) - 0.05f, z, radius, 1, 1, 1};
}

// Everything that the contract allows and few programs expect.
inline Circle hostile(const Random& random, int i, int, float) {
  Circle circle = anywhere(random, i, random.uniform(i, kRadius, 0, 0.1f));
  switch (i % 10) {
    case 0:
      circle.radius = std::numeric_limits<float>::quiet_NaN();
      break;
    case 1:
      circle.radius = -circle.radius;
      break;
    case 2:
      circle.radius = 0;
      break;
    case 3:
      circle.x = random.uniform(i, kX, -1, 2);
      break;
    case 4:
      circle.y = random.uniform(i, kY, -1, 2);
      break;
    // A circle that covers most of the picture; more circles would hide everything else.
    case 5:
      circle.radius = i == 5 ? 1 : circle.radius;
      break;
    case 6:
      circle.radius = 1 / kGrid;
      break;
    // The edge passes through the centres of pixels of a power-of-two image.
    case 7:
      circle.radius = snap(circle.radius * 32 / kGrid) * 32;
      break;
    case 8:
      circle.x = circle.y = i % 20 == 8 ? 0 : 1;
      break;
    default:
      break;
  }
  return circle;
}

// All of them cover everything: no list of fixed length is long enough.
inline Circle stack(const Random& random, int i, int, float) {
  return with_random_colour(random, i, 0.5f + random.jitter(i, kX), 0.5f + random.jitter(i, kY), 1);
}

struct Scene {
  const char* name;
  int circles;
  bool snow;
  Maker maker;
};
constexpr Scene kScenes[] = {
    {"rgb", 3, false, primaries},
    {"rgby", 4, false, primaries},
    {"rand10k", 10'000, false, random_large},
    {"rand100k", 100'000, false, random_large},
    {"rand1M", 1'000'000, false, random_small},
    {"micro2M", 2'000'000, false, random_tiny},
    {"micro10M", 10'000'000, false, random_specks},
    {"biglittle", 10'000, false, big_to_little},
    {"littlebig", 10'000, false, little_to_big},
    {"pattern", 1'217, false, pattern},
    {"bouncingballs", 10, false, bouncing_balls},
    {"hypnosis", 25, false, hypnosis},
    {"fireworks", 315, false, fireworks},
    {"snow", 100'000, true, snow},
    {"snowsingle", 100'000, true, snow},
    {"hostile", 1'000, false, hostile},
    {"stack", 3'000, false, stack},
};

inline const Scene& find_scene(const std::string& name) {
  std::string known;
  for (const Scene& scene : kScenes) {
    if (name == scene.name) return scene;
    known += std::string(" ") + scene.name;
  }
  throw OptionError("no scene '" + name + "'; there are:" + known);
}

}  // namespace circle_scenes

// The case that the options name; throws OptionError. --size sets width and height, --circles
// another number of circles than the scene's own.
inline CircleCase circle_case(const Options& options) {
  const std::string name = options.text("scene", "rgb");
  const int size = options.count("size", 256);
  const CircleCase wanted = {name, options.count("width", size), options.count("height", size),
                             options.count("circles", circle_scenes::find_scene(name).circles),
                             options.count("frame", 0)};
  const auto fits = [](int side) { return side >= 1 && side <= 8192; };
  if (!fits(wanted.width) || !fits(wanted.height)) {
    throw OptionError("an image has from 1 x 1 to 8192 x 8192 pixels");
  }
  return wanted;
}

// The scene's circles. snowsingle is snow that hangs still.
inline CircleArrays make_circles(const CircleCase& wanted, uint64_t seed) {
  using namespace circle_scenes;
  constexpr float kFramesPerSecond = 30;
  const Scene& scene = find_scene(wanted.scene);
  const float time = wanted.scene == "snowsingle" ? 0 : wanted.frame / kFramesPerSecond;
  const Random random(stream_seed(seed, 0));
  const auto n = static_cast<size_t>(wanted.circles);
  CircleArrays arrays;
  arrays.snow = scene.snow;
  arrays.position.resize(3 * n);
  arrays.radius.resize(n);
  arrays.colour.resize(3 * n);
  const auto make = [&](size_t i) {
    const Circle circle = scene.maker(random, static_cast<int>(i), wanted.circles, time);
    arrays.position[3 * i] = snap(circle.x);
    arrays.position[3 * i + 1] = snap(circle.y);
    arrays.position[3 * i + 2] = circle.z;
    arrays.radius[i] = snap(circle.radius);
    arrays.colour[3 * i] = circle.red;
    arrays.colour[3 * i + 1] = circle.green;
    arrays.colour[3 * i + 2] = circle.blue;
  };
  constexpr size_t kChunk = 1 << 14;
  parallel_for(static_cast<int>((n + kChunk - 1) / kChunk), [&](int chunk) {
    for (size_t i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i)
      make(i);
  });
  return arrays;
}
