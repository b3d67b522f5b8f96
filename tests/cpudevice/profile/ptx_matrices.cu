// mma.sync, ldmatrix and cp.async: one request of 8 rows of 16 bytes for each matrix; a copy is a
// load and a store of shared memory, neither of which waits for the other.
#include <cuda_runtime.h>

// What is counted stands behind its line.
// clang-format off

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// kernel step: warps=1 local_bytes=0 warp_syncs=1 load_phases=1
__global__ void step(const uint4* in, float* out) {
  __shared__ uint4 tile[32 * 2];
  const int lane = threadIdx.x;
  const unsigned to = shared_address(&tile[lane]), row = shared_address(&tile[2 * lane]);
  unsigned a[4], b[2];
  float d[4] = {0, 0, 0, 0};
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + lane));  // global_load: requests=1 sectors=16
  asm volatile("cp.async.cg.shared.global [%0+512], [%1], 16;" ::"r"(to), "l"(in + 32 + lane));  // shared_store: requests=1 wavefronts=4 bytes=512
  asm volatile("cp.async.wait_all;");
  asm volatile("bar.warp.sync 0xffffffff;");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"  // shared_load: wavefronts=4 bytes=512
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(to));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"  // shared_load: wavefronts=4 conflicts=2
               : "=r"(b[0]), "=r"(b[1])
               : "r"(row));
  for (int i = 0; i < 3; ++i)
    asm volatile(  // matrix_product: requests=3 lanes=96
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[lane] = d[0] + d[1] + d[2] + d[3];
}

int main() {
  uint4* in;
  cudaMalloc(&in, 4096);
  cudaMemset(in, 0, 4096);
  step<<<1, 32>>>(in, reinterpret_cast<float*>(in + 128));
  cudaDeviceSynchronize();
  cudaFree(in);
}
