// Which volume is rendered, and from where: for the runner and for the judge.
//
// The volume is the 4d orbital of the hydrogen atom with m = 0. In atomic units its wave function
// is, but for a factor,
//   psi = (1 - r / 12) * (3 z^2 - r^2) * exp(-r / 4)
// and a voxel is 255 * |psi| / kLargest. Centre and scale depend on the seed.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "options.h"
#include "parallel.h"
#include "random.h"
#include "volume_view.h"

struct VolumeCase {
  VolumeView view;
  int shape;        // VolumeScene::shape
  float centre[3];  // of the orbital, in voxels
  float bohr;       // voxels per atomic unit of length
};

// An entry of the transfer function: a float4 on the device.
struct VolumeColour {
  float red, green, blue;
  float opacity;  // of one sample
};

namespace volume_case {

struct Vector {
  double x, y, z;
};
inline Vector operator*(Vector a, double b) {
  return {a.x * b, a.y * b, a.z * b};
}
inline Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 to_float(Vector a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

// Turned by `degrees` about axis 0, 1 or 2: x, y or z.
inline Vector turned(Vector a, int axis, double degrees) {
  const double angle = degrees * 3.14159265358979324 / 180;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  if (axis == 0) return {a.x, c * a.y - s * a.z, s * a.y + c * a.z};
  if (axis == 1) return {c * a.x + s * a.z, a.y, c * a.z - s * a.x};
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

// Degrees about x, y and z, in order: "--view 20,30,0", and "--frame 15 --axis z" on top,
// or a random view. Throws OptionError.
struct Turns {
  double degrees[3];
  int axis;
  int frame;

  Turns(const Options& options, uint64_t seed) {
    const std::string text = options.text("view", "");
    const std::string axes = options.text("axis", "y");
    axis = axes == "x" ? 0 : axes == "y" ? 1 : axes == "z" ? 2 : 3;
    if (axis == 3) throw OptionError("--axis wants x, y or z, not '" + axes + "'");
    frame = options.count("frame", 0);
    const bool chosen = options.flag("axis") || options.flag("frame");
    for (int i = 0; i < 3; ++i)
      degrees[i] = chosen ? 0 : 180 + 180.0 * random_float(stream_seed(seed, 0), i);
    if (!options.flag("view")) return;
    char more;
    if (std::sscanf(text.c_str(), "%lf,%lf,%lf%c", &degrees[0], &degrees[1], &degrees[2], &more) !=
        3) {
      throw OptionError("--view wants degrees about x, y and z: --view 20,30,0");
    }
  }
  Vector operator()(Vector a) const {
    for (int i = 0; i < 3; ++i)
      a = turned(a, i, degrees[i]);
    return turned(a, axis, frame);
  }
};

// Turns the camera about the middle of the volume. The image's shorter side is as long as the
// volume's. `view` has its sizes already.
inline void take_view(const Turns& turn, VolumeView* view) {
  const double pitch = static_cast<double>(view->size) / std::min(view->width, view->height);
  const Vector right = turn({pitch, 0, 0});
  const Vector down = turn({0, pitch, 0});
  const Vector forward = turn({0, 0, 1});
  const double middle = view->size / 2.0;
  view->corner =
      to_float(Vector{middle, middle, middle} + right * (-0.5 * (view->width - 1)) +
               down * (-0.5 * (view->height - 1)) + forward * (-0.5 * (view->steps - 1)));
  view->right = to_float(right);
  view->down = to_float(down);
  view->forward = to_float(forward);
}

// The largest |psi|, at the two maxima on the z axis.
constexpr float kLargest = 8.49f;
// Atomic units from the middle of the volume to the faces, where |psi| is below 8 % of the maximum.
constexpr float kHalfSide = 37;

}  // namespace volume_case

// "--volume 256 --size 512 --axis y --frame 30 --seed 7"; see runner/volume.cpp. Throws
// OptionError.
inline VolumeCase volume_case_of(const Options& options, uint64_t seed) {
  using namespace volume_case;
  VolumeCase result = {};
  VolumeView& view = result.view;
  const int side = options.count("size", 256);
  view.width = options.count("width", side);
  view.height = options.count("height", side);
  view.size = options.count("volume", 128);
  const auto fits = [](int pixels) { return pixels >= 1 && pixels <= 8192; };
  if (!fits(view.width) || !fits(view.height)) {
    throw OptionError("an image has from 1 x 1 to 8192 x 8192 pixels");
  }
  if (view.size < 32 || view.size > 1024 || view.size % 16 != 0) {
    throw OptionError("--volume wants the voxels of a side, a multiple of 16 from 32 to 1024");
  }
  result.shape = options.flag("shape") ? options.count("shape", 0) : -1;
  view.steps = static_cast<int>(std::ceil(view.size * std::sqrt(3.0))) + 2;
  take_view(Turns(options, seed), &view);
  const uint64_t orbital = stream_seed(seed, 1);
  for (int i = 0; i < 3; ++i)
    result.centre[i] = view.size * (0.5f + 0.02f * random_float(orbital, i));
  result.bohr = view.size / (2 * kHalfSide) * (1 + 0.04f * random_float(orbital, 3));
  return result;
}

// Slices [first, first + count) of the size^3 voxels, x fastest.
inline void make_orbital(const VolumeCase& wanted, int first, int count, unsigned char* voxels) {
  const int size = wanted.view.size;
  parallel_for(count, [&](int slice) {
    const float z = (first + slice + 0.5f - wanted.centre[2]) / wanted.bohr;
    for (int j = 0; j < size; ++j) {
      const float y = (j + 0.5f - wanted.centre[1]) / wanted.bohr;
      unsigned char* row = &voxels[(static_cast<size_t>(slice) * size + j) * size];
      for (int i = 0; i < size; ++i) {
        const float x = (i + 0.5f - wanted.centre[0]) / wanted.bohr;
        const float r2 = x * x + y * y + z * z;
        const float r = std::sqrt(r2);
        const float psi = (1 - r / 12) * (3 * z * z - r2) * std::exp(-r / 4);
        row[i] = static_cast<unsigned char>(
            std::min(255.0f, 255 / volume_case::kLargest * std::fabs(psi) + 0.5f));
      }
    }
  });
}

// The transfer function: kVolumeColours colours and the opacity of a sample, chosen so that
// the picture is as opaque with few voxels as with many.
inline std::vector<VolumeColour> make_transfer(int size) {
  // From an entry on: colour, and opacity of a length of 1/256 of the volume's side.
  constexpr struct {
    int entry;
    float red, green, blue, opacity;
  } kKnots[] = {{0, 0.1f, 0.2f, 0.6f, 0},           {3, 0.1f, 0.25f, 0.8f, 0},
                {6, 0.15f, 0.45f, 1, 0.05f},        {9, 0.2f, 0.7f, 0.9f, 0.01f},
                {13, 0.9f, 0.35f, 0.1f, 0.02f},     {16, 1, 0.5f, 0.1f, 0.2f},
                {20, 1, 0.75f, 0.3f, 0.05f},        {26, 1, 0.95f, 0.7f, 0.3f},
                {kVolumeColours - 1, 1, 1, 1, 0.4f}};
  std::vector<VolumeColour> table(kVolumeColours);
  int knot = 0;
  for (int i = 0; i < kVolumeColours; ++i) {
    if (i > kKnots[knot + 1].entry) ++knot;
    const auto& a = kKnots[knot];
    const auto& b = kKnots[knot + 1];
    const float part = static_cast<float>(i - a.entry) / (b.entry - a.entry);
    const auto mix = [&](float from, float to) { return from + part * (to - from); };
    const float opacity = mix(a.opacity, b.opacity);
    table[i] = {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue),
                1 - std::pow(1 - opacity, 256.0f / size)};
  }
  return table;
}

// The largest voxel that is wholly transparent: below the middle of the table's last entry of
// opacity 0.
inline int transparent_voxel(const std::vector<VolumeColour>& table) {
  int last = 0;
  while (last + 1 < kVolumeColours && table[last + 1].opacity == 0)
    ++last;
  return static_cast<int>(255 * (last + 0.5f) / kVolumeColours);
}
