// Work from an atomic counter is spread over the blocks that the device holds at
// once.

constexpr int kItems = 2000;

// A block takes an item at a time; the items' lengths are very different.
// kernel items: blocks=16 barriers>200 barriers<300
__global__ void items(int* counter, const int* in, int* out, int* taken) {
  __shared__ int item;
  int count = 0;
  while (true) {
    if (threadIdx.x == 0) item = atomicAdd(counter, 1);  // atomic_global: requests=2016
    __syncthreads();
    const int mine = item;
    __syncthreads();
    if (mine >= kItems) break;
    int sum = 0;
    for (int k = 0; k < mine % 50; ++k)
      sum += in[32 * k + threadIdx.x];
    out[threadIdx.x] = sum;
    ++count;
  }
  if (threadIdx.x == 0) taken[blockIdx.x] = count;
}

// Each thread takes items alone.
// kernel threads
__global__ void threads(int* counter, const int* in, int* out, int* taken) {
  int count = 0;
  while (true) {
    const int item = atomicAdd(counter, 1);  // atomic_global: lanes=3024
    if (item >= kItems) break;
    int sum = 0;
    for (int k = 0; k < 1000; ++k)
      sum += in[k];
    out[threadIdx.x] = sum;
    ++count;
  }
  taken[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

// Each warp takes items alone: a lane takes for all lanes, which wait for the item and then work.
// kernel warps
__global__ void warps(int* counter, const int* in, int* out, int* taken) {
  int count = 0;
  while (true) {
    int item = 0;
    if (threadIdx.x % 32 == 0) item = atomicAdd(counter, 1);  // atomic_global: requests=2128
    item = __shfl_sync(0xffffffff, item, 0);
    if (item >= kItems) break;
    int sum = in[threadIdx.x];
    for (int k = 0; k < 64; ++k)
      sum = 3 * sum + k;
    out[threadIdx.x] = sum;
    ++count;
  }
  if (threadIdx.x % 32 == 0) taken[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = count;
}

// Who came last does the rest: all blocks have to end first.
// kernel last_block: launches=1
__global__ void last_block(int* counter, const int* in, int* out) {
  __shared__ bool last;
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(counter, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) out[threadIdx.x] = in[threadIdx.x];  // global_store: requests=2
}

// Every block has a share, and none much more than the others.
bool spread(const int* taken, int n, int least, int most) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (taken[i] < least || taken[i] > most) return false;
    sum += taken[i];
  }
  return sum == kItems;
}

int main() {
  int *a, *b, *counter, *taken;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  cudaMallocManaged(&counter, 16);
  cudaMallocManaged(&taken, 4096);
  counter[0] = counter[1] = counter[2] = counter[3] = 0;
  cudaMemset(a, 0, 1 << 16);
  items<<<16, 32>>>(counter, a, b, taken);
  cudaDeviceSynchronize();
  if (!spread(taken, 16, kItems / 16 - 20, kItems / 16 + 20)) return 1;
  threads<<<2, 512>>>(counter + 1, a, b, taken);
  cudaDeviceSynchronize();
  if (!spread(taken, 1024, 1, 3)) return 2;
  warps<<<16, 256>>>(counter + 3, a, b, taken);
  cudaDeviceSynchronize();
  if (!spread(taken, 128, 14, 17)) return 4;
  last_block<<<200, 64>>>(counter + 2, a, b);
  cudaDeviceSynchronize();
  return counter[2] == 200 ? 0 : 3;
}
