// Products of matrices: multiplications by type; loads by the lanes that load, from shared
// memory by rows of 16 bytes.
#include <mma.h>

using namespace nvcuda::wmma;

// kernel from_global: warps=1 warp_syncs=0 local_bytes=0
__global__ void from_global(const half* a, const half* b, float* c) {
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(fa, a, 16);                   // global_load: requests=4 bytes=512 lanes=128
  load_matrix_sync(fb, b, 16);                   // global_load: requests=8 bytes=512 sectors=32
  mma_sync(sum, fa, fb, sum);                    // matrix_product: requests=1 lanes=32
  store_matrix_sync(c, sum, 16, mem_row_major);  // global_store: requests=4 bytes=1024 sectors=32
}

// With a pitch of 24 halves no two of 8 rows share banks; with a pitch of 16, four rows do.
// kernel from_shared: warps=1 local_bytes=0
__global__ void from_shared(const half* in, half* out) {
  __shared__ __align__(32) half padded[16 * 24], tile[16 * 16];
  for (int i = threadIdx.x; i < 16 * 24; i += 32)
    padded[i] = in[i];
  for (int i = threadIdx.x; i < 16 * 16; i += 32)
    tile[i] = in[i];
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, row_major> fb;
  fragment<accumulator, 16, 16, 16, half> sum;
  fill_fragment(sum, half(0.0f));
  load_matrix_sync(fa, padded, 24);  // shared_load: requests=1 bytes=512 wavefronts=4 conflicts=0
  load_matrix_sync(fb, tile, 16);    // shared_load: requests=1 bytes=512 wavefronts=8 conflicts=4
  for (int i = 0; i < 3; ++i)
    mma_sync(sum, fa, fb, sum);  // matrix_product: requests=3 lanes=96
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] = __hmul(sum.x[i], half(2.0f));
  store_matrix_sync(out, sum, 16, mem_row_major);  // global_store: requests=4 bytes=512
}

int main() {
  void* data;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  auto* halves = static_cast<half*>(data);
  from_global<<<1, 32>>>(halves, halves, reinterpret_cast<float*>(halves + 1024));
  from_shared<<<1, 32>>>(halves, halves + 1024);
  cudaDeviceSynchronize();
  cudaFree(data);
}
