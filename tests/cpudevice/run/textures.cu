// Texture fetches compared with the programming guide's formulas, evaluated for each element.
// expect: done
#include <cmath>
#include <vector>

#include "check.h"

constexpr int kWidth = 5, kHeight = 4, kDepth = 3;
constexpr int kSamples = 61;  // in each dimension, from well below the texture to well above

// ---- the guide's formulas ----

// Applies an address mode to an index outside the texture; -1 is the border.
int map_index(int i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap:
      return ((i % n) + n) % n;
    case cudaAddressModeMirror: {
      const int j = ((i % (2 * n)) + 2 * n) % (2 * n);
      return j < n ? j : 2 * n - 1 - j;
    }
    case cudaAddressModeClamp:
      return i < 0 ? 0 : n - 1;
    case cudaAddressModeBorder:
      break;
  }
  return -1;
}

// The elements' weights in one dimension; what is missing to 1 is the border's.
void weigh(double x, int n, cudaTextureAddressMode mode, bool linear, double* weight) {
  for (int i = 0; i < n; ++i)
    weight[i] = 0;
  const auto add = [&](int i, double w) {
    const int j = map_index(i, n, mode);
    if (j >= 0) weight[j] += w;
  };
  if (!linear) return add(static_cast<int>(std::floor(x)), 1);
  const double below = std::floor(x - 0.5);
  const double fraction = std::floor((x - 0.5 - below) * 256 + 0.5) / 256;  // 8 fractional bits
  add(static_cast<int>(below), 1 - fraction);
  add(static_cast<int>(below) + 1, fraction);
}

struct Setting {
  cudaTextureAddressMode mode;
  bool linear, normalised;
};

// The sum over all elements of the weights times `value(i, j, k)`.
template <typename Value>
double expected(double x, double y, double z, int dimensions, const Setting& s, Value value) {
  double wx[kWidth], wy[kHeight] = {1}, wz[kDepth] = {1};
  weigh(s.normalised ? x * kWidth : x, kWidth, s.mode, s.linear, wx);
  if (dimensions >= 2) weigh(s.normalised ? y * kHeight : y, kHeight, s.mode, s.linear, wy);
  if (dimensions == 3) weigh(s.normalised ? z * kDepth : z, kDepth, s.mode, s.linear, wz);
  double sum = 0;
  for (int k = 0; k < kDepth; ++k)
    for (int j = 0; j < kHeight; ++j)
      for (int i = 0; i < kWidth; ++i) {
        const double weight = wx[i] * wy[j] * wz[k];
        if (weight != 0) sum += weight * value(i, j, k);
      }
  return sum;
}

// ---- the device's ----

struct Coordinate {
  float x, y, z;
};

template <typename T>
__global__ void sample_kernel(cudaTextureObject_t texture, int dimensions, const Coordinate* at,
                              T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Coordinate c = at[i];
  out[i] = dimensions == 1   ? tex1D<T>(texture, c.x)
           : dimensions == 2 ? tex2D<T>(texture, c.x, c.y)
                             : tex3D<T>(texture, c.x, c.y, c.z);
}

cudaExtent extent_of(int dimensions) {
  return make_cudaExtent(kWidth, dimensions >= 2 ? kHeight : 0, dimensions == 3 ? kDepth : 0);
}

