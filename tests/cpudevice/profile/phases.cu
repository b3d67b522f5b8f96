// How often a warp waits for memory: independent loads wait together.

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

// All threads take the branch, but only once the condition is known.
// kernel guarded: load_phases=2 waits_for_l2=1 waits_for_memory=1
__global__ void guarded(const int* index, const int* a, int* out) {
  const int i = threadIdx.x;
  if (index[i] >= 64) return;
  out[i] = a[i + 1024];
}

// A few instructions are predicated.
// kernel predicated: load_phases=1
__global__ void predicated(const int* index, const int* a, int* out) {
  const int i = threadIdx.x;
  int sum = 0;
  if (index[i] >= 64) sum = i * i ^ 5;
  out[i] = sum + a[i];
}

// Values loaded before a loop are known in each round.
// kernel counted: load_phases=3
__global__ void counted(const int* index, const int* a, int* out) {
  const int n = index[0] / 64 + 16;
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[32 * k + threadIdx.x];
  out[threadIdx.x] = sum;
}

// The second warp's loads are on their way when the warp asks; later the cache has the data.
// kernel shared_line: load_phases=2 waits_for_l1=1 waits_for_memory=1
__global__ void shared_line(const int* a, int* out) {
  const int i = threadIdx.x;
  const int first = a[i % 32 + 2048];
  __syncthreads();
  out[i] = first + a[i % 32 + 2048];
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
  guarded<<<1, 32>>>(a, a, b);
  predicated<<<1, 32>>>(a, a, b);
  counted<<<1, 32>>>(a, a, b);
  shared_line<<<1, 64>>>(a, b);
  return cudaDeviceSynchronize();
}
