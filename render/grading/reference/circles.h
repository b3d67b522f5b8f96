// circles, the serial answer: every circle in order, every pixel in its bounding box.
#pragma once

#include <algorithm>
#include <cmath>

#include "circle_scenes.h"
#include "circle_shading.h"
#include "judge.h"
#include "parallel.h"
#include "pictures.h"

namespace circles {

// Half a step of an 8-bit image.
constexpr float kTolerance = 1.0f / 512;

// What a channel may be. A single value, unless the edge of a circle passes the pixel's centre
// within rounding: then the value with the circle, the value without, and all in between.
struct Range {
  float low;
  float high;
  void blend(float colour, float opacity, bool maybe) {
    const float low_with = opacity * colour + (1 - opacity) * low;
    const float high_with = opacity * colour + (1 - opacity) * high;
    low = maybe ? std::min(low, low_with) : low_with;
    high = maybe ? std::max(high, high_with) : high_with;
  }
};

class Reference {
 public:
  Reference(const CircleCase& wanted, const CircleArrays& circles)
      : width_(wanted.width), height_(wanted.height), circles_(circles) {
    image_.reserve(size_t{3} * width_ * height_);
    for (int row = 0; row < height_; ++row) {
      for (int i = 0; i < 3 * width_; ++i) {
        const float value = background(circles.snow, i % 3, (row + 0.5f) / height_);
        image_.push_back({value, value});
      }
    }
    // A band of rows on each processor: each draws all circles, in order, as far as they reach in.
    constexpr int kBand = 32;
    parallel_for((height_ + kBand - 1) / kBand, [&](int band) {
      const int first_row = band * kBand;
      const int last_row = std::min(height_, first_row + kBand) - 1;
      for (size_t i = 0; i < circles.radius.size(); ++i)
        draw(i, first_row, last_row);
    });
  }

  const Range& operator[](size_t channel) const { return image_[channel]; }

 private:
  static bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

  // Draws circle i into rows top to bottom. All in double, which is exact on images whose sides are
  // powers of two.
  void draw(size_t i, int top, int bottom) {
    const double radius = circles_.radius[i];
    if (!(radius > 0)) return;
    const double x = circles_.position[3 * i];
    const double y = circles_.position[3 * i + 1];
    const float z = circles_.position[3 * i + 2];
    const float* colour = &circles_.colour[3 * i];
    const int first_row = std::max(top, first_pixel(y - radius, height_));
    const int last_row = std::min(bottom, last_pixel(y + radius, height_));
    if (first_row > last_row) return;
    const int first_col = first_pixel(x - radius, width_);
    const int last_col = last_pixel(x + radius, width_);
    const bool exact = is_power_of_two(width_) && is_power_of_two(height_);
    for (int row = first_row; row <= last_row; ++row) {
      const double dy = (row + 0.5) / height_ - y;
      for (int col = first_col; col <= last_col; ++col) {
        const double dx = (col + 0.5) / width_ - x;
        const double distance2 = dx * dx + dy * dy;
        const double inside = radius * radius - distance2;
        // Twice what float rounding of pixel centre, difference, squares and sum can come to.
        const double band = exact ? 0 : kRounding * (std::abs(dx) + std::abs(dy));
        if (inside < -band) continue;
        const float opacity = circle_opacity(circles_.snow, static_cast<float>(distance2),
                                             static_cast<float>(radius * radius), z);
        Range* pixel = &image_[3 * (static_cast<size_t>(row) * width_ + col)];
        for (int channel = 0; channel < 3; ++channel) {
          const float shown =
              circle_colour(circles_.snow, channel, colour[channel], static_cast<float>(distance2),
                            static_cast<float>(radius * radius));
          pixel[channel].blend(shown, opacity, inside < band);
        }
      }
    }
  }

  // The first of n pixels whose centre may lie right of a coordinate, and the last whose centre may
  // lie left; a pixel more on either side because of rounding.
  static int first_pixel(double coordinate, int n) {
    return static_cast<int>(std::max(0.0, std::floor(coordinate * n - 0.5) - 1));
  }
  static int last_pixel(double coordinate, int n) {
    return static_cast<int>(std::min(n - 1.0, std::ceil(coordinate * n - 0.5) + 1));
  }

  static constexpr double kRounding = 1.0 / (1 << 20);
  int width_;
  int height_;
  const CircleArrays& circles_;
  std::vector<Range> image_;
};

// Compares every channel but the fourth; a value that is not a number matches nothing.
inline void judge(const Options& options, uint64_t seed, Submission& submission) {
  const CircleCase wanted = circle_case(options);
  const size_t pixels = static_cast<size_t>(wanted.width) * wanted.height;
  const float* got = submission.take<float>("image", 4 * pixels);
  const CircleArrays circles = make_circles(wanted, seed);
  const Reference reference(wanted, circles);
  Pictures pictures(options.text("out", ""), wanted.width, wanted.height);
  std::string first_wrong;
  for (size_t i = 0; i < 3 * pixels; ++i) {
    const Range& range = reference[i];
    const float value = got[i / 3 * 4 + i % 3];
    const float want = value > range.high ? range.high : range.low;
    const float off = value >= range.low && value <= range.high ? 0 : std::fabs(value - want);
    pictures.add(value, want, off);
    if (off <= kTolerance || !first_wrong.empty()) continue;
    const size_t pixel = i / 3;
    first_wrong = "pixel (row " + std::to_string(pixel / wanted.width) + ", column " +
                  std::to_string(pixel % wanted.width) + "), " +
                  (i % 3 == 0   ? "red"
                   : i % 3 == 1 ? "green"
                                : "blue") +
                  ": got " + show(value) + ", want " + show(want);
  }
  pictures.write();
  if (!first_wrong.empty()) throw Wrong(first_wrong);
}

}  // namespace circles
