// Lanes that part and come together again: each line is executed as often as a GPU would.

// kernel branches: warps=1
__global__ void branches(const int* in, int* out) {
  const int i = threadIdx.x;
  if (i % 2 == 0) {
    out[i] = in[i];  // global_load: requests=1 lanes=16 sectors=4
  } else {
    out[i] = in[64 + i];  // global_load: requests=1 lanes=16 sectors=4
  }
  out[32 + i] = in[i];  // global_load: requests=1 lanes=32 sectors=4
}

// Lane i goes round i times: as many requests as the longest lane has rounds, 0 to 31 lanes each.
// kernel rounds
__global__ void rounds(const int* in, int* out) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < i; ++k) {
    sum += in[32 * k + i];  // global_load: requests=31 lanes=496
  }
  out[i] = sum;  // global_store: requests=1 lanes=32
}

// The lanes leave a search at different times, and meet again behind it.
// kernel search
__global__ void search(const int* in, int* out) {
  const int i = threadIdx.x;
  int k = 0;
  while (in[k] < i / 4) {  // global_load: requests=8 lanes=144
    ++k;
  }
  if (i == 31) return;
  out[i] = k;  // global_store: requests=1 lanes=31
}

__device__ __noinline__ int twice(const int* in, int i) {
  return 2 * in[i];  // global_load: requests=2 lanes=32
}

// A function called in both branches runs once for each.
// kernel calls
__global__ void calls(const int* in, int* out) {
  const int i = threadIdx.x;
  int x;
  if (i < 10) {
    x = twice(in, i);
  } else {
    x = twice(in, 2 * i) + 1;
  }
  out[i] = x;  // global_store: requests=1 lanes=32
}

__device__ int depth(const int* in, int i) {
  if (i == 0) return in[0];  // global_load: requests=8 lanes=32
  return depth(in, i - 1) + 1;
}

// kernel recursion
__global__ void recursion(const int* in, int* out) {
  out[threadIdx.x] = depth(in, threadIdx.x % 8);  // global_store: requests=1 lanes=32
}

// Half of the warps have nothing to do, in the others one lane in two: half of a warp on average.
// kernel some: active_lane_average<32 active_lane_average>16
__global__ void some(const int* in, int* out) {
  const int i = threadIdx.x;
  if (i >= 64) return;
  if (i % 2) out[i] = in[i];  // global_load: requests=2 lanes=32
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  int host[1024];
  for (int i = 0; i < 1024; ++i)
    host[i] = i;
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  branches<<<1, 32>>>(a, b);
  rounds<<<1, 32>>>(a, b);
  search<<<1, 32>>>(a, b);
  calls<<<1, 32>>>(a, b);
  recursion<<<1, 32>>>(a, b);
  some<<<1, 128>>>(a, b);
  return cudaDeviceSynchronize();
}
