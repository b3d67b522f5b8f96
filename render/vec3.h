// Three floats, for the ray tracer: host and device.
#pragma once

#include <cmath>

#include "random.h"  // HARNESS_HOST_DEVICE

struct Vec3 {
  float x, y, z;
};

HARNESS_HOST_DEVICE inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HARNESS_HOST_DEVICE inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HARNESS_HOST_DEVICE inline Vec3 operator*(Vec3 a, float b) {
  return {a.x * b, a.y * b, a.z * b};
}
HARNESS_HOST_DEVICE inline float dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HARNESS_HOST_DEVICE inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HARNESS_HOST_DEVICE inline Vec3 normalized(Vec3 a) {
  return a * (1 / sqrtf(dot(a, a)));
}
