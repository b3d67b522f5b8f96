// cub::DeviceTransform: a function of the elements of one or several arrays, by a thread each.
#pragma once

#include "device.h"

namespace cub {

struct DeviceTransform {
  template <typename... In, typename Out, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t Transform(thrust::tuple<In...> inputs, Out output,
                                                   long long n, Function function,
                                                   cudaStream_t stream = nullptr) {
    auto out = thrust::detail::unwrap(output);
    std::apply(
        [&](auto... given) {
          transform(out, n, function, stream, thrust::detail::unwrap(given)...);
        },
        inputs);
    return cudaPeekAtLastError();
  }
  template <typename In, typename Out, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t Transform(In input, Out output, long long n,
                                                   Function function,
                                                   cudaStream_t stream = nullptr) {
    return Transform(thrust::tuple<In>(input), output, n, function, stream);
  }
  // With temporary storage: requests one byte.
  template <typename In, typename Out, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t Transform(void* memory, size_t& bytes, In input,
                                                   Out output, long long n, Function function,
                                                   cudaStream_t stream = nullptr) {
    if (memory) return Transform(input, output, n, function, stream);
    bytes = 1;
    return cudaSuccess;
  }
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE static cudaError_t TransformStableArgumentAddresses(
      Arguments&&... arguments) {
    return Transform(static_cast<Arguments&&>(arguments)...);
  }

 private:
  template <typename Out, typename Function, typename... In>
  CUDACPU_HOST_DEVICE static void transform(Out out, long long n, Function function,
                                            cudaStream_t stream, In... in) {
    thrust::detail::for_each_index(detail::in_stream(stream), n,
                                   [=](size_t i) mutable { out[i] = function(in[i]...); });
  }
};

}  // namespace cub
