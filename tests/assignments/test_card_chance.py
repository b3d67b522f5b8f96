"""The judge of card rejects no right image by chance, and does reject wrong images.

The images are artificial: nearly all rays of a pixel have the same light, and a few have another,
as at the edge of a shadow. Because of the few rays an image cannot be judged as if the noise were
normal.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Prints how many of 30 images each, or 5000 of one pixel, are rejected: right images, images
# with the noise of half the samples, and images brighter by a tenth.
PROGRAM = """
#include <cstdio>
#include <random>

#include "reference/card.h"

std::string show(float) { return ""; }  // messages are not looked at

namespace {

std::mt19937_64 random_bits_of(2026);
constexpr int kImages = 30;
constexpr int kOnePixelImages = 5000;
constexpr double kNoise = 0.01;  // of a common ray, a standard deviation
constexpr double kRareLight = 0.9;

// The mean and variance of `samples` rays, of which some have a light besides the common one.
card::Estimate pixel(double probability, int samples) {
  std::normal_distribution<double> common(0.4, kNoise / std::sqrt(samples));
  std::binomial_distribution<int> rare(samples, probability);
  const double share = 1.0 * rare(random_bits_of) / samples;
  const double variance = kRareLight * kRareLight * share * (1 - share) + kNoise * kNoise;
  return {common(random_bits_of) + kRareLight * share, variance};
}

int rejected(int size, int samples, double probability, int taken, double brighter) {
  const card::Samples numbers = {1.0 * samples, 1.0 * std::max(samples, card::kLeastSamples)};
  int count = 0;
  for (int image = 0; image < (size == 1 ? kOnePixelImages : kImages); ++image) {
    std::vector<float> got(size_t{4} * size * size);
    std::vector<card::Estimate> want(size_t{3} * size * size);
    for (int i = 0; i < size * size; ++i) {
      for (int channel = 0; channel < 3; ++channel) {
        want[3 * i + channel] = pixel(probability, static_cast<int>(numbers.reference));
        got[4 * i + channel] =
            static_cast<float>(pixel(probability, taken).mean * (1 + brighter));
      }
    }
    try {
      card::require_likely(card::compare(got.data(), want, size, size, numbers), size, size);
    } catch (const Wrong&) {
      ++count;
    }
  }
  return count;
}

}  // namespace

int main() {
  const char* separator = "[";
  for (int size : {1, 6, 64}) {
    for (int samples : {1, 16, 64}) {
      for (double probability : {0.1, 0.01, 0.0005}) {
        const int few = std::max(1, samples / 2);
        std::printf("%s[%d, %d, %g, %d, %d, %d]", separator, size, samples, probability,
                    rejected(size, samples, probability, samples, 0),
                    rejected(size, samples, probability, few, 0),
                    rejected(size, samples, probability, samples, 0.1));
        separator = ", ";
      }
    }
  }
  std::printf("]");
}
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[list[float]]:
    folder = tmp_path_factory.mktemp("card")
    (folder / "chance.cpp").write_text(PROGRAM)
    includes = ["harness/judge", "harness/shared", "render", "render/grading"]
    command = ["g++", "-std=c++17", "-O2", *(f"-I{ROOT / name}" for name in includes)]
    command += [folder / "chance.cpp", "-o", folder / "chance"]
    sources = [ROOT / "harness/shared/options.cpp", ROOT / "harness/shared/image.cpp", "-lpng"]
    subprocess.run([*command, *sources, "-pthread"], check=True, timeout=120)
    printed = subprocess.run([folder / "chance"], check=True, capture_output=True, timeout=120)
    return json.loads(printed.stdout)


def test_chance_rejects_no_right_image(rows: list[list[float]]) -> None:
    assert len(rows) == 27
    assert not [row for row in rows if row[3]]


def test_the_noise_of_half_the_samples_is_found(rows: list[list[float]]) -> None:
    """In an image of 4096 pixels, where 16 samples were to be taken."""
    large = [row for row in rows if row[0] == 64 and row[1] == 16 and row[2] == 0.1]
    assert large and all(row[4] == 30 for row in large)


def test_a_tenth_more_light_is_found(rows: list[list[float]]) -> None:
    large = [row for row in rows if row[0] == 64]
    assert large and all(row[5] == 30 for row in large)
