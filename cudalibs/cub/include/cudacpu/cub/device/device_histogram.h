// cub::DeviceHistogram: the number of samples in each bin, for one channel or for several.
#pragma once

#include "cudacpu/libcudacxx/standard.h"
#include "device.h"

namespace cub {
namespace detail {

// The samples of an image: rows of pixels, which begin `stride` samples apart.
struct Rows {
  long long pixels, rows, stride;
};

template <typename In>
CUDACPU_HOST_DEVICE Rows rows_of(In, long long pixels, long long rows, size_t stride_bytes) {
  return {pixels, rows, static_cast<long long>(stride_bytes / sizeof(ValueOf<In>))};
}

// The bin of a sample, if `bins` bins of equal width divide the range from `lower` to `upper`; -1
// outside. CUB multiplies by a reciprocal too, which decides the bin of a sample at a border; whole
// numbers are exact.
template <typename Level, typename Sample>
CUDACPU_HOST_DEVICE int even_bin(Sample sample, Level lower, Level upper, int bins) {
  using Common = std::common_type_t<Level, Sample>;
  const Common value = static_cast<Common>(sample), low = static_cast<Common>(lower),
               high = static_cast<Common>(upper);
  if (!(value >= low) || !(value < high)) return -1;
  if constexpr (std::is_integral<Common>::value) {
    using Wide = unsigned long long;
    const Wide start = static_cast<Wide>(low);
    return static_cast<int>((static_cast<Wide>(value) - start) * static_cast<Wide>(bins) /
                            (static_cast<Wide>(high) - start));
  } else {
    const Common reciprocal = static_cast<Common>(static_cast<Common>(bins) / (high - low));
    return static_cast<int>((value - low) * reciprocal);
  }
}

// The bin of a sample between two of the sorted `borders`, or -1.
template <typename Level, typename Sample>
CUDACPU_HOST_DEVICE int bin_between(Sample sample, const Level* borders, int levels) {
  const Level* above =
      thrust::upper_bound(thrust::seq, borders, borders + levels, static_cast<Level>(sample));
  return above == borders + levels ? -1 : static_cast<int>(above - borders) - 1;
}

// Makes a histogram for each of the first channels; `find` returns the bin of a channel's sample.
template <int kChannels, typename In, typename Counter, size_t kActive, typename Find>
CUDACPU_HOST_DEVICE cudaError_t histograms(void* memory, size_t& bytes, In in,
                                           cuda::std::array<Counter*, kActive> bins,
                                           cuda::std::array<int, kActive> levels, Rows rows,
                                           cudaStream_t stream, Find find) {
  return run(memory, bytes, stream, [=] {
    for (size_t channel = 0; channel < kActive; ++channel)
      for (int bin = 0; bin + 1 < levels[channel]; ++bin)
        bins[channel][bin] = 0;
    for (long long row = 0; row < rows.rows; ++row)
      for (long long pixel = 0; pixel < rows.pixels; ++pixel)
        for (size_t channel = 0; channel < kActive; ++channel) {
          const auto place =
              row * rows.stride + pixel * kChannels + static_cast<long long>(channel);
          const int bin = find(in[place], channel);
          if (bin >= 0) ++bins[channel][bin];
        }
  });
}

template <size_t n, typename T>
CUDACPU_HOST_DEVICE auto array_of(T* values) {
  cuda::std::array<std::remove_const_t<T>, n> copies{};
  for (size_t i = 0; i < n; ++i)
    copies[i] = values[i];
  return copies;
}

}  // namespace detail

struct DeviceHistogram {
  // A range that `levels` borders divide into `levels` - 1 bins, for each active channel. The
  // samples are in several rows, or in one.
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramEven(
      void* memory, size_t& bytes, In in, cuda::std::array<Counter*, kActive> bins,
      cuda::std::array<int, kActive> levels, cuda::std::array<Level, kActive> lower,
      cuda::std::array<Level, kActive> upper, long long row_pixels, long long rows,
      size_t row_stride_bytes, cudaStream_t stream = nullptr) {
    return detail::histograms<kChannels>(
        memory, bytes, in, bins, levels, detail::rows_of(in, row_pixels, rows, row_stride_bytes),
        stream, [=](auto sample, size_t channel) {
          return detail::even_bin(sample, lower[channel], upper[channel], levels[channel] - 1);
        });
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramEven(
      void* memory, size_t& bytes, In in, cuda::std::array<Counter*, kActive> bins,
      cuda::std::array<int, kActive> levels, cuda::std::array<Level, kActive> lower,
      cuda::std::array<Level, kActive> upper, long long pixels, cudaStream_t stream = nullptr) {
    return MultiHistogramEven<kChannels, kActive>(memory, bytes, in, bins, levels, lower, upper,
                                                  pixels, 1, 0, stream);
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramEven(void* memory, size_t& bytes, In in,
                                                            Counter** bins, const int* levels,
                                                            const Level* lower, const Level* upper,
                                                            long long row_pixels, long long rows,
                                                            size_t row_stride_bytes,
                                                            cudaStream_t stream = nullptr) {
    return MultiHistogramEven<kChannels, kActive>(
        memory, bytes, in, detail::array_of<kActive>(bins), detail::array_of<kActive>(levels),
        detail::array_of<kActive>(lower), detail::array_of<kActive>(upper), row_pixels, rows,
        row_stride_bytes, stream);
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramEven(void* memory, size_t& bytes, In in,
                                                            Counter** bins, const int* levels,
                                                            const Level* lower, const Level* upper,
                                                            long long pixels,
                                                            cudaStream_t stream = nullptr) {
    return MultiHistogramEven<kChannels, kActive>(
        memory, bytes, in, detail::array_of<kActive>(bins), detail::array_of<kActive>(levels),
        detail::array_of<kActive>(lower), detail::array_of<kActive>(upper), pixels, stream);
  }
  template <typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t HistogramEven(void* memory, size_t& bytes, In in,
                                                       Counter* bins, int levels, Level lower,
                                                       Level upper, long long row_pixels,
                                                       long long rows, size_t row_stride_bytes,
                                                       cudaStream_t stream = nullptr) {
    return MultiHistogramEven<1, 1>(memory, bytes, in, &bins, &levels, &lower, &upper, row_pixels,
                                    rows, row_stride_bytes, stream);
  }
  template <typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t HistogramEven(void* memory, size_t& bytes, In in,
                                                       Counter* bins, int levels, Level lower,
                                                       Level upper, long long pixels,
                                                       cudaStream_t stream = nullptr) {
    return MultiHistogramEven<1, 1>(memory, bytes, in, &bins, &levels, &lower, &upper, pixels,
                                    stream);
  }

  // The same with the borders themselves, which are sorted and in memory of the device.
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramRange(
      void* memory, size_t& bytes, In in, cuda::std::array<Counter*, kActive> bins,
      cuda::std::array<int, kActive> levels, cuda::std::array<const Level*, kActive> borders,
      long long row_pixels, long long rows, size_t row_stride_bytes,
      cudaStream_t stream = nullptr) {
    return detail::histograms<kChannels>(
        memory, bytes, in, bins, levels, detail::rows_of(in, row_pixels, rows, row_stride_bytes),
        stream, [=](auto sample, size_t channel) {
          return detail::bin_between(sample, borders[channel], levels[channel]);
        });
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramRange(
      void* memory, size_t& bytes, In in, cuda::std::array<Counter*, kActive> bins,
      cuda::std::array<int, kActive> levels, cuda::std::array<const Level*, kActive> borders,
      long long pixels, cudaStream_t stream = nullptr) {
    return MultiHistogramRange<kChannels, kActive>(memory, bytes, in, bins, levels, borders, pixels,
                                                   1, 0, stream);
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramRange(void* memory, size_t& bytes, In in,
                                                             Counter** bins, const int* levels,
                                                             const Level* const* borders,
                                                             long long row_pixels, long long rows,
                                                             size_t row_stride_bytes,
                                                             cudaStream_t stream = nullptr) {
    return MultiHistogramRange<kChannels, kActive>(
        memory, bytes, in, detail::array_of<kActive>(bins), detail::array_of<kActive>(levels),
        detail::array_of<kActive>(borders), row_pixels, rows, row_stride_bytes, stream);
  }
  template <int kChannels, int kActive, typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t MultiHistogramRange(void* memory, size_t& bytes, In in,
                                                             Counter** bins, const int* levels,
                                                             const Level* const* borders,
                                                             long long pixels,
                                                             cudaStream_t stream = nullptr) {
    return MultiHistogramRange<kChannels, kActive>(
        memory, bytes, in, detail::array_of<kActive>(bins), detail::array_of<kActive>(levels),
        detail::array_of<kActive>(borders), pixels, stream);
  }
  template <typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t HistogramRange(void* memory, size_t& bytes, In in,
                                                        Counter* bins, int levels,
                                                        const Level* borders, long long row_pixels,
                                                        long long rows, size_t row_stride_bytes,
                                                        cudaStream_t stream = nullptr) {
    return MultiHistogramRange<1, 1>(memory, bytes, in, &bins, &levels, &borders, row_pixels, rows,
                                     row_stride_bytes, stream);
  }
  template <typename In, typename Counter, typename Level>
  CUDACPU_HOST_DEVICE static cudaError_t HistogramRange(void* memory, size_t& bytes, In in,
                                                        Counter* bins, int levels,
                                                        const Level* borders, long long pixels,
                                                        cudaStream_t stream = nullptr) {
    return MultiHistogramRange<1, 1>(memory, bytes, in, &bins, &levels, &borders, pixels, stream);
  }
};

}  // namespace cub
