// Texture fetches, by the formulas of the CUDA C++ Programming Guide's appendix on texture
// fetching.
//
// A point sample is the element at floor(x). A linear sample lies between the elements around x -
// 0.5, with a weight rounded to 8 fractional bits, as in the hardware. For integers everything is
// exact up to the last step, the division by the largest value (255 for a byte).
//
// Each combination of format, channels, dimensions and filter has a function of its own, so that a
// fetch decides only how to map coordinates outside the texture.
#include "textures/sampling.h"

#include <cstdint>
#include <cstring>

#include "cudacpu/numbers/half_bits.h"
#include "diagnostics/observer.h"

namespace cudacpu {
namespace {

// Coordinates.

// Avoids the call that std::floor is without SSE4.1.
inline int floor_to_int(float x) {
  const int truncated = static_cast<int>(x);
  return truncated - (x < static_cast<float>(truncated));
}

// Also turns NaN into a number.
inline float clamp(float x, float low, float high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}
inline int clamp(int i, int low, int high) {
  i = i > low ? i : low;
  return i < high ? i : high;
}

// The fractional part of x, in [0, 1].
inline float fraction(float x) {
  constexpr float kNoFraction = 1 << 23;  // larger numbers have no fraction
  x = clamp(x, -kNoFraction, kNoFraction);
  return x - static_cast<float>(floor_to_int(x));
}

// Returns the place of x in the mirrored texture: every second repetition runs backwards.
inline float mirrored(float x) {
  constexpr float kNoFraction = 1 << 23;
  x = clamp(x, -kNoFraction, kNoFraction);
  const int whole = floor_to_int(x);
  const float rest = x - static_cast<float>(whole);
  return whole & 1 ? 1 - rest : rest;
}

constexpr int kOutside = -1;

// Returns the element that a point sample reads.
inline int nearest(const Axis& axis, float x) {
  switch (axis.addressing) {
    case Addressing::kClamp:
      return static_cast<int>(clamp(x * axis.scale, 0.0f, axis.extent - 1));
    case Addressing::kWrap:
      return clamp(static_cast<int>(fraction(x) * axis.extent), 0, axis.size - 1);
    case Addressing::kMirror:
      return clamp(static_cast<int>(mirrored(x) * axis.extent), 0, axis.size - 1);
    case Addressing::kBorder: {
      const int i = floor_to_int(clamp(x * axis.scale, -1.0f, axis.extent));
      return i < axis.size ? i : kOutside;
    }
    case Addressing::kLayer:
      break;
  }
  return clamp(static_cast<int>(x), 0, axis.size - 1);
}

// The two elements around a linear sample, and the sample's distance from the first element in
// 256ths of the distance between the two.
struct Between {
  int first, second, weight;
};

constexpr int kWeightBits = 8;
constexpr int kWeightOne = 1 << kWeightBits;

// Returns the elements on both sides of a place, which is given in elements and is at most an
// element outside.
inline __attribute__((always_inline)) Between around(float elements) {
  // (elements - 1/2), rounded to 1/256. Positive during the conversion, which is then a floor.
  const int fixed =
      static_cast<int>(elements * kWeightOne + (kWeightOne * 3 / 2 + 0.5f)) - kWeightOne * 2;
  const int i = fixed >> kWeightBits;
  return {i, i + 1, fixed & (kWeightOne - 1)};
}

// For mode clamp, which is by far the most common.
inline __attribute__((always_inline)) Between between_clamped(const Axis& axis, float x) {
  const Between b = around(clamp(x * axis.scale, 0.0f, axis.extent));
  return {clamp(b.first, 0, axis.size - 1), clamp(b.second, 0, axis.size - 1), b.weight};
}

// Called and not inlined: copies in all samplers would take longer to compile than the rest of the
// file.
__attribute__((noinline)) Between between(const Axis& axis, float x) {
  Between b;
  switch (axis.addressing) {
    case Addressing::kClamp:
      return between_clamped(axis, x);
    case Addressing::kWrap:
      b = around(fraction(x) * axis.extent);
      return {b.first < 0 ? axis.size - 1 : b.first, b.second < axis.size ? b.second : 0, b.weight};
    case Addressing::kMirror:
      b = around(mirrored(x) * axis.extent);
      return {clamp(b.first, 0, axis.size - 1), clamp(b.second, 0, axis.size - 1), b.weight};
    case Addressing::kBorder:
      b = around(clamp(x * axis.scale, -1.0f, axis.extent + 1));
      return {b.first < axis.size ? b.first : kOutside, b.second < axis.size ? b.second : kOutside,
              b.weight};
    case Addressing::kLayer:
      break;
  }
  const int layer = nearest(axis, x);
  return {layer, layer, 0};
}

// Formats.

float bits_as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

template <typename T>
inline T load(const char* place) {
  T value;
  memcpy(&value, place, sizeof(T));
  return value;
}

// Unchanged integers: their bits travel in a float.
template <typename T>
struct Plain {
  static constexpr bool kFiltered = false;
  using Element = T;
  static float read(const char* place) {
    return bits_as_float(static_cast<uint32_t>(load<T>(place)));
  }
};

// Integers as fractions of the largest integer, in [0, 1] or [-1, 1]. The sums are exact integers,
// which each level of filtering makes 256 times as large.
template <typename T, typename S>
struct Normalised {
  static constexpr bool kFiltered = true;
  using Element = T;
  using Sum = S;
  static constexpr int kLargest = (1 << (8 * sizeof(T) - (T(-1) < T(0)))) - 1;
  static Sum raw(const char* place) {
    const T value = load<T>(place);
    return static_cast<Sum>(value < -kLargest ? -kLargest : value);  // both least values are -1
  }
  static Sum mix(Sum a, Sum b, int weight) {
    return a * kWeightOne + (b - a) * static_cast<Sum>(weight);
  }
  static float result(Sum sum, int levels) {
    // A multiplication by the double nearest to 1/kLargest: rounded to float the product is the
    // quotient.
    const double unit = 1.0 / kLargest;
    const double scale = levels == 3   ? unit / (1 << 24)
                         : levels == 2 ? unit / (1 << 16)
                         : levels == 1 ? unit / (1 << 8)
                                       : unit;
    return static_cast<float>(static_cast<double>(sum) * scale);
  }
  static float read(const char* place) { return result(raw(place), 0); }
};

struct Single {
  static constexpr bool kFiltered = true;
  using Element = float;
  using Sum = float;
  static Sum raw(const char* place) { return load<float>(place); }
  static Sum mix(Sum a, Sum b, int weight) {
    return a + (b - a) * (static_cast<float>(weight) * (1.0f / kWeightOne));
  }
  static float result(Sum sum, int) { return sum; }
  static float read(const char* place) { return load<float>(place); }
};

struct Half : Single {
  using Element = uint16_t;
  static float raw(const char* place) { return float_from(load<uint16_t>(place)); }
  static float read(const char* place) { return raw(place); }
};

// The parts that the diagnostic modes use.

#if CUDACPU_DIAGNOSTICS
// Reports the elements of a fetch before the fetch. `site` and `frame` are those of the function
// that the kernel calls.
inline void tell(const Texture& t, const Between& x, const Between& y, const Between& z,
                 const void* site, const void* frame) {
  observe::texture_read({t.data,
                         t.pitch,
                         t.slice,
                         t.element_bytes,
                         t.is_linear_memory,
                         t.axis[1].size * t.axis[2].size == 1,
                         {x.first, y.first, z.first},
                         {x.second, y.second, z.second}},
                        site, frame);
}
#define TELL(...) tell(__VA_ARGS__, __builtin_return_address(0), __builtin_frame_address(0))
#else
#define TELL(...) (void)0
#endif

// Samples.

template <class Format, int kChannels>
inline float4 read_element(const char* place) {
  constexpr size_t kBytes = sizeof(typename Format::Element);
  float4 result{Format::read(place), 0, 0, 0};
  if constexpr (kChannels >= 2) result.y = Format::read(place + kBytes);
  if constexpr (kChannels == 4) {
    result.z = Format::read(place + 2 * kBytes);
    result.w = Format::read(place + 3 * kBytes);
  }
  return result;
}

template <class Format, int kChannels>
float4 sample_point(const Texture& t, float x, float y, float z) {
  const int i = nearest(t.axis[0], x), j = nearest(t.axis[1], y), k = nearest(t.axis[2], z);
  if (__builtin_expect((i | j | k) < 0, 0))
    return {t.border[0], t.border[1], t.border[2], t.border[3]};
  TELL(t, {i, i, 0}, {j, j, 0}, {k, k, 0});
  constexpr size_t kBytes = kChannels * sizeof(typename Format::Element);
  return read_element<Format, kChannels>(t.data + i * kBytes + j * t.pitch + k * t.slice);
}

template <class Format, int kChannels>
float4 fetch_element(const Texture& t, int x) {
  if (static_cast<unsigned>(x) >= static_cast<unsigned>(t.axis[0].size)) return {0, 0, 0, 0};
  TELL(t, {x, x, 0}, {0, 0, 0}, {0, 0, 0});
  constexpr size_t kBytes = kChannels * sizeof(typename Format::Element);
  return read_element<Format, kChannels>(t.data + x * kBytes);
}

// Interpolates between existing elements.
template <class Format, int kChannels, int kDimensions>
inline __attribute__((always_inline)) float4 interpolate(const Texture& t, const Between& i,
                                                         const Between& j, const Between& k) {
  constexpr size_t kChannelBytes = sizeof(typename Format::Element);
  constexpr size_t kBytes = kChannels * kChannelBytes;
  using Sum = typename Format::Sum;
  const char* const first = t.data + i.first * kBytes;
  const char* const second = t.data + i.second * kBytes;
  const size_t row[2] = {j.first * t.pitch, j.second * t.pitch};
  const size_t slice[2] = {k.first * t.slice, k.second * t.slice};
  float channels[4] = {0, 0, 0, 0};
  for (int c = 0; c < kChannels; ++c) {
    const auto in_row = [&](size_t offset) {
      offset += c * kChannelBytes;
      return Format::mix(Format::raw(first + offset), Format::raw(second + offset), i.weight);
    };
    const auto in_slice = [&](size_t offset) -> Sum {
      if constexpr (kDimensions == 1) return in_row(offset);
      return Format::mix(in_row(offset + row[0]), in_row(offset + row[1]), j.weight);
    };
    Sum sum = in_slice(slice[0]);
    if constexpr (kDimensions == 3) sum = Format::mix(sum, in_slice(slice[1]), k.weight);
    channels[c] = Format::result(sum, kDimensions);
  }
  return {channels[0], channels[1], channels[2], channels[3]};
}

template <class Format, int kChannels, int kDimensions, bool kClamped>
float4 sample_linear(const Texture& t, float x, float y, float z) {
  const auto along = [&](int d, float coordinate) {
    return kClamped ? between_clamped(t.axis[d], coordinate) : between(t.axis[d], coordinate);
  };
  const Between i = along(0, x);
  Between j{0, 0, 0}, k{0, 0, 0};
  if constexpr (kDimensions >= 2) j = along(1, y);
  if constexpr (kDimensions == 3) {
    k = along(2, z);
  } else {
    k.first = k.second = nearest(t.axis[2], z);  // the layer
  }
  TELL(t, i, j, k);
  return interpolate<Format, kChannels, kDimensions>(t, i, j, k);
}

// Interpolates with a border around the texture, which has a colour of its own.
template <class Format, int kChannels>
float4 sample_linear_border(const Texture& t, float x, float y, float z) {
  const Between i = between(t.axis[0], x), j = between(t.axis[1], y), k = between(t.axis[2], z);
  TELL(t, i, j, k);
  if ((i.first | i.second | j.first | j.second | k.first | k.second) >= 0)
    return interpolate<Format, kChannels, 3>(t, i, j, k);
  constexpr size_t kBytes = kChannels * sizeof(typename Format::Element);
  const float4 border{t.border[0], t.border[1], t.border[2], t.border[3]};
  const auto element = [&](int a, int b, int c) {
    if ((a | b | c) < 0) return border;
    return read_element<Format, kChannels>(t.data + a * kBytes + b * t.pitch + c * t.slice);
  };
  const auto mix = [](const float4& a, const float4& b, int weight) {
    return float4{Single::mix(a.x, b.x, weight), Single::mix(a.y, b.y, weight),
                  Single::mix(a.z, b.z, weight), Single::mix(a.w, b.w, weight)};
  };
  const auto in_row = [&](int b, int c) {
    return mix(element(i.first, b, c), element(i.second, b, c), i.weight);
  };
  const auto in_slice = [&](int c) {
    return mix(in_row(j.first, c), in_row(j.second, c), j.weight);
  };
  return mix(in_slice(k.first), in_slice(k.second), k.weight);
}

// The choice of the sampler.

template <class Format, int kChannels, bool kClamped>
Sampler choose_linear(int dimensions) {
  return dimensions == 1   ? sample_linear<Format, kChannels, 1, kClamped>
         : dimensions == 2 ? sample_linear<Format, kChannels, 2, kClamped>
                           : sample_linear<Format, kChannels, 3, kClamped>;
}

template <class Format, int kChannels>
SamplerOf choose_for(const cudaTextureDesc& description, const Axis* axes, int dimensions) {
  SamplerOf chosen{sample_point<Format, kChannels>, fetch_element<Format, kChannels>};
  if constexpr (Format::kFiltered) {
    if (description.filterMode == cudaFilterModePoint) return chosen;
    bool border = false, clamped = true;
    for (int i = 0; i < dimensions; ++i) {
      border |= axes[i].addressing == Addressing::kBorder;
      clamped &= axes[i].addressing == Addressing::kClamp;
    }
    chosen.sample = border    ? sample_linear_border<Format, kChannels>
                    : clamped ? choose_linear<Format, kChannels, true>(dimensions)
                              : choose_linear<Format, kChannels, false>(dimensions);
  }
  return chosen;
}

template <class Format>
SamplerOf choose_channels(int channels, const cudaTextureDesc& description, const Axis* axes,
                          int dimensions) {
  switch (channels) {
    case 1:
      return choose_for<Format, 1>(description, axes, dimensions);
    case 2:
      return choose_for<Format, 2>(description, axes, dimensions);
    default:
      return choose_for<Format, 4>(description, axes, dimensions);
  }
}

}  // namespace

SamplerOf choose_sampler(const cudaChannelFormatDesc& c, const cudaTextureDesc& description,
                         const Axis* axes, int dimensions) {
  const auto choose = [&](auto format) {
    const int channels = (c.x != 0) + (c.y != 0) + (c.z != 0) + (c.w != 0);
    return choose_channels<decltype(format)>(channels, description, axes, dimensions);
  };
  const bool is_signed = c.f == cudaChannelFormatKindSigned;
  if (c.f == cudaChannelFormatKindFloat) return c.x == 16 ? choose(Half()) : choose(Single());
  if (description.readMode == cudaReadModeNormalizedFloat) {
    if (c.x == 8)
      return is_signed ? choose(Normalised<int8_t, int32_t>())
                       : choose(Normalised<uint8_t, uint32_t>());
    return is_signed ? choose(Normalised<int16_t, int64_t>())
                     : choose(Normalised<uint16_t, int64_t>());
  }
  if (c.x == 8) return is_signed ? choose(Plain<int8_t>()) : choose(Plain<uint8_t>());
  if (c.x == 16) return is_signed ? choose(Plain<int16_t>()) : choose(Plain<uint16_t>());
  return choose(Plain<uint32_t>());
}

float4 gather(cudaTextureObject_t object, float x, float y, int channel) {
  const Texture& t = *reinterpret_cast<const Texture*>(object);
  const Axis &across = t.axis[0], &down = t.axis[1];
  // The distance between the centres of neighbouring elements, in the texture's coordinates.
  const float unit_x = 1 / across.scale, unit_y = 1 / down.scale;
  const float left = (static_cast<float>(floor_to_int(x / unit_x - 0.5f)) + 0.5f) * unit_x;
  const float top = (static_cast<float>(floor_to_int(y / unit_y - 0.5f)) + 0.5f) * unit_y;
  const auto at = [&](float u, float v) {
    const float4 texel = t.point(t, u, v, 0);
    return channel == 0 ? texel.x : channel == 1 ? texel.y : channel == 2 ? texel.z : texel.w;
  };
  return {at(left, top + unit_y), at(left + unit_x, top + unit_y), at(left + unit_x, top),
          at(left, top)};
}

}  // namespace cudacpu
