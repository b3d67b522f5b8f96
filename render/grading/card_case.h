// Which card is rendered: for the runner and for the judge.
#pragma once

#include "card_scene.h"
#include "options.h"
#include "random.h"

// "--size 512 --samples 64 --seed 7". The seed moves the eye a little; --document leaves the eye in
// place.
inline CardScene card_case(const Options& options, uint64_t seed) {
  constexpr int kBitmap[kCardRows] = {247570, 280596, 280600, 249748, 18578, 18577, 231184, 16, 16};
  const int size = options.count("size", 128);
  CardScene scene = {};
  scene.width = options.count("width", size);
  scene.height = options.count("height", size);
  scene.samples = options.count("samples", 16);
  const auto fits = [](int side) { return side >= 1 && side <= 8192; };
  if (!fits(scene.width) || !fits(scene.height) || scene.samples < 1) {
    throw OptionError("an image has from 1 x 1 to 8192 x 8192 pixels, of 1 sample or more");
  }
  scene.seed = stream_seed(seed, 0);
  const float away = options.flag("document") ? 0 : 0.5f;
  const uint64_t eye_seed = stream_seed(seed, 1);
  scene.eye = {17 + away * random_float(eye_seed, 0), 16 + away * random_float(eye_seed, 1),
               8 + away * random_float(eye_seed, 2)};
  for (int row = 0; row < kCardRows; ++row)
    scene.rows[row] = kBitmap[row];
  return scene;
}
