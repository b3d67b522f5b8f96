// cub::DeviceMemcpy and cub::DeviceCopy: many small arrays in one call.
#pragma once

#include "device.h"

namespace cub {

// `sizes` are in bytes.
struct DeviceMemcpy {
  template <typename Inputs, typename Outputs, typename Sizes>
  CUDACPU_HOST_DEVICE static cudaError_t Batched(void* memory, size_t& bytes, Inputs inputs,
                                                 Outputs outputs, Sizes sizes, long long buffers,
                                                 cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=] {
      for (long long buffer = 0; buffer < buffers; ++buffer) {
        const auto* const from = static_cast<const char*>(static_cast<const void*>(inputs[buffer]));
        auto* const to = static_cast<char*>(static_cast<void*>(outputs[buffer]));
        for (size_t i = 0; i < static_cast<size_t>(sizes[buffer]); ++i)
          to[i] = from[i];
      }
    });
  }
};

// `sizes` are in elements.
struct DeviceCopy {
  template <typename Inputs, typename Outputs, typename Sizes>
  CUDACPU_HOST_DEVICE static cudaError_t Batched(void* memory, size_t& bytes, Inputs inputs,
                                                 Outputs outputs, Sizes sizes, long long ranges,
                                                 cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=] {
      for (long long range = 0; range < ranges; ++range) {
        const auto from = inputs[range];
        auto to = outputs[range];
        for (long long i = 0; i < static_cast<long long>(sizes[range]); ++i)
          to[i] = from[i];
      }
    });
  }
};

}  // namespace cub
