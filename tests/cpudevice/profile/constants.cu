// Constant memory serves an address of a warp at a time, and the first cache holds 2 KB.
__constant__ float table[1 << 14];

// kernel uniform: shuffle_clocks=0
__global__ void uniform(float* out) {
  out[threadIdx.x] = table[blockIdx.x];  // constant_load: requests=4 wavefronts=4
}

__global__ void divergent(float* out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += table[(threadIdx.x * 797 + i * 4099) % (1 << 14)];  // constant_load: wavefronts=512
  out[threadIdx.x] = sum;
}

// A shuffle is a clock of the exchange, a reduction two.
// kernel exchanging: shuffle_clocks=6 warp_syncs=6
__global__ void exchanging(float* out) {
  float value = threadIdx.x;
  for (int offset = 16; offset > 1; offset /= 2)
    value += __shfl_xor_sync(~0u, value, offset);
  const unsigned most = __reduce_max_sync(~0u, static_cast<unsigned>(value));
  __syncwarp();
  out[threadIdx.x] = value + most;
}

// kernel printing: prints=32
__global__ void printing() {
  printf("%d\n", threadIdx.x);
}

int main() {
  float* out;
  cudaMalloc(&out, 1024);
  uniform<<<4, 32>>>(out);
  divergent<<<1, 32>>>(out);
  exchanging<<<1, 32>>>(out);
  printing<<<1, 32>>>();
  cudaDeviceSynchronize();
}
