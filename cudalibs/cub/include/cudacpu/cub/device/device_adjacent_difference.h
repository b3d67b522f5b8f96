// cub::DeviceAdjacentDifference: the difference of each element and the previous or the next
// element.
#pragma once

#include "device.h"

namespace cub {

struct DeviceAdjacentDifference {
  // The element with no neighbour is copied. The result may replace the elements.
  template <typename In, typename Out, typename Minus = std::minus<>>
  CUDACPU_HOST_DEVICE static cudaError_t SubtractLeftCopy(void* memory, size_t& bytes, In given,
                                                          Out given_out, long long n,
                                                          Minus minus = {},
                                                          cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      for (long long i = n - 1; i > 0; --i)
        out[i] = minus(in[i], in[i - 1]);
      if (n > 0) out[0] = in[0];
    });
  }
  template <typename In, typename Out, typename Minus = std::minus<>>
  CUDACPU_HOST_DEVICE static cudaError_t SubtractRightCopy(void* memory, size_t& bytes, In given,
                                                           Out given_out, long long n,
                                                           Minus minus = {},
                                                           cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      for (long long i = 0; i + 1 < n; ++i)
        out[i] = minus(in[i], in[i + 1]);
      if (n > 0) out[n - 1] = in[n - 1];
    });
  }
  template <typename InOut, typename Minus = std::minus<>>
  CUDACPU_HOST_DEVICE static cudaError_t SubtractLeft(void* memory, size_t& bytes, InOut data,
                                                      long long n, Minus minus = {},
                                                      cudaStream_t stream = nullptr) {
    return SubtractLeftCopy(memory, bytes, data, data, n, minus, stream);
  }
  template <typename InOut, typename Minus = std::minus<>>
  CUDACPU_HOST_DEVICE static cudaError_t SubtractRight(void* memory, size_t& bytes, InOut data,
                                                       long long n, Minus minus = {},
                                                       cudaStream_t stream = nullptr) {
    return SubtractRightCopy(memory, bytes, data, data, n, minus, stream);
  }
};

}  // namespace cub
