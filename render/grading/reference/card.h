// card, the serial answer, and how an image is compared that is not equal to the answer.
//
// Both images are random: the same picture with different noise. Of every pixel the judge knows
// mean and variance of a ray, from the judge's own rays, and so how far apart two right images are
// likely to be. Three questions:
// - Is the noise too strong? Over the image, the squared differences must add up to what the
//   variances predict. Half of the rays left out are 1.5 times as much.
// - Is something wrong nearly everywhere, and only a little? In the means of tiles of 8 x 8 pixels
//   noise is an eighth, while a colour that is wrong stays wrong.
// - Is something wrong in a single place? Then a tile's mean is far off.
#pragma once

#include <algorithm>

#include "card_case.h"
#include "judge.h"
#include "parallel.h"
#include "pictures.h"

namespace card {

constexpr int kTile = 8;
// Rays per pixel of the reference, unless the case has more.
constexpr int kLeastSamples = 64;

// The limits. A ray's light has no normal distribution: most rays of a pixel see nearly the same,
// and a few meet a highlight or the edge of a shadow. Two rules keep such rays from rejecting a
// right image: in a sum of squares no term counts as more than kFarOff standard
// deviations, and the limit of a tile has an allowance for rare rays. None of 34,000 right images
// was rejected: 20,000 of a pixel, 12,000 of 7 x 5, 1,500 of 64 x 64 with a sample and 500 of
// 48 x 48. `--statistics` prints how near an image is to the limits.
constexpr double kNoise = 1.25;      // times the predicted sum of squares
constexpr double kMeanSquare = 1.5;  // the mean of squared tile differences in standard deviations
constexpr double kWorstTile = 7;     // standard deviations
constexpr double kFarOff = 4;        // standard deviations
// The fewer pixels or tiles, the further the mean may be from the expected value.
constexpr double kFewPixels = 16;                // over the square root of the number of pixels
constexpr double kFewTiles = kFarOff * kFarOff;  // over the number of tiles
// What a ray adds to a pixel value at most, but for a highlight seen in a highlight.
constexpr double kRange = 1;
// How likely it may be that all rare rays of a tile fall to the same image.
constexpr double kUnlikely = 1e-6;
// A standard deviation that cannot be seen, for pixels whose rays all have the same value.
constexpr double kInvisible = 0.002;

class Random {
 public:
  Random(uint64_t seed, uint64_t stream) : seed_(stream_seed(seed, stream)) {}
  float next() { return (random_bits(seed_, index_++) >> 40) * (1.0f / (1 << 24)); }

