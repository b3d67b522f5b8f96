// The three scenes, made by code on the host, and the camera of one repeat.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "options.h"
#include "trace.h"

// What a Scene points to, in host memory.
struct SceneData {
  std::vector<Node> nodes;
  std::vector<Primitive> primitives;
  std::vector<Material> materials;
  Material plane[2];

  void add_sphere(Vec3 centre, float radius, int material) {
    primitives.push_back({centre, radius, {}, material, {}, 0});
  }
  void add_triangle(Vec3 a, Vec3 b, Vec3 c, int material) {
    primitives.push_back({a, 0, b - a, material, c - a, 0});
  }
  // Adds the parallelogram a, a + u, a + u + v, a + v.
  void add_quad(Vec3 a, Vec3 u, Vec3 v, int material) {
    add_triangle(a, a + u, a + u + v, material);
    add_triangle(a, a + u + v, a + v, material);
  }
  // Adds a box of twelve triangles.
  void add_box(Vec3 low, Vec3 size, int material) {
    const Vec3 x = {size.x, 0, 0}, y = {0, size.y, 0}, z = {0, 0, size.z};
    add_quad(low, x, y, material);
    add_quad(low + z, x, y, material);
    add_quad(low, y, z, material);
    add_quad(low + x, y, z, material);
    add_quad(low, x, z, material);
    add_quad(low + y, x, z, material);
  }
  // Adds a ring around the y axis of 2 * around * across triangles.
  void add_torus(Vec3 centre, float radius, float thickness, int around, int across, int material) {
    const auto corner = [&](int a, int b) {
      const float u = 6.2831853f * a / around;
      const float v = 6.2831853f * b / across;
      const float r = radius + thickness * std::cos(v);
      return centre + Vec3{r * std::cos(u), thickness * std::sin(v), r * std::sin(u)};
    };
    for (int a = 0; a < around; ++a) {
      for (int b = 0; b < across; ++b) {
        add_triangle(corner(a, b), corner(a + 1, b), corner(a + 1, b + 1), material);
        add_triangle(corner(a, b), corner(a + 1, b + 1), corner(a, b + 1), material);
      }
    }
  }
};

inline Vec3 low_of(const Primitive& p) {
  if (p.radius > 0) return p.a - Vec3{p.radius, p.radius, p.radius};
  const Vec3 b = p.a + p.b, c = p.a + p.c;
  return {std::min({p.a.x, b.x, c.x}), std::min({p.a.y, b.y, c.y}), std::min({p.a.z, b.z, c.z})};
}
inline Vec3 high_of(const Primitive& p) {
  if (p.radius > 0) return p.a + Vec3{p.radius, p.radius, p.radius};
  const Vec3 b = p.a + p.b, c = p.a + p.c;
  return {std::max({p.a.x, b.x, c.x}), std::max({p.a.y, b.y, c.y}), std::max({p.a.z, b.z, c.z})};
}

// Builds the hierarchy over primitives begin to end: halves along the longest side of the box. All
// leaves but the last are full, so a leaf needs no count.
inline void build_nodes(SceneData* scene, int begin, int end) {
  Vec3 low = low_of(scene->primitives[begin]);
  Vec3 high = high_of(scene->primitives[begin]);
  for (int p = begin + 1; p < end; ++p) {
    const Vec3 l = low_of(scene->primitives[p]), h = high_of(scene->primitives[p]);
    low = {std::min(low.x, l.x), std::min(low.y, l.y), std::min(low.z, l.z)};
    high = {std::max(high.x, h.x), std::max(high.y, h.y), std::max(high.z, h.z)};
  }
  const auto node = static_cast<int>(scene->nodes.size());
  scene->nodes.push_back({low, 0, high, end - begin <= kLeafSize ? begin : -1});
  if (end - begin > kLeafSize) {
    const Vec3 size = high - low;
    using Component = float Vec3::*;
    const Component axis = size.x > size.y && size.x > size.z ? &Vec3::x
                           : size.y > size.z                  ? &Vec3::y
                                                              : &Vec3::z;
    const auto centre = [axis](const Primitive& p) { return low_of(p).*axis + high_of(p).*axis; };
    const int leaves = (end - begin + kLeafSize - 1) / kLeafSize;
    const int middle = begin + (leaves / 2) * kLeafSize;
    const auto first = scene->primitives.begin();
    std::nth_element(first + begin, first + middle, first + end,
                     [&](const Primitive& a, const Primitive& b) { return centre(a) < centre(b); });
    build_nodes(scene, begin, middle);
    build_nodes(scene, middle, end);
  }
  scene->nodes[node].skip = static_cast<int>(scene->nodes.size());
}

