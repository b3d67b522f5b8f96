// The ray tracer that part mirror is about: what a scene is, and what happens to a ray.
//
// The same on host and device. No line needs to be changed for more speed.
#pragma once

#include <cmath>

#include "random.h"

struct Vec3 {
  float x, y, z;
};
HARNESS_HOST_DEVICE inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HARNESS_HOST_DEVICE inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HARNESS_HOST_DEVICE inline Vec3 operator*(Vec3 a, Vec3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
HARNESS_HOST_DEVICE inline Vec3 operator*(float s, Vec3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
HARNESS_HOST_DEVICE inline float dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HARNESS_HOST_DEVICE inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HARNESS_HOST_DEVICE inline Vec3 normalised(Vec3 a) {
  return (1 / sqrtf(dot(a, a))) * a;
}

// The share `mirror` of the light comes from the reflected direction, the rest is diffuse.
struct Material {
  Vec3 colour;
  float mirror;
};

// A sphere around a, or with radius 0 the triangle a, a + b, a + c.
struct Primitive {
  Vec3 a;
  float radius;
  Vec3 b;
  int material;
  Vec3 c;
  int unused;  // 48 bytes
};

// A node of the bounding volume hierarchy, which is in preorder: the first child of node k is k +
// 1, and a ray that misses the box continues at `skip`, after all descendants. So a
// traversal needs no stack.
struct Node {
  Vec3 low;
  int skip;
  Vec3 high;
  int leaf;  // of a leaf: the first of its kLeafSize primitives or fewer; else -1
};
constexpr int kLeafSize = 4;

// All arrays are in the memory of the side that traces, host or device. The plane is a chequered
// disc in y = 0.
struct Scene {
  const Node* nodes;
  int node_count;
  const Primitive* primitives;
  int primitive_count;
  const Material* materials;
  Material plane[2];
  Vec3 light;  // the direction towards it, of length 1
  Vec3 eye, forward, right, up;
};

// `weight` is the share of the ray's light that reaches the pixel, by colour.
struct Ray {
  Vec3 origin, direction, weight;
};

// What a ray meets first. primitive: an index, kPlane or kNothing.
struct Hit {
  float distance;
  int primitive;
};
constexpr int kPlane = -1;
constexpr int kNothing = -2;
constexpr float kPlaneRadius = 20;
constexpr float kFar = 1e30f;
constexpr float kNear = 1e-3f;

// The ray through the middle of pixel (x, y) of an image of width x height, rows from the top.
HARNESS_HOST_DEVICE inline Ray camera_ray(const Scene& scene, int x, int y, int width, int height) {
  const float u = (x + 0.5f - 0.5f * width) / height;
  const float v = (0.5f * height - y - 0.5f) / height;
  return {scene.eye, normalised(scene.forward + u * scene.right + v * scene.up), {1, 1, 1}};
}

// Whether the ray enters the box before `distance`.
HARNESS_HOST_DEVICE inline bool hits_box(const Node& node, Vec3 origin, Vec3 inverse,
                                         float distance) {
  const Vec3 a = (node.low - origin) * inverse;
  const Vec3 b = (node.high - origin) * inverse;
  const float enter = fmaxf(fmaxf(fminf(a.x, b.x), fminf(a.y, b.y)), fminf(a.z, b.z));
  const float leave = fminf(fminf(fmaxf(a.x, b.x), fmaxf(a.y, b.y)), fmaxf(a.z, b.z));
  return enter <= leave && leave > 0 && enter < distance;
}

// The distance at which a ray meets a primitive; kFar without a hit. Triangles by T.
// Moeller, B. Trumbore: "Fast, Minimum Storage Ray/Triangle Intersection", JGT 1997.
HARNESS_HOST_DEVICE inline float meet(const Primitive& p, Vec3 origin, Vec3 direction) {
  const Vec3 from = origin - p.a;
  if (p.radius > 0) {
    const float half = dot(from, direction);
    const float root = half * half - dot(from, from) + p.radius * p.radius;
    if (root < 0) return kFar;
    const float near = -half - sqrtf(root);
    const float t = near > kNear ? near : -half + sqrtf(root);
    return t > kNear ? t : kFar;
  }
  const Vec3 h = cross(direction, p.c);
  const float area = dot(p.b, h);
  if (fabsf(area) < 1e-12f) return kFar;
  const float u = dot(from, h) / area;
  const Vec3 q = cross(from, p.b);
  const float v = dot(direction, q) / area;
  if (u < 0 || v < 0 || u + v > 1) return kFar;
  const float t = dot(p.c, q) / area;
  return t > kNear ? t : kFar;
}

HARNESS_HOST_DEVICE inline Hit intersect(const Scene& scene, Ray ray) {
  Hit hit = {kFar, kNothing};
  if (ray.direction.y < 0) {
    const float t = -ray.origin.y / ray.direction.y;
    const Vec3 place = ray.origin + t * ray.direction;
    if (place.x * place.x + place.z * place.z < kPlaneRadius * kPlaneRadius) hit = {t, kPlane};
  }
  const Vec3 inverse = {1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
  int k = 0;
  while (k < scene.node_count) {
    const Node node = scene.nodes[k];
    if (!hits_box(node, ray.origin, inverse, hit.distance)) {
      k = node.skip;
      continue;
    }
    ++k;
    if (node.leaf < 0) continue;
    for (int p = node.leaf; p < node.leaf + kLeafSize && p < scene.primitive_count; ++p) {
      const float t = meet(scene.primitives[p], ray.origin, ray.direction);
      if (t < hit.distance) hit = {t, p};
    }
  }
  return hit;
}

// Returns the light that the ray's hit adds to the pixel. Replaces the ray by the reflection;
// returns whether the reflection is worth following.
HARNESS_HOST_DEVICE inline bool shade(const Scene& scene, Hit hit, Ray* ray, Vec3* colour) {
  if (hit.primitive == kNothing) {
    const float high = fmaxf(0.0f, ray->direction.y);
    *colour = ray->weight * Vec3{0.75f - 0.5f * high, 0.85f - 0.4f * high, 1.0f - 0.2f * high};
    return false;
  }
  const Vec3 place = ray->origin + hit.distance * ray->direction;
  Vec3 normal = {0, 1, 0};
  Material material;
  if (hit.primitive == kPlane) {
    const int square = static_cast<int>(floorf(place.x)) + static_cast<int>(floorf(place.z));
    material = scene.plane[square & 1];
  } else {
    const Primitive& p = scene.primitives[hit.primitive];
    material = scene.materials[p.material];
    normal = normalised(p.radius > 0 ? place - p.a : cross(p.b, p.c));
    if (dot(normal, ray->direction) > 0) normal = -1.0f * normal;
  }
  const float lit = 0.25f + 0.75f * fmaxf(0.0f, dot(normal, scene.light));
  *colour = (lit * (1 - material.mirror)) * (ray->weight * material.colour);
  ray->origin = place + kNear * normal;
  ray->direction = ray->direction - (2 * dot(ray->direction, normal)) * normal;
  ray->weight = material.mirror * (ray->weight * material.colour);
  return material.mirror > 0;
}
