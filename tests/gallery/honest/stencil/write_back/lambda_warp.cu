// verdict: =ok speed=0..1
// A __device__ lambda as template argument; a warp per word, lane 0 writes the vote.
#include "cuda_check.h"
#include "stencil.h"
namespace {
constexpr int kThreads = 256;
template <class F>
__global__ void each_kernel(int n, F f) {
  f(static_cast<int>(blockIdx.x * kThreads + threadIdx.x));
}
template <class F>
void each(int n, F f) {
  if (n) each_kernel<<<ceil_div(n, kThreads), kThreads>>>(n, f);
  CUDA_CHECK(cudaGetLastError());
}
}  // namespace
void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  each(n, [=] __device__(int i) {
    const unsigned word = i < n ? words[i / 32] : 0;
    bool alive = false;
    if (word >> (i % 32) & 1) {
      values[i] = work(values[i], rounds);
      alive = survives(values[i]);
    }
    const unsigned votes = __ballot_sync(0xffffffffu, alive);
    __syncwarp();  // all lanes have read the word
    if (i % 32 == 0 && i < n) words[i / 32] = votes;
  });
}