// "diffuse": 98 primitives (7 boxes of 12 triangles, 14 spheres); none reflects. "mirror": the same
// shapes; the plane, 3 boxes and 5 spheres reflect. "large": 23 000 primitives around a mirror.
// Throws OptionError for another name.
inline SceneData make_scene(const std::string& name) {
  SceneData scene;
  const bool diffuse = name == "diffuse";
  if (name != "diffuse" && name != "mirror" && name != "large") {
    throw OptionError("--scene is diffuse, mirror or large, not '" + name + "'");
  }
  const float shine = diffuse ? 0.0f : 0.6f;
  scene.materials = {{{0.9f, 0.35f, 0.3f}, 0},
                     {{0.3f, 0.55f, 0.9f}, 0},
                     {{0.95f, 0.85f, 0.5f}, 0},
                     {{0.9f, 0.9f, 0.95f}, shine},
                     {{0.95f, 0.75f, 0.35f}, shine}};
  const auto materials = static_cast<int>(scene.materials.size());
  scene.plane[0] = {{0.85f, 0.85f, 0.85f}, 0.5f * shine};
  scene.plane[1] = {{0.35f, 0.4f, 0.45f}, 0.5f * shine};
  for (int k = 0; k < 14; ++k) {
    const float angle = 0.4487989f * k, radius = 0.35f + 0.1f * (k % 3);
    const float distance = k % 2 == 0 ? 3.2f : 4.4f;
    const Vec3 centre = {distance * std::cos(angle), radius, distance * std::sin(angle)};
    scene.add_sphere(centre, radius, k % materials);
  }
  if (name != "large") {
    for (int k = 0; k < 7; ++k) {
      const float angle = 0.8975979f * k;
      const Vec3 low = {1.8f * std::cos(angle) - 0.3f, 0, 1.8f * std::sin(angle) - 0.3f};
      scene.add_box(low, {0.6f, 0.6f + 0.25f * k, 0.6f}, (k + 2) % materials);
    }
  } else {
    for (int ring = 0; ring < 4; ++ring) {
      const Vec3 centre = {0, 0.5f + 0.75f * ring, 0};
      scene.add_torus(centre, 2.2f - 0.5f * ring, 0.3f, 75, 33, (ring + 3) % materials);
    }
    for (int k = 0; k < 3186; ++k) {
      const float angle = 2.3999632f * k, distance = 5.2f + 0.1f * std::sqrt(1.0f * k);
      const Vec3 centre = {distance * std::cos(angle), 0.08f, distance * std::sin(angle)};
      scene.add_sphere(centre, 0.08f, k % materials);
    }
  }
  build_nodes(&scene, 0, static_cast<int>(scene.primitives.size()));
  return scene;
}

// The scene of a repeat: the camera looks at the middle from a side that the seed determines. The
// scene points to `data`.
inline Scene scene_of(const SceneData& data, uint64_t seed) {
  Scene scene = {};
  scene.nodes = data.nodes.data();
  scene.node_count = static_cast<int>(data.nodes.size());
  scene.primitives = data.primitives.data();
  scene.primitive_count = static_cast<int>(data.primitives.size());
  scene.materials = data.materials.data();
  scene.plane[0] = data.plane[0];
  scene.plane[1] = data.plane[1];
  scene.light = normalised({0.5f, 0.8f, 0.3f});
  const float angle = 3.1415926f * random_float(stream_seed(seed, 0), 0);
  scene.eye = {8.5f * std::cos(angle), 3.6f, 8.5f * std::sin(angle)};
  scene.forward = normalised(Vec3{0, 0.7f, 0} - scene.eye);
  scene.right = normalised(cross(scene.forward, {0, 1, 0}));
  scene.up = cross(scene.right, scene.forward);
  return scene;
}
