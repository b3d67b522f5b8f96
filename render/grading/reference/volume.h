// volume, the serial answer: every sample of every ray, in double, to its end.
#pragma once

#include <algorithm>
#include <cmath>

#include "judge.h"
#include "parallel.h"
#include "pictures.h"
#include "volume_case.h"

namespace volume {

// Of a channel, and of all in the root mean square. What is allowed came to 1/167 at most, with 200
// to 3000 seeds for each graded case: an end in the dark to 1/256, and weights of 8 bits to the
// rest. Samples taken half a step too late come to 1/70 at least, and every second sample to 1/17.
// Weights of 8 bits come to more only where all samples of a ray have nearly the same value, which
// happens to rays in a plane of symmetry of volumes of 32^3: symmetric views are not graded.
constexpr double kTolerance = 1.0 / 96;
constexpr double kRootMeanSquare = 1.0 / 1000;

class Reference {
 public:
  explicit Reference(const VolumeCase& wanted)
      : view_(wanted.view),
        voxels_(static_cast<size_t>(view_.size) * view_.size * view_.size),
        table_(make_transfer(wanted.view.size)),
        image_(size_t{3} * view_.width * view_.height) {
    make_orbital(wanted, 0, view_.size, voxels_.data());
    parallel_for(view_.height, [&](int row) {
      for (int col = 0; col < view_.width; ++col)
        march(row, col, &image_[3 * (static_cast<size_t>(row) * view_.width + col)]);
    });
  }
  double operator[](size_t channel) const { return image_[channel]; }

 private:
  static double mix(double a, double b, double part) { return a + part * (b - a); }

  // The two elements of n around a coordinate, and the coordinate's part of the way to the second.
  // A texture repeats its outermost elements without end.
  struct Between {
    size_t first, second;
    double part;
    Between(double coordinate, int n) {
      const double place = std::min(std::max(coordinate - 0.5, 0.0), n - 1.0);
      first = static_cast<size_t>(place);
      second = std::min(first + 1, static_cast<size_t>(n - 1));
      part = place - static_cast<double>(first);
    }
  };

  // The volume's value in [0, 1] at a place inside of it.
  double value(double x, double y, double z) const {
    const Between i(x, view_.size);
    const Between j(y, view_.size);
    const Between k(z, view_.size);
    const auto in_row = [&](size_t slice, size_t row) {
      const unsigned char* voxels = &voxels_[(slice * view_.size + row) * view_.size];
      return mix(voxels[i.first], voxels[i.second], i.part);
    };
    const auto in_slice = [&](size_t slice) {
      return mix(in_row(slice, j.first), in_row(slice, j.second), j.part);
    };
    return mix(in_slice(k.first), in_slice(k.second), k.part) / 255;
  }

  // Adds up the samples of a ray.
  void march(int row, int col, double* pixel) const {
    const auto inside = [&](double place) { return place >= 0 && place <= view_.size; };
    double light = 1;
    for (int step = 0; step < view_.steps && light > kNothing; ++step) {
      const auto along = [&](float corner, float right, float down, float forward) {
        return corner + double{right} * col + double{down} * row + double{forward} * step;
      };
      const double x = along(view_.corner.x, view_.right.x, view_.down.x, view_.forward.x);
      const double y = along(view_.corner.y, view_.right.y, view_.down.y, view_.forward.y);
      const double z = along(view_.corner.z, view_.right.z, view_.down.z, view_.forward.z);
      if (!inside(x) || !inside(y) || !inside(z)) continue;
      const Between entry(value(x, y, z) * kVolumeColours, kVolumeColours);
      const VolumeColour& a = table_[entry.first];
      const VolumeColour& b = table_[entry.second];
      const double share = light * mix(a.opacity, b.opacity, entry.part);
      if (share == 0) continue;
      pixel[0] += share * mix(a.red, b.red, entry.part);
      pixel[1] += share * mix(a.green, b.green, entry.part);
      pixel[2] += share * mix(a.blue, b.blue, entry.part);
      light -= share;
    }
  }

  static constexpr double kNothing = 1e-6;  // a share of the light too small to matter
  VolumeView view_;
  std::vector<unsigned char> voxels_;
  std::vector<VolumeColour> table_;
  std::vector<double> image_;
};

// Compares every channel but the fourth; a value that is not a number matches nothing.
inline void judge(const Options& options, uint64_t seed, Submission& submission) {
  const VolumeCase wanted = volume_case_of(options, seed);
  const int width = wanted.view.width;
  const size_t channels = size_t{3} * width * wanted.view.height;
  const float* got = submission.take<float>("image", channels / 3 * 4);
  const Reference reference(wanted);
  Pictures pictures(options.text("out", ""), width, wanted.view.height);
  std::string first_wrong;
  double squares = 0;
  double worst = 0;
  for (size_t i = 0; i < channels; ++i) {
    const float value = got[i / 3 * 4 + i % 3];
    const auto want = static_cast<float>(reference[i]);
    const double off = std::fabs(value - reference[i]);
    pictures.add(value, want, static_cast<float>(off));
    squares += off * off;
    worst = std::max(worst, off);
    if (off <= kTolerance || !first_wrong.empty()) continue;
    static const char* const kChannels[] = {"red", "green", "blue"};
    first_wrong = "pixel (row " + std::to_string(i / 3 / width) + ", column " +
                  std::to_string(i / 3 % width) + "), " + kChannels[i % 3] + ": got " +
                  show(value) + ", want " + show(want);
  }
  pictures.write();
  const double root_mean_square = std::sqrt(squares / static_cast<double>(channels));
  if (options.flag("statistics")) {
    std::fprintf(stderr, "worst %.5f  root mean square %.6f\n", worst, root_mean_square);
  }
  if (!first_wrong.empty()) throw Wrong(first_wrong);
  if (!(root_mean_square <= kRootMeanSquare)) {
    throw Wrong("no channel is far off, but nearly all are a little: " +
                show(static_cast<float>(root_mean_square)) +
                " in the root mean square; are all samples taken, and where they should be?");
  }
}

}  // namespace volume
