// The serial answers: one item after the other, and what counts as right: every bit.
#include "input.h"
#include "judge.h"
#include "pictures.h"
#include "scene.h"
#include "work.h"

namespace {

// Only some of the rows of larger images are compared.
constexpr size_t kPixelsInFull = 1 << 18;

// Judges the values, as both parts with a mask do; a finding says whether its item was active.
void judge_values(const MaskedCase& options, uint64_t seed, const unsigned* got) {
  const Mask mask = options.mask(seed);
  const auto active = [&](size_t i) { return is_active(mask, mask_seed(seed), i); };
  const auto want = [&](size_t i) {
    const unsigned value = initial_value(value_seed(seed), i);
    return active(i) ? work(value, options.rounds) : value;
  };
  const auto same = [](unsigned a, unsigned b) { return a == b; };
  compare(got, options.n, want, same,
          [&](size_t i) { return active(i) ? "an active item" : "an inactive item"; });
}

void judge_stencil_test(const Options& options, uint64_t seed, Submission& submission) {
  const MaskedCase case_(options);
  judge_values(case_, seed, submission.take<unsigned>("values", case_.n));
}

void judge_write_back(const Options& options, uint64_t seed, Submission& submission) {
  const MaskedCase case_(options);
  const auto n = static_cast<size_t>(case_.n);
  const size_t words = n / 32 + (n % 32 != 0);
  const unsigned* got = submission.take<unsigned>("words", words);
  judge_values(case_, seed, submission.take<unsigned>("values", n));
  const Mask mask = case_.mask(seed);
  for (size_t i = 0; i < 32 * words; ++i) {
    const bool was = i < n && is_active(mask, mask_seed(seed), i);
    const bool want = was && survives(work(initial_value(value_seed(seed), i), case_.rounds));
    const bool bit = got[i / 32] >> i % 32 & 1;
    if (bit == want) continue;
    const std::string place =
        "bit " + std::to_string(i % 32) + " of word " + std::to_string(i / 32);
    const std::string item = " (item " + std::to_string(i) + ", ";
    const char* state = i >= n ? "beyond n" : !was ? "inactive before" : want ? "lives" : "died";
    throw Wrong(place + item + state + "): got " + (bit ? "1" : "0") + ", want " +
                (want ? "1" : "0"));
  }
}

void judge_persistent(const Options& options, uint64_t seed, Submission& submission) {
  const LengthsCase case_(options);
  const auto count = static_cast<size_t>(case_.count);
  const unsigned* got = submission.take<unsigned>("values", case_.capacity);
  const auto want = [&](size_t i) {
    const unsigned value = initial_value(value_seed(seed), i);
    if (i >= count) return value;
    return work(value, rounds_of(case_.lengths, length_seed(seed), i, count));
  };
  const auto same = [](unsigned a, unsigned b) { return a == b; };
  compare(got, case_.capacity, want, same,
          [&](size_t i) { return i < count ? "an item" : "behind the last item"; });
}

// Converts a channel for a screen, which shows a value of 0.5 as a quarter of the light. NaN stays
// NaN.
float shown(float light) {
  return light > 0 ? std::sqrt(light) : light;
}

void judge_mirror(const Options& options, uint64_t seed, Submission& submission) {
  const auto width = static_cast<size_t>(options.count("width", 640));
  const auto height = static_cast<size_t>(options.count("height", 480));
  const int depth = options.count("depth", 6);
  const SceneData data = make_scene(options.text("scene", "mirror"));
  const Scene scene = scene_of(data, seed);
  const Vec3* got = submission.take<Vec3>("image", width * height);
  // Every `step`-th row of a large image is compared, and not always the same ones; all rows are
  // compared if a run by hand asks for the picture.
  const bool by_hand = options.flag("plain") && options.flag("out");
  const size_t step = by_hand ? 1 : 1 + width * height / kPixelsInFull;
  const size_t allowed = 1 + width * height / step / 200;
  // Pictures are made only if every pixel is compared.
  const bool whole = step == 1 && width * height > 0;
  Pictures pictures(whole ? options.text("out", "") : "", width, height);
  size_t different = 0;
  std::string first;
  for (size_t i = 0; i < width * height; ++i) {
    if (i / width % step != seed % step) continue;
    Ray ray = camera_ray(scene, i % width, i / width, width, height);
    Vec3 want = {0, 0, 0};
    for (int bounce = 0; bounce < depth; ++bounce) {
      Vec3 colour;
      const bool goes_on = shade(scene, intersect(scene, ray), &ray, &colour);
      want = want + colour;
      if (!goes_on) break;
    }
    const Vec3 difference = got[i] - want;
    pictures.add(shown(got[i].x), shown(want.x), std::abs(difference.x));
    pictures.add(shown(got[i].y), shown(want.y), std::abs(difference.y));
    pictures.add(shown(got[i].z), shown(want.z), std::abs(difference.z));
    // `<=` so that a NaN does not match.
    if (std::abs(difference.x) <= 0.01f && std::abs(difference.y) <= 0.01f &&
        std::abs(difference.z) <= 0.01f) {
      continue;
    }
    if (different++ > 0) continue;
    const auto text = [](Vec3 c) {
      return "(" + show(c.x) + ", " + show(c.y) + ", " + show(c.z) + ")";
    };
    first = "row " + std::to_string(i / width) + ", column " + std::to_string(i % width) +
            ": got " + text(got[i]) + ", want " + text(want);
  }
  pictures.write();
  if (different > allowed) {
    throw Wrong(first + "; " + std::to_string(different) + " pixels differ, " +
                std::to_string(allowed) + " may");
  }
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"stencil_test", judge_stencil_test},
                                            {"write_back", judge_write_back},
                                            {"persistent", judge_persistent},
                                            {"mirror", judge_mirror}};
