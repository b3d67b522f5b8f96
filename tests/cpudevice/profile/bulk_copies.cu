// Bulk copies: a thread's access for each sector of global memory, and for all banks of shared
// memory; a thread that waits for an mbarrier waits as for loads.
#include <cstdint>

constexpr int kTile = 1024;

#define LOAD \
  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
#define WAIT \
  "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
#define STORE "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;"

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// kernel copies: launches=1 warps=4 barriers=1 load_phases=1
__global__ void copies(const int* in, int* out) {
  __shared__ __align__(128) int tile[kTile];
  __shared__ uint64_t barrier;
  const unsigned to = shared_address(tile), by = shared_address(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(by));
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(by));
    asm volatile(LOAD ::"r"(to), "l"(in), "r"(by));  // global_load: requests=128 sectors=128
  }
  __syncthreads();
  unsigned ended = 0;
  while (!ended)
    asm volatile(WAIT : "=r"(ended) : "r"(by) : "memory");  // shared_load: requests=4
  if (threadIdx.x == 0)
    asm volatile(STORE ::"l"(out), "r"(to) : "memory");  // global_store: requests=128 sectors=128
}

int main() {
  int *in, *out;
  cudaMalloc(&in, kTile * sizeof(int));
  cudaMalloc(&out, kTile * sizeof(int));
  cudaMemset(in, 0, kTile * sizeof(int));
  copies<<<1, 128>>>(in, out);
  return cudaDeviceSynchronize();
}
