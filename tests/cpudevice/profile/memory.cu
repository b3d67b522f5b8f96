// The other memories: constants, local variables, __device__ variables, atomics; and long traces.
__constant__ float weights[64];
__device__ int total;
__device__ int table[64];

// kernel constants: same_address_atomics=1
__global__ void constants(float* out) {
  const int i = threadIdx.x;
  float sum = weights[3];  // constant_load: requests=1 wavefronts=1 ideal_wavefronts=1
  sum += weights[i];       // constant_load: requests=1 wavefronts=32
  sum += table[i];         // global_load: requests=1 sectors=4 lines128=1
  out[i] = sum;
  atomicAdd(&total, 1);  // atomic_global: lanes=32 conflicts=31 sectors=1 ideal_sectors=1
}

// kernel locals
__global__ void locals(int* out, int n) {
  int stack[64];
  int size = 0;
  for (int i = 0; i < n; ++i)
    stack[size++] = i * threadIdx.x;
  int* volatile hidden = stack;
  int* where = hidden;
  out[threadIdx.x] = where[n / 2];  // local_load: requests=1 lanes=32 sectors=4 ideal_sectors=4
}

// Few bins for all: lanes wait for each other.
// kernel histogram: same_address_atomics=1024
__global__ void histogram(const int* keys, unsigned* bins) {
  __shared__ unsigned own[32];
  own[threadIdx.x % 32] = 0;
  __syncthreads();
  const int key = keys[threadIdx.x];
  atomicAdd(&own[key], 1);  // atomic_shared: requests=64 lanes=2048 conflicts=1984
  const int bin = key + threadIdx.x % 2;
  atomicAdd(&bins[bin], 1);  // atomic_global: requests=64 lanes=2048 conflicts=1920
}

// Operations that this device makes of several steps are one request each.
// kernel steps: local_bytes=0
__global__ void steps(float* sum, int* most, int* lock) {
  atomicAdd(sum, 1.0f);                 // atomic_global: requests=1 lanes=32 conflicts=31
  atomicMax(most, threadIdx.x);         // atomic_global: requests=1 lanes=32
  atomicCAS(lock, 0, threadIdx.x);      // atomic_global: requests=1 lanes=32
  if (threadIdx.x == 0) *lock = *most;  // global_load: requests=1 lanes=1
}

// Longer than any buffer, and different in each lane.
// kernel long_loops: active_lane_average<32
__global__ void long_loops(const int* in, int* out) {
  int sum = 0;
  for (int i = 0; i < 20000 + 100 * threadIdx.x; ++i)
    sum += in[i % 64];  // global_load: requests=23100 lanes=689600
  out[threadIdx.x] = sum;
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  cudaMemset(a, 0, 1 << 16);
  constants<<<1, 32>>>((float*)b);
  locals<<<1, 32>>>(b, 40);
  for (int i = 0; i < 2; ++i)
    histogram<<<1, 1024>>>(a, (unsigned*)b);
  steps<<<1, 32>>>((float*)b, a + 100, a + 101);
  long_loops<<<1, 32>>>(a, b);
  return cudaDeviceSynchronize();
}
