// CUB's traits of numbers: the order of keys is the order of the changed bits.
// expect: done
#include <cub/cub.cuh>
#include <limits>

#include "../../cpudevice/run/check.h"

// A type whose order the program defines.
struct Level {
  float value;
};
template <>
struct cub::NumericTraits<Level>
    : cub::BaseTraits<cub::UNSIGNED_INTEGER, true, unsigned int, unsigned int> {};

template <typename T>
struct Keys {
  using Traits = cub::Traits<T>;
  using Bits = typename Traits::UnsignedBits;
  static_assert(sizeof(Bits) == sizeof(T), "bits of the same size");

  static __host__ __device__ Bits bits(T key) {
    Bits result;
    memcpy(&result, &key, sizeof(T));
    return Traits::TwiddleIn(result);
  }
  static __host__ __device__ T key(Bits bits) {
    const Bits plain = Traits::TwiddleOut(bits);
    T result;
    memcpy(&result, &plain, sizeof(T));
    return result;
  }
};

template <typename T>
__global__ void order_kernel(T low, T high, bool* right) {
  *right = Keys<T>::bits(low) < Keys<T>::bits(high) && Keys<T>::key(Keys<T>::bits(low)) == low &&
           Keys<T>::key(Keys<T>::bits(high)) == high;
}

template <typename T>
void check(T low, T high) {
  bool *right, result = false;
  CHECK_OK(cudaMalloc(&right, 1));
  order_kernel<T><<<1, 1>>>(low, high, right);
  CHECK_OK(cudaMemcpy(&result, right, 1, cudaMemcpyDeviceToHost));
  CHECK(result);
  CHECK_OK(cudaFree(right));
}

int main() {
  check(-7, 3);
  check(std::numeric_limits<long long>::lowest(), -1LL);
  check(7u, ~0u);
  check<signed char>(-128, 127);
  check<unsigned char>(127, 128);
  check(-2.5f, -2.f);
  check(-1e-30f, 0.f);
  check(1e200, 1e201);
  check(__float2half(-1.5f), __float2half(0.5f));
  check(__float2bfloat16(-1.5f), __float2bfloat16(-0.5f));
  static_assert(std::is_same<cub::Traits<const double>::UnsignedBits, unsigned long long>::value,
                "of a constant too");
  CHECK(cub::Traits<int>::TwiddleIn(cub::Traits<int>::LOWEST_KEY) == 0);
  CHECK(cub::Traits<Level>::MAX_KEY == ~0u);
  puts("done");
}
