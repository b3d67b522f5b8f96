// verdict: =ok speed=0..1
// Chained scan of old: volatile flags, __threadfence, tickets by atomicAdd, a struct of shared
// memory.
#include "cuda_check.h"
#include "scan.h"
namespace {
constexpr int kThreads = 256;
struct Shared {
  unsigned sums[kThreads];
  unsigned tile;
  unsigned before;
};
struct State {
  unsigned ticket;
  unsigned pad[31];
};
__global__ void clear_kernel(State* s, unsigned* flags, int tiles) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i == 0) s->ticket = 0;
  if (i < tiles) flags[i] = 0;
}
__global__ void scan_kernel(const int* in, int n, int* out, State* s, volatile unsigned* flags,
                            volatile unsigned* totals) {
  __shared__ Shared sh;
  if (threadIdx.x == 0) sh.tile = atomicAdd(&s->ticket, 1u);
  __syncthreads();
  const unsigned tile = sh.tile;
  const long i = static_cast<long>(tile) * kThreads + threadIdx.x;
  const unsigned own = i < n ? static_cast<unsigned>(in[i]) : 0u;
  sh.sums[threadIdx.x] = own;
  __syncthreads();
  for (int d = 1; d < kThreads; d <<= 1) {
    const unsigned more = threadIdx.x >= d ? sh.sums[threadIdx.x - d] : 0u;
    __syncthreads();
    sh.sums[threadIdx.x] += more;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (tile) {
      while (flags[tile - 1] == 0) {
      }
      __threadfence();
      before = totals[tile - 1];
    }
    totals[tile] = before + sh.sums[kThreads - 1];
    __threadfence();
    flags[tile] = 1;
    sh.before = before;
  }
  __syncthreads();
  if (i < n) out[i] = static_cast<int>(sh.before + sh.sums[threadIdx.x] - own);
}
}  // namespace
void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  const int tiles = ceil_div(n, kThreads);
  State* s = workspace.take<State>(1);
  unsigned* flags = workspace.take<unsigned>(tiles);
  unsigned* totals = workspace.take<unsigned>(tiles);
  clear_kernel<<<ceil_div(tiles, kThreads), kThreads>>>(s, flags, tiles);
  scan_kernel<<<tiles, kThreads>>>(input, n, result, s, flags, totals);
  CUDA_CHECK(cudaGetLastError());
}