template <typename Element>
cudaArray_t make_array(int dimensions, const std::vector<Element>& elements) {
  cudaArray_t array;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<Element>();
  CHECK_OK(cudaMalloc3DArray(&array, &channels, extent_of(dimensions)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<Element*>(elements.data()), kWidth * sizeof(Element),
                                    kWidth, kHeight);
  copy.dstArray = array;
  copy.extent =
      make_cudaExtent(kWidth, dimensions >= 2 ? kHeight : 1, dimensions == 3 ? kDepth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  return array;
}

cudaTextureObject_t make_texture(cudaArray_t array, const Setting& s, cudaTextureReadMode read) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode)
    mode = s.mode;
  description.filterMode = s.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = read;
  description.normalizedCoords = s.normalised;
  cudaTextureObject_t texture;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

// Multiples of 1/1024 from -1.5 to 2.5 times the size: rounding hides no fault. No point sample and
// no weight lies halfway.
Coordinate coordinate(int i, bool normalised) {
  const auto along = [&](int step, int size) {
    const float part = -1.5f + 4.0f * ((i * step) % kSamples) / kSamples;
    const float elements = std::floor(part * size * 512) / 512 + 1 / 1024.0f;
    return normalised ? elements / size : elements;
  };
  return {along(1, kWidth), along(7, kHeight), along(23, kDepth)};
}

template <typename Element, typename T, typename Value>
void compare(int dimensions, const Setting& s, cudaTextureReadMode read,
             const std::vector<Element>& elements, Value value) {
  const cudaArray_t array = make_array(dimensions, elements);
  const cudaTextureObject_t texture = make_texture(array, s, read);
  Coordinate* at;
  T* out;
  constexpr int kCount = kSamples * 5;
  CHECK_OK(cudaMallocManaged(&at, kCount * sizeof(Coordinate)));
  CHECK_OK(cudaMallocManaged(&out, kCount * sizeof(T)));
  for (int i = 0; i < kCount; ++i)
    at[i] = coordinate(i, s.normalised);
  sample_kernel<T><<<(kCount + 127) / 128, 128>>>(texture, dimensions, at, out, kCount);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) {
    const double want = expected(at[i].x, at[i].y, at[i].z, dimensions, s, value);
    if (!(std::fabs(out[i] - want) <= 1e-6 * std::fabs(want) + 1e-9)) {
      printf("%d-D mode %d linear %d normalised %d read %d at (%g, %g, %g): %.9g, not %.9g\n",
             dimensions, s.mode, s.linear, s.normalised, read, at[i].x, at[i].y, at[i].z,
             double(out[i]), want);
      break;
    }
  }
  CHECK_OK(cudaDestroyTextureObject(texture));
  CHECK_OK(cudaFreeArray(array));
  CHECK_OK(cudaFree(at));
  CHECK_OK(cudaFree(out));
}

