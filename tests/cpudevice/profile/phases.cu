// How often a warp waits for memory: loads that do not need each other wait together.

// kernel streaming: load_phases=1
__global__ void streaming(const float* a, const float* b, float* out) {
  const int i = threadIdx.x;
  out[i] = a[i] + b[i];
}

// A store in between may change what is loaded next.
// kernel in_turn: load_phases=4
__global__ void in_turn(const float* a, float* out) {
  for (int k = 0; k < 4; ++k)
    out[32 * k + threadIdx.x] = a[32 * k + threadIdx.x];
}

// kernel summing: load_phases=2
__global__ void summing(const float* a, float* out) {
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += a[32 * k + threadIdx.x];
  out[threadIdx.x] = sum;
}

// kernel gathering: load_phases=2
__global__ void gathering(const int* index, const int* a, int* out) {
  const int i = threadIdx.x;
  out[i] = a[index[i]] + a[index[32 + i]];
}

// kernel chasing: load_phases=10
__global__ void chasing(const int* next, int* out) {
  int i = threadIdx.x;
  for (int k = 0; k < 10; ++k)
    i = next[i];
  out[threadIdx.x] = i;
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  int host[64];
  unsigned random = 1;
  for (int& x : host) {
    random = random * 1664525 + 1013904223;
    x = random >> 26;
  }
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  streaming<<<1, 32>>>((float*)a, (float*)a, (float*)b);
  in_turn<<<1, 32>>>((float*)a, (float*)b);
  summing<<<1, 32>>>((float*)a, (float*)b);
  gathering<<<1, 32>>>(a, a, b);
  chasing<<<1, 32>>>(a, b);
  return cudaDeviceSynchronize();
}
