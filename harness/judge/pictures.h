// The pictures that a judgement writes: the student's, the right picture, and their difference.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "image.h"

// Collects two images of width x height pixels, channel values in [0, 1], and writes
//   NAME.png             the student's (black where not a number)
//   NAME-reference.png   the right picture
//   NAME-difference.png  the difference times 8; each pixel of a small image is a square, so that
//                        a single wrong pixel is visible
// or PPM files, if the path ends in ".ppm".
class Pictures {
 public:
  // `path` is NAME.png or NAME.ppm, or empty if no pictures are wanted: then nothing is collected.
  Pictures(const std::string& path, int width, int height)
      : path_(path), width_(width), height_(height) {}

  // The next channel, red, green, blue, red ... in rows from the top. `off` is the difference
  // between `got` and the right value.
  void add(float got, float want, float off) {
    if (path_.empty()) return;
    got_.push_back(byte(got));
    want_.push_back(byte(want));
    difference_.push_back(off == off ? byte(kAmplified * off) : 255);
  }
  // Throws std::runtime_error when a file cannot be written.
  void write() const {
    if (path_.empty()) return;
    write_image(path_, width_, height_, got_);
    write_image(with_suffix(path_, "-reference"), width_, height_, want_);
    const int side = std::max(1, kSeen / std::max({1, width_, height_}));
    write_image(with_suffix(path_, "-difference"), width_ * side, height_ * side, enlarged(side));
  }

 private:
  static constexpr float kAmplified = 8;
  static constexpr int kSeen = 512;  // pixels: the least width of a drawn difference, approximately

  std::vector<uint8_t> enlarged(int side) const {
    if (side == 1) return difference_;
    std::vector<uint8_t> large;
    large.reserve(difference_.size() * side * side);
    for (int row = 0; row < height_ * side; ++row) {
      for (int col = 0; col < width_ * side; ++col) {
        const auto pixel = (static_cast<size_t>(row / side) * width_ + col / side) * 3;
        large.insert(large.end(), difference_.begin() + pixel, difference_.begin() + pixel + 3);
      }
    }
    return large;
  }
  // A NaN becomes 0.
  static uint8_t byte(float value) {
    return static_cast<uint8_t>(255 * std::min(1.0f, std::max(0.0f, value)) + 0.5f);
  }

  std::string path_;
  int width_;
  int height_;
  std::vector<uint8_t> got_;
  std::vector<uint8_t> want_;
  std::vector<uint8_t> difference_;
};
