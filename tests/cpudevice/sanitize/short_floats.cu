// Numbers of 16 bits are observed like any other memory, also when a function for them writes.
// finding: race @a @a
// finding: bad_access @b
// finding: uninitialised @c
#include <cuda_bf16.h>

#include "launch.h"

__global__ void shifted_sum(__nv_bfloat16* data) {
  const int i = threadIdx.x;
  data[i] = __hadd(data[i], data[i + 1]);  // @a
}

__global__ void past_the_end(__nv_bfloat162* data, int n) {
  const int i = threadIdx.x;
  if (i <= n) data[i] = __hmul2(__float2bfloat162_rn(2.0f), __float2bfloat162_rn(1.0f));  // @b
}

__global__ void unwritten(__nv_bfloat16* data) {
  __shared__ __nv_bfloat16 sums[64];
  if (threadIdx.x < 32) sums[threadIdx.x] = data[threadIdx.x] * __float2bfloat16(0.5f);
  __syncthreads();
  data[threadIdx.x] = sums[threadIdx.x] + sums[0];  // @c
}

int main() {
  auto* data = zeros<__nv_bfloat16>(128);
  shifted_sum<<<1, 64>>>(data);
  unwritten<<<1, 64>>>(data);
  past_the_end<<<1, 128>>>(reinterpret_cast<__nv_bfloat162*>(data), 64);
  finish(data);
}
