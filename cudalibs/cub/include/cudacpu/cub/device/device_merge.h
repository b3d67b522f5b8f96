// cub::DeviceMerge: merges two sorted arrays.
#pragma once

#include "device.h"

namespace cub {

struct DeviceMerge {
  // Of equal keys, the keys of the first array come first.
  template <typename In1, typename In2, typename Out, typename Less = std::less<>>
  CUDACPU_HOST_DEVICE static cudaError_t MergeKeys(void* memory, size_t& bytes, In1 first,
                                                   long long n, In2 second, long long m, Out out,
                                                   Less less_than = {},
                                                   cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=] {
      thrust::merge(thrust::seq, first, first + n, second, second + m, out, less_than);
    });
  }
  template <typename In1, typename Values1, typename In2, typename Values2, typename Out,
            typename OutValues, typename Less = std::less<>>
  CUDACPU_HOST_DEVICE static cudaError_t MergePairs(void* memory, size_t& bytes, In1 first,
                                                    Values1 first_values, long long n, In2 second,
                                                    Values2 second_values, long long m, Out out,
                                                    OutValues out_values, Less less_than = {},
                                                    cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=] {
      thrust::merge_by_key(thrust::seq, first, first + n, second, second + m, first_values,
                           second_values, out, out_values, less_than);
    });
  }
};

}  // namespace cub