template <typename Element>
std::vector<Element> numbers(int factor) {
  std::vector<Element> elements(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<Element>((i + 1) * factor);
  return elements;
}

template <typename Element>
void test_format(int factor, bool normalises) {
  const std::vector<Element> elements = numbers<Element>(factor);
  const auto plain = [&](int i, int j, int k) {
    return static_cast<double>(elements[(k * kHeight + j) * kWidth + i]);
  };
  const double largest = std::pow(2.0, 8 * sizeof(Element) - (Element(-1) < Element(0))) - 1;
  const auto fraction = [&](int i, int j, int k) {
    return std::fmax(plain(i, j, k) / largest, -1);
  };
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (bool normalised : {false, true}) {
      for (int mode = 0; mode < 4; ++mode) {
        if (!normalised && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
        Setting s{static_cast<cudaTextureAddressMode>(mode), false, normalised};
        compare<Element, Element>(dimensions, s, cudaReadModeElementType, elements, plain);
        const bool floats = std::is_floating_point<Element>::value;
        if (floats || normalises) {
          const auto read = floats ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
          for (bool linear : {false, true}) {
            s.linear = linear;
            if (floats) {
              compare<Element, float>(dimensions, s, read, elements, plain);
            } else {
              compare<Element, float>(dimensions, s, read, elements, fraction);
            }
          }
        }
      }
    }
  }
}

__global__ void fetch_kernel(cudaTextureObject_t texture, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(texture, i - 1);
}
// Every 8-bit and 16-bit value, as the quotient correctly rounded.
template <typename Element>
void test_quotients() {
  constexpr int kCount = 1 << (8 * sizeof(Element));
  std::vector<Element> elements(kCount);
  for (int i = 0; i < kCount; ++i)
    elements[i] = static_cast<Element>(i);
  Element* data;
  CHECK_OK(cudaMalloc(&data, kCount * sizeof(Element)));
  CHECK_OK(cudaMemcpy(data, elements.data(), kCount * sizeof(Element), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<Element>();
  resource.res.linear.sizeInBytes = kCount * sizeof(Element);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  float* out;
  CHECK_OK(cudaMallocManaged(&out, (kCount + 2) * sizeof(float)));
  fetch_kernel<<<(kCount + 257) / 256, 256>>>(texture, out, kCount + 2);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 0 && out[kCount + 1] == 0);  // zeros outside linear memory
  const bool has_sign = Element(-1) < Element(0);
  const float largest = static_cast<float>((1 << (8 * sizeof(Element) - has_sign)) - 1);
  for (int i = 0; i < kCount; ++i) {
    const float quotient = static_cast<float>(elements[i]) / largest;
    if (out[i + 1] != std::fmax(quotient, -1.0f)) {
      printf("%d gave %.9g\n", i, out[i + 1]);
      break;
    }
  }
  CHECK_OK(cudaDestroyTextureObject(texture));
  CHECK_OK(cudaFree(data));
  CHECK_OK(cudaFree(out));
}

// Two and four channels keep apart; the border has a colour.
__global__ void channels_kernel(cudaTextureObject_t shorts, cudaTextureObject_t bytes,
                                cudaTextureObject_t floats, float4* out, short2* out2,
                                uchar4* out4) {
  out2[0] = tex2D<short2>(shorts, 1.5f, 1.5f);
  out4[0] = tex2D<uchar4>(bytes, 0.5f, 1.5f);
  out[0] = tex2D<float4>(floats, 1.0f, 1.0f);
  out[1] = tex2D<float4>(floats, 0.25f, 0.5f);
}

void test_channels() {
  const short2 shorts[2][2] = {{{1, -2}, {3, -4}}, {{5, -6}, {-7, 8}}};
  const uchar4 bytes[2][2] = {{{1, 2, 3, 4}, {}}, {{5, 6, 7, 255}, {}}};
  const float4 floats[2][2] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{9, 10, 11, 12}, {13, 14, 15, 16}}};
  cudaArray_t arrays[3];
  cudaTextureObject_t textures[3];
  const cudaChannelFormatDesc channels[3] = {cudaCreateChannelDesc<short2>(),
                                             cudaCreateChannelDesc<uchar4>(),
                                             cudaCreateChannelDesc<float4>()};
  const void* sources[3] = {shorts, bytes, floats};
  const size_t widths[3] = {sizeof(shorts[0]), sizeof(bytes[0]), sizeof(floats[0])};
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(cudaMallocArray(&arrays[i], &channels[i], 2, 2));
    CHECK_OK(cudaMemcpy2DToArray(arrays[i], 0, 0, sources[i], widths[i], widths[i], 2,
                                 cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.res.array.array = arrays[i];
    cudaTextureDesc description = {};
    description.filterMode = i == 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
    description.borderColor[1] = 10;
    CHECK_OK(cudaCreateTextureObject(&textures[i], &resource, &description, nullptr));
  }
  float4* out;
  short2* out2;
  uchar4* out4;
  CHECK_OK(cudaMallocManaged(&out, 2 * sizeof(*out)));
  CHECK_OK(cudaMallocManaged(&out2, sizeof(*out2)));
  CHECK_OK(cudaMallocManaged(&out4, sizeof(*out4)));
  channels_kernel<<<1, 1>>>(textures[0], textures[1], textures[2], out, out2, out4);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out2->x == -7 && out2->y == 8);
  CHECK(out4->x == 5 && out4->y == 6 && out4->z == 7 && out4->w == 255);
  CHECK(out[0].x == 7 && out[0].y == 8 && out[0].z == 9 && out[0].w == 10);
  // A quarter of the sample lies left of the texture: x = .75 * 1, y = .75 * 2 + .25 * 10.
  CHECK(out[1].x == 0.75f && out[1].y == 4 && out[1].z == 2.25f && out[1].w == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK_OK(cudaDestroyTextureObject(textures[i]));
    CHECK_OK(cudaFreeArray(arrays[i]));
  }
}

int main() {
  test_format<float>(1, false);
  test_format<unsigned char>(4, true);
  test_format<signed char>(-2, true);
  test_format<unsigned short>(1091, true);
  test_format<short>(-546, true);
  test_format<int>(-1000003, false);
  test_format<unsigned>(70000001, false);
  test_quotients<unsigned char>();
  test_quotients<signed char>();
  test_quotients<unsigned short>();
  test_quotients<short>();
  test_channels();
  printf("done\n");
}
