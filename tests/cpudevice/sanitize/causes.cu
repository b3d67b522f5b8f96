// What a missing barrier leaves behind: wrong values, used as an index. The race is the cause.
// finding: race @a @b
// finding: bad_access @c
// finding: uninitialised @d
// finding: bad_access @e
// finding: barrier @f
// finding: bad_access @g
// finding: bad_access @h
// finding: race @h @h
// said: this may follow from the race at tests/cpudevice/sanitize/causes.cu:
// said: this may follow from the uninitialised read at tests/cpudevice/sanitize/causes.cu:
// said: this may follow from the barrier at tests/cpudevice/sanitize/causes.cu:
#include "launch.h"

__global__ void race_then_index(const int* data, int* out) {
  __shared__ int order[64];
  order[threadIdx.x] = 63 - threadIdx.x;  // @a
  const int i = order[63 - threadIdx.x];  // @b
  out[threadIdx.x] = data[i];             // @c
}

__global__ void unwritten_index(const int* data, int* out) {
  __shared__ int order[64];
  if (threadIdx.x < 32) order[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int i = order[threadIdx.x];  // @d
  out[threadIdx.x] = data[i];        // @e
}

__global__ void barrier_then_index(const int* data, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = -1;
  if (threadIdx.x < 32) {
    __syncthreads();                 // @f
    out[threadIdx.x] = data[count];  // @g
  }
}

// The wrong index is the cause, and the race of neighbours follows from the index.
__global__ void index_then_race(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  tile[threadIdx.x] = tile[threadIdx.x + 1];  // @h
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int* data = zeros<int>(64);
  int* out = zeros<int>(64);
  race_then_index<<<1, 64>>>(data, out);
  unwritten_index<<<1, 64>>>(data, out);
  barrier_then_index<<<1, 64>>>(data, out);
  index_then_race<<<1, 64, 64 * sizeof(int)>>>(out);
  cudaFree(data);
  finish(out);
}