 private:
  uint64_t seed_;
  uint64_t index_ = 0;
};

enum class Material { kNothing, kFloor, kSphere };
struct Hit {
  Material material;
  float distance;
  Vec3 normal;
};

inline Hit trace(const CardScene& scene, const Ray& ray) {
  Hit hit = {Material::kNothing, kFarthest, {0, 0, 0}};
  const auto is_nearer = [&](float t) { return t > kNearest && t < hit.distance; };
  const float to_floor = -ray.origin.z / ray.direction.z;
  if (is_nearer(to_floor)) hit = {Material::kFloor, to_floor, {0, 0, 1}};
  for (int row = 0; row < kCardRows; ++row) {
    for (int col = 0; col < kCardCols; ++col) {
      if ((scene.rows[row] & 1 << col) == 0) continue;
      const Vec3 from = ray.origin - Vec3{1.0f * col, 0, 4.0f + row};
      const float half = dot(from, ray.direction);
      const float root = half * half - dot(from, from) + 1;
      if (!(root > 0)) continue;
      const float t = -half - std::sqrt(root);
      if (is_nearer(t)) hit = {Material::kSphere, t, normalized(from + ray.direction * t)};
    }
  }
  return hit;
}

inline Vec3 look(const CardScene& scene, const Ray& ray, Random& random, int reflections = 0) {
  const Hit hit = trace(scene, ray);
  if (hit.material == Material::kNothing) return kSky * std::pow(1 - ray.direction.z, 4.0f);
  const Vec3 point = ray.origin + ray.direction * hit.distance;
  const float light_x = random.next();
  const Vec3 towards = normalized(light_position(light_x, random.next()) - point);
  float lambert = dot(towards, hit.normal);
  if (lambert < 0 || trace(scene, {point, towards}).material != Material::kNothing) lambert = 0;
  if (hit.material == Material::kFloor) {
    return floor_colour(point.x, point.y) * (0.2f * lambert + 0.1f);
  }
  const Vec3 reflected = ray.direction - hit.normal * (2 * dot(hit.normal, ray.direction));
  const float shine = lambert > 0 ? std::max(0.0f, dot(towards, reflected)) : 0;
  const float specular = std::pow(shine, 99.0f);
  constexpr int kDeep = 12;  // 0.5^12 of the light cannot be seen
  const Vec3 seen = reflections == kDeep ? Vec3{0, 0, 0}
                                         : look(scene, {point, reflected}, random, reflections + 1);
  return Vec3{specular, specular, specular} + seen * 0.5f;
}

// A channel of a pixel of the reference.
struct Estimate {
  double mean;      // as pixel_value() scales it
  double variance;  // of a single ray
};

// One pixel's three channels.
inline void render_pixel(const CardScene& scene, int row, int col, Estimate* channels) {
  const CardView view = card_view(scene);
  // A stream of random numbers that no submission is likely to begin with.
  Random random(~scene.seed, static_cast<uint64_t>(row) * scene.width + col);
  double sum[3] = {};
  double squares[3] = {};
  for (int sample = 0; sample < scene.samples; ++sample) {
    float numbers[4];
    for (float& number : numbers)
      number = random.next();
    const Vec3 light = look(scene, card_ray(scene, view, row, col, numbers), random);
    const float values[3] = {light.x, light.y, light.z};
    for (int channel = 0; channel < 3; ++channel) {
      const double value = pixel_value(values[channel], 1);
      sum[channel] += value;
      squares[channel] += value * value;
    }
  }
  for (int channel = 0; channel < 3; ++channel) {
    const double mean = sum[channel] / scene.samples;
    const double spread = std::max(0.0, squares[channel] / scene.samples - mean * mean);
    channels[channel] = {mean, spread * scene.samples / std::max(1, scene.samples - 1)};
  }
}

inline std::vector<Estimate> render(const CardScene& scene) {
  std::vector<Estimate> image(size_t{3} * scene.width * scene.height);
  parallel_for(scene.height, [&](int row) {
    for (int col = 0; col < scene.width; ++col)
      render_pixel(scene, row, col, &image[3 * (static_cast<size_t>(row) * scene.width + col)]);
  });
  return image;
}

// How many rays went into a pixel of the submission and of the reference.
struct Samples {
  double submission;
  double reference;
  // The variance of a pixel's difference, in variances of a ray.
  double rays() const { return 1 / submission + 1 / reference; }
  // By how much a sum of pixel values may differ if all rays of a rare kind fell to the submission:
  // each of them does with probability submission / (submission + reference).
  double rare() const {
    return std::log(kUnlikely) / std::log(submission / (submission + reference)) * kRange /
           submission;
  }
};

// Measures of the differences between two images.
struct Comparison {
  double noise = 0;        // squared differences of pixels over their prediction
  double mean_square = 0;  // mean of the squared tile differences, in standard deviations
  double worst = 0;        // largest tile difference over what chance explains
  int worst_tile = 0;
  int worst_channel = 0;
  double worst_got = 0;
  double worst_want = 0;
  double worst_chance = 0;  // what chance explains there, as a mean over the tile
  int tiles = 0;
};

// `got` has four values per pixel, `want` three.
inline Comparison compare(const float* got, const std::vector<Estimate>& want, int width,
                          int height, const Samples& samples) {
  Comparison result;
  double squares = 0;
  double predicted = 0;
  const auto limited = [](double square, double variance) {
    return std::min(square, kFarOff * kFarOff * variance);
  };
  const int across = (width + kTile - 1) / kTile;
  result.tiles = across * ((height + kTile - 1) / kTile);
  for (int tile = 0; tile < result.tiles; ++tile) {
    const int first_row = tile / across * kTile;
    const int first_col = tile % across * kTile;
    for (int channel = 0; channel < 3; ++channel) {
      double difference = 0;
      double variance = 0;
      double sum = 0;
      int pixels = 0;
      for (int row = first_row; row < std::min(height, first_row + kTile); ++row) {
        for (int col = first_col; col < std::min(width, first_col + kTile); ++col) {
          const size_t i = static_cast<size_t>(row) * width + col;
          const Estimate& right = want[3 * i + channel];
          const double off = got[4 * i + channel] - right.mean;
          const double expected = right.variance * samples.rays() + kInvisible * kInvisible;
          difference += off;
          variance += expected;
          sum += right.mean;
          squares += limited(off * off, expected);
          predicted += expected;
          ++pixels;
        }
      }
      result.mean_square +=
          limited(difference * difference, variance) / variance / (3.0 * result.tiles);
      const double chance = kWorstTile * std::sqrt(variance) + samples.rare();
      if (std::abs(difference) / chance <= result.worst) continue;
      result.worst = std::abs(difference) / chance;
      result.worst_tile = tile;
      result.worst_channel = channel;
      result.worst_want = sum / pixels;
      result.worst_got = (sum + difference) / pixels;
      result.worst_chance = chance / pixels;
    }
  }
  result.noise = squares / predicted;
  return result;
}

// Throws Wrong unless the image is a sample of the picture.
inline void require_likely(const Comparison& found, int width, int height) {
  const auto text = [](double value) { return show(static_cast<float>(value)); };
  const int across = (width + kTile - 1) / kTile;
  const int row = found.worst_tile / across * kTile;
  const int col = found.worst_tile % across * kTile;
  static const char* const kChannels[] = {"red", "green", "blue"};
  const std::string where =
      "rows " + std::to_string(row) + " to " + std::to_string(std::min(height, row + kTile) - 1) +
      ", columns " + std::to_string(col) + " to " +
      std::to_string(std::min(width, col + kTile) - 1) + ", " + kChannels[found.worst_channel] +
      ": got " + text(found.worst_got) + " on average, want " + text(found.worst_want);
  if (!(found.worst <= 1)) {
    throw Wrong(where + ", give or take " + text(found.worst_chance) + " by chance");
  }
  if (!(found.mean_square <= kMeanSquare + kFewTiles / found.tiles)) {
    throw Wrong("another picture: tiles of 8 x 8 pixels differ by " + text(found.mean_square) +
                " times the square that chance explains; worst in " + where);
  }
  const double pixels = static_cast<double>(width) * height;
  if (!(found.noise <= kNoise + kFewPixels / std::sqrt(pixels))) {
    throw Wrong("too much noise: pixels differ by " + text(found.noise) +
                " times the square that so many samples explain; were all taken, and are they "
                "independent?");
  }
}

inline void judge(const Options& options, uint64_t seed, Submission& submission) {
  CardScene scene = card_case(options, seed);
  const size_t pixels = static_cast<size_t>(scene.width) * scene.height;
  const float* got = submission.take<float>("image", 4 * pixels);
  for (size_t i = 0; i < 4 * pixels; ++i) {
    if (i % 4 == 3 || std::isfinite(got[i])) continue;
    throw Wrong("pixel (row " + std::to_string(i / 4 / scene.width) + ", column " +
                std::to_string(i / 4 % scene.width) + "): got " + show(got[i]));
  }
  const int own = scene.samples;
  scene.samples = std::max(scene.samples, kLeastSamples);
  const std::vector<Estimate> want = render(scene);
  Pictures pictures(options.text("out", ""), scene.width, scene.height);
  for (size_t i = 0; i < 3 * pixels; ++i) {
    const float value = got[i / 3 * 4 + i % 3];
    const auto mean = static_cast<float>(want[i].mean);
    pictures.add(value, mean, std::fabs(value - mean));
  }
  pictures.write();
  const Samples samples = {1.0 * own, 1.0 * scene.samples};
  const Comparison found = compare(got, want, scene.width, scene.height, samples);
  if (options.flag("statistics")) {
    std::fprintf(stderr, "noise %.3f  mean square %.3f  worst %.2f\n", found.noise,
                 found.mean_square, found.worst);
  }
  require_likely(found, scene.width, scene.height);
}

}  // namespace card
