// What a circle does to a pixel, the same for student, rungs and reference.
#pragma once

#include <cmath>

#include "random.h"  // HARNESS_HOST_DEVICE

// Half transparent; a snowflake in the middle, and the more so the higher the snowflake floats.
constexpr float kOpacity = 0.5f;
constexpr float kHeightFade = 0.4f;
// How fast a snowflake fades from its centre, exp(-kFalloff * distance^2 / radius^2).
constexpr float kFalloff = 4.0f;

// The share of a circle's colour in a covered pixel; `distance2` and `radius2` are squares,
// `z` is the circle's height.
HARNESS_HOST_DEVICE inline float circle_opacity(bool snow, float distance2, float radius2,
                                                float z) {
  if (!snow) return kOpacity;
  return kOpacity * (1 - kHeightFade * z) * expf(-kFalloff * distance2 / radius2);
}

// What a circle lays over a covered pixel, in channel 0, 1 or 2: the circle's own colour, or of a
// snowflake a colour that changes by distance from the centre. The colour is given at five
// distances, a quarter of the radius apart: all of the circle's colour at two, a pale blue at the
// next two, some violet at the rim. In between the colour follows straight lines.
HARNESS_HOST_DEVICE inline float circle_colour(bool snow, int channel, float own, float distance2,
                                               float radius2) {
  if (!snow || channel == 2) return own;
  const float quarters = 4 * sqrtf(distance2 / radius2);
  const float pale = fminf(fmaxf(quarters - 1, 0.0f), 1.0f);
  const float violet = fmaxf(quarters - 3, 0.0f);
  return own * (channel == 0 ? 1 - 0.2f * pale : 1 - 0.1f * (pale + violet));
}

// The colour of channel 0, 1 or 2 behind all circles at height y of the picture: white, or a night
// that is a little lighter near the ground.
HARNESS_HOST_DEVICE inline float background(bool snow, int channel, float y) {
  if (!snow) return 1;
  const float dark = channel == 2 ? 0.15f : 0.05f;
  return dark + 0.3f * y;
}
