// A remainder of 128 bits for each element.
// measured: more=1141 plain=66
// modelled: 0.7..1.3
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto bits = static_cast<unsigned __int128>(__float_as_uint(x[i])) << 64 | i;
  const auto divisor = static_cast<unsigned __int128>(__float_as_uint(y[i])) << 32 | 12345;
  result[i] = static_cast<float>(static_cast<unsigned long long>(bits % divisor));
}

int main() {
  run(1 << 14);
}
