// Texture fetches, by texture object: tex1Dfetch, tex1D, tex2D, tex3D and the layered forms.
//
// The object's address is its handle. The object's first member is the function for the format,
// dimensions and filter, chosen when the object was made; so a fetch is a single call.
#pragma once

#include "../../../driver_types.h"
#include "../../../vector_functions.h"
#include "../../runtime.h"

namespace cudacpu {

// The four channels of a fetched element; integers as their bits.
struct Texture;
using Sampler = float4 (*)(const Texture& texture, float x, float y, float z);
struct SamplerOf {
  Sampler sample;                                  // at a coordinate
  float4 (*fetch)(const Texture& texture, int x);  // element x of linear memory
};

#if CUDACPU_CHECKING
CUDACPU_DEVICE float4 sample(cudaTextureObject_t object, float x, float y, float z);
CUDACPU_DEVICE float4 fetch(cudaTextureObject_t object, int x);
CUDACPU_DEVICE float4 gather(cudaTextureObject_t object, float x, float y, int channel);
#else
// A channel of the four elements that a filter would mix: first the lower row from the left, then
// the upper row from the right.
float4 gather(cudaTextureObject_t object, float x, float y, int channel);
// Reads *function, hidden from the instrumentation of the diagnostic modes.
template <typename Function>
inline __attribute__((always_inline)) Function chosen(const Function* function) {
#if CUDACPU_DIAGNOSTICS
  return reinterpret_cast<Function>(observe::peek(reinterpret_cast<const size_t*>(function)));
#else
  return *function;
#endif
}
inline __attribute__((always_inline)) float4 sample(cudaTextureObject_t object, float x, float y,
                                                    float z) {
  const auto* functions = reinterpret_cast<const SamplerOf*>(object);
  return chosen(&functions->sample)(reinterpret_cast<const Texture&>(*functions), x, y, z);
}
inline __attribute__((always_inline)) float4 fetch(cudaTextureObject_t object, int x) {
  const auto* functions = reinterpret_cast<const SamplerOf*>(object);
  return chosen(&functions->fetch)(reinterpret_cast<const Texture&>(*functions), x);
}
#endif

// Converts to the scalar or vector type of the program's call.
template <typename T>
struct Texel;  // no definition: no texture has elements of type T

template <typename T>
CUDACPU_DEVICE inline T channel(float bits) {
  unsigned value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return static_cast<T>(value);
}
template <>
CUDACPU_DEVICE inline float channel<float>(float value) {
  return value;
}

#define CUDACPU_TEXEL(T, ...)                                                    \
  template <>                                                                    \
  struct Texel<T> {                                                              \
    static CUDACPU_DEVICE inline T from(const float4& v) { return __VA_ARGS__; } \
  };
#define CUDACPU_TEXELS(name, T)                                      \
  CUDACPU_TEXEL(T, channel<T>(v.x))                                  \
  CUDACPU_TEXEL(name##1, name##1 {channel<T>(v.x)})                  \
  CUDACPU_TEXEL(name##2, name##2 {channel<T>(v.x), channel<T>(v.y)}) \
  CUDACPU_TEXEL(name##4,                                             \
                name##4 {channel<T>(v.x), channel<T>(v.y), channel<T>(v.z), channel<T>(v.w)})
CUDACPU_TEXELS(char, signed char)
CUDACPU_TEXEL(char, static_cast<char>(channel<signed char>(v.x)))
CUDACPU_TEXELS(uchar, unsigned char)
CUDACPU_TEXELS(short, short)
CUDACPU_TEXELS(ushort, unsigned short)
CUDACPU_TEXELS(int, int)
CUDACPU_TEXELS(uint, unsigned int)
CUDACPU_TEXELS(float, float)
#undef CUDACPU_TEXELS
#undef CUDACPU_TEXEL

}  // namespace cudacpu

#define CUDACPU_FETCH(name, parameters, call)                              \
  template <typename T>                                                    \
  CUDACPU_DEVICE inline __attribute__((always_inline)) T name parameters { \
    return cudacpu::Texel<T>::from(cudacpu::call);                         \
  }

CUDACPU_FETCH(tex1Dfetch, (cudaTextureObject_t object, int x), fetch(object, x))
CUDACPU_FETCH(tex1D, (cudaTextureObject_t object, float x), sample(object, x, 0, 0))
CUDACPU_FETCH(tex2D, (cudaTextureObject_t object, float x, float y), sample(object, x, y, 0))
CUDACPU_FETCH(tex3D, (cudaTextureObject_t object, float x, float y, float z),
              sample(object, x, y, z))
CUDACPU_FETCH(tex1DLayered, (cudaTextureObject_t object, float x, int layer),
              sample(object, x, 0, static_cast<float>(layer)))
CUDACPU_FETCH(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer),
              sample(object, x, y, static_cast<float>(layer)))

// The face of a cube, and the place on the face, at which (x, y, z), seen from the middle, points:
// the table in the programming guide's section on cubemap textures.
namespace cudacpu {
CUDACPU_DEVICE inline float4 sample_cube(cudaTextureObject_t object, float x, float y, float z,
                                         int layer) {
  const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
  int face;
  float m, s, t;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az, s = z >= 0 ? x : -x, t = -y;
  }
  return sample(object, (s / m + 1) / 2, (t / m + 1) / 2, static_cast<float>(6 * layer + face));
}
}  // namespace cudacpu
CUDACPU_FETCH(texCubemap, (cudaTextureObject_t object, float x, float y, float z),
              sample_cube(object, x, y, z, 0))
CUDACPU_FETCH(texCubemapLayered, (cudaTextureObject_t object, float x, float y, float z, int layer),
              sample_cube(object, x, y, z, layer))
// Levels of detail: textures have no mipmaps, so all levels are the first.
CUDACPU_FETCH(tex1DLod, (cudaTextureObject_t object, float x, float), sample(object, x, 0, 0))
CUDACPU_FETCH(tex2DLod, (cudaTextureObject_t object, float x, float y, float),
              sample(object, x, y, 0))
CUDACPU_FETCH(tex3DLod, (cudaTextureObject_t object, float x, float y, float z, float),
              sample(object, x, y, z))
CUDACPU_FETCH(tex2DGrad, (cudaTextureObject_t object, float x, float y, float2, float2),
              sample(object, x, y, 0))
CUDACPU_FETCH(tex2Dgather, (cudaTextureObject_t object, float x, float y, int channel = 0),
              gather(object, x, y, channel))
#undef CUDACPU_FETCH

// The forms that store the result through a pointer.
template <typename T>
CUDACPU_DEVICE inline void tex1Dfetch(T* result, cudaTextureObject_t object, int x) {
  *result = tex1Dfetch<T>(object, x);
}
template <typename T>
CUDACPU_DEVICE inline void tex1D(T* result, cudaTextureObject_t object, float x) {
  *result = tex1D<T>(object, x);
}
template <typename T>
CUDACPU_DEVICE inline void tex2D(T* result, cudaTextureObject_t object, float x, float y) {
  *result = tex2D<T>(object, x, y);
}
template <typename T>
CUDACPU_DEVICE inline void tex3D(T* result, cudaTextureObject_t object, float x, float y, float z) {
  *result = tex3D<T>(object, x, y, z);
}
