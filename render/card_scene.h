// The scene of the business card ray tracer: Andrew Kensler's initials in mirror spheres above a
// chequered floor, under a lilac sky. (P. Heckbert's and A. Kensler's business cards; the numbers
// come from Kensler's card.)
//
// z is up. A ray that leaves the eye
// - sees the sky if the ray hits nothing:  kSky * (1 - direction.z)^4
// - ends at the floor, z = 0:  floor_colour(x, y) * (0.2 * lambert + 0.1)
// - is reflected by a sphere:  specular + 0.5 * what the reflected ray sees
// The light is an area: each time a point is lit, light_position() of two fresh random numbers.
//   towards = normalized(light - point)
//   lambert = dot(towards, normal), but 0 if negative or if something is in between
//   specular = dot(towards, reflected)^99 if both the dot product and lambert are positive, else 0
// Hits nearer than kNearest do not count: the ray has just left the surface. Nor
// do hits beyond kFarthest.
#pragma once

#include <cstdint>

#include "vec3.h"

constexpr int kCardRows = 9;
constexpr int kCardCols = 19;
constexpr float kNearest = 0.01f;
constexpr float kFarthest = 1e9f;

struct CardScene {
  int width;    // of the image in pixels, 1 to 8192
  int height;   // the same
  int samples;  // rays per pixel, at least 1
  uint64_t seed;
  Vec3 eye;
  // Bit k of rows[j]: there is a sphere of radius 1 around (k, 0, j + 4).
  int rows[kCardRows];
};

constexpr Vec3 kSky = {0.7f, 0.6f, 1.0f};

// The square of the floor at (x, y): red or white.
HARNESS_HOST_DEVICE inline Vec3 floor_colour(float x, float y) {
  const bool red = (static_cast<int>(ceilf(x * 0.2f) + ceilf(y * 0.2f)) & 1) != 0;
  return red ? Vec3{3, 1, 1} : Vec3{3, 3, 3};
}

HARNESS_HOST_DEVICE inline Vec3 light_position(float random_x, float random_y) {
  return {9 + random_x, 9 + random_y, 16};
}

// How the image lies in space. A pixel is `right` wide and `down` high, the image's upper left
// corner is at eye + corner.
struct CardView {
  Vec3 right;
  Vec3 down;
  Vec3 corner;
  // The lens: where a ray leaves it is (random - 0.5) of the way along each, around the eye.
  Vec3 lens_right;
  Vec3 lens_down;
};
HARNESS_HOST_DEVICE inline CardView card_view(const CardScene& scene) {
  const Vec3 forward = normalized({-6, -16, 0});
  const Vec3 left = normalized(cross({0, 0, 1}, forward)) * 0.002f;
  const Vec3 up = normalized(cross(forward, left)) * 0.002f;
  // An image of 512 rows shows what the card's does; others show as much from top to bottom.
  const float scale = 512.0f / scene.height;
  const Vec3 right = left * -scale;
  const Vec3 down = up * -scale;
  const Vec3 corner = forward - right * (0.5f * scene.width) - down * (0.5f * scene.height);
  return {right, down, corner, left * -99, up * -99};
}

// A ray through a pixel, from a random point of the lens. Everything at 16 times the distance of
// the image is sharp.
struct Ray {
  Vec3 origin;
  Vec3 direction;
};
HARNESS_HOST_DEVICE inline Ray card_ray(const CardScene& scene, const CardView& view, int row,
                                        int col, const float random[4]) {
  const Vec3 lens = view.lens_right * (random[0] - 0.5f) + view.lens_down * (random[1] - 0.5f);
  const Vec3 point = view.corner + view.right * (col + random[2]) + view.down * (row + random[3]);
  return {scene.eye + lens, normalized(point * 16 - lens)};
}

// What a pixel's channel holds: a little light and the mean of what its rays see; 1 is the 255 of
// an 8-bit image.
HARNESS_HOST_DEVICE inline float pixel_value(float sum, int samples) {
  return (13 + 224 * sum / samples) / 255;
}
