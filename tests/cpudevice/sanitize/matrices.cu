// Warp matrix functions: a lane's part of a load or store is an access as any other, and all lanes
// of the warp have to come.
// finding: race @a @b
// finding: uninitialised @c
// finding: mask @d
// finding: misaligned @e
// finding: bad_access @f
// said: calls wmma::mma_sync() with mask 0xffffffff, which names threads 16-31 too
#include <mma.h>

#include "launch.h"

using namespace nvcuda::wmma;
using FactorA = fragment<matrix_a, 16, 16, 16, half, row_major>;
using FactorB = fragment<matrix_b, 16, 16, 16, half, col_major>;
using Sum = fragment<accumulator, 16, 16, 16, float>;

// Right: what the other warp has stored is read behind a barrier.
__global__ void with_barrier(half* data, float* out) {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    tile[i] = data[i];
  __syncthreads();
  FactorA a;
  FactorB b;
  Sum sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(a, tile, 16);
  load_matrix_sync(b, data, 16);
  mma_sync(sum, a, b, sum);
  if (threadIdx.x < 32) store_matrix_sync(out, sum, 16, mem_row_major);
}

__global__ void no_barrier(const half* data) {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    tile[i] = data[i];  // @a
  FactorA a;
  load_matrix_sync(a, tile, 16);  // @b
}

__global__ void unwritten_rows() {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 128; i += 32)
    tile[i] = half(0.0f);
  __syncwarp();
  FactorA a;
  load_matrix_sync(a, tile, 16);  // @c
}

__global__ void half_a_warp() {
  FactorA a;
  FactorB b;
  Sum sum;
  fill_fragment(a, half(1.0f));
  fill_fragment(b, half(1.0f));
  fill_fragment(sum, 0.0f);
  if (threadIdx.x < 16) mma_sync(sum, a, b, sum);  // @d
}

__global__ void odd_pitch(const half* data) {
  FactorA a;
  load_matrix_sync(a, data, 17);  // @e
}

__global__ void last_row_missing(float* out) {
  Sum sum;
  fill_fragment(sum, 0.0f);
  store_matrix_sync(out, sum, 20, mem_row_major);  // @f
}

int main() {
  half* data = zeros<half>(512);
  float* out = zeros<float>(300);
  with_barrier<<<1, 64>>>(data, out);
  no_barrier<<<1, 64>>>(data);
  unwritten_rows<<<1, 32>>>();
  half_a_warp<<<1, 32>>>();
  finish(data);
  cudaDeviceReset();
  data = zeros<half>(512);
  odd_pitch<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  cudaDeviceReset();
  out = zeros<float>(300);
  last_row_missing<<<1, 32>>>(out);
  finish(out);
}
