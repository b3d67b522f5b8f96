// Volatile flags that threads poll are no races, whether a thread sees a flag early or late. A sum
// whose lanes lack a __syncwarp polls too, but at the lane's own place, and a thread may
// miss a flag that is taken back: both are races.
// finding: race @a @b
// finding: race @c @d
#include "launch.h"

// The first match ends the search, of all blocks.
__global__ void search_kernel(const int* x, int n, volatile bool* found, int* where) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && !*found; i += gridDim.x * blockDim.x)
    if (x[i] == 777) {
      *where = i;
      *found = true;
    }
}

// The same in shared memory, with the flag asked for before each step.
__global__ void block_search_kernel(const int* x, int n, int* where) {
  __shared__ volatile int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (done) break;
    if (x[i] == 333) {
      *where = i;
      done = 1;
    }
  }
}

// Rows are summed in turn.
__global__ void rows_kernel(const int* x, int rows, int* sums) {
  __shared__ volatile int part[64];
  part[threadIdx.x + 32] = 0;
  __syncthreads();
  for (int row = 0; row < rows; ++row) {
    part[threadIdx.x] = x[row * 32 + threadIdx.x];  // @b
    for (int s = 16; s > 0; s /= 2)
      part[threadIdx.x] += part[threadIdx.x + s];  // @a
    if (threadIdx.x == 0) sums[row] = part[0];
  }
}

// Lane 0 announces an item, and takes the flag back: other lanes may see either state, or neither.
__global__ void taken_back_kernel(int* seen) {
  __shared__ volatile int item;
  if (threadIdx.x == 0) item = 0;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) item = round % 2;  // @d
    if (threadIdx.x == 5 && item) ++*seen;   // @c
  }
}

int main() {
  constexpr int kCount = 2048;
  int* x = zeros<int>(kCount);
  int* results = zeros<int>(64);
  int values[kCount];
  for (int i = 0; i < kCount; ++i)
    values[i] = i;
  cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
  search_kernel<<<2, 64>>>(x, kCount, reinterpret_cast<bool*>(results), results + 1);
  block_search_kernel<<<1, 96>>>(x, kCount, results + 2);
  rows_kernel<<<1, 32>>>(x, 4, results + 8);
  taken_back_kernel<<<1, 32>>>(results + 4);
  cudaDeviceSynchronize();
  cudaFree(x);
  finish(results);
}
