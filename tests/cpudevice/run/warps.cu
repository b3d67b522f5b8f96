// Warp functions where lanes diverge, leave or come late.
// expect: butterfly 496
// expect: half warps 120 376
// expect: partial warp 45
// expect: left lanes 16
// expect: masks in turn 1
// expect: active 0x0000ffff 0xffff0000
// expect: aggregated 320
// expect: many masks 1
#include <cstdio>

__global__ void butterfly(int* out) {
  int v = threadIdx.x;
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  if (threadIdx.x == 40) *out = v - 1024;
}
__global__ void halves(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int o = 8; o > 0; o /= 2)
      v += __shfl_xor_sync(0x0000ffffu, v, o);
    out[0] = v;
  } else {
    for (int o = 8; o > 0; o /= 2)
      v += __shfl_xor_sync(0xffff0000u, v, o);
    out[1] = v;
  }
}
__global__ void partial(int* out) {  // ten threads
  int v = threadIdx.x;
  for (int o = 8; o > 0; o /= 2) {
    int other = __shfl_down_sync(0x3ff, v, o);
    if (threadIdx.x + o < 10) v += other;
  }
  if (threadIdx.x == 0) *out = v;
}
__global__ void left(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, 1));
}
__global__ void masks(int* out) {
  int right = 1;
  for (int i = 0; i < 100; ++i) {
    right &= __shfl_sync(0xffffffffu, int(threadIdx.x) + i, 3) == 3 + i;
    if (threadIdx.x < 5) right &= __shfl_sync(0x1f, int(threadIdx.x), 4) == 4;
  }
  right = __all_sync(0xffffffffu, right);
  *out = right;
}
__global__ void active(unsigned* out) {
  if (threadIdx.x < 16) {
    out[0] = __activemask();
    __syncwarp(0xffff);  // keeps compilers from merging the two calls
  } else {
    out[1] = __activemask();
  }
}
__global__ void aggregated(int* counter) {
  if (threadIdx.x % 3 == 0) return;
  unsigned mask = __activemask();
  int leader = __ffs(mask) - 1;
  int base = 0;
  if (int(threadIdx.x % 32) == leader) base = atomicAdd(counter, __popc(mask));
  __shfl_sync(mask, base, leader);
}
__global__ void many_masks(int* out) {
  int right = 1;
  for (unsigned lane = 1; lane < 32; ++lane)
    for (int round = 0; round < 3; ++round) {
      unsigned mask = 1u | 1u << lane;
      if (mask >> threadIdx.x & 1)
        right &= __shfl_sync(mask, int(threadIdx.x), int(lane)) == int(lane);
    }
  *out = __all_sync(~0u, right);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4096);
  auto* bits = reinterpret_cast<unsigned*>(out);
  butterfly<<<1, 64>>>(out);
  printf("butterfly %d\n", *out);
  halves<<<1, 32>>>(out);
  printf("half warps %d %d\n", out[0], out[1]);
  partial<<<1, 10>>>(out);
  printf("partial warp %d\n", *out);
  left<<<1, 32>>>(out);
  printf("left lanes %d\n", out[7]);
  masks<<<2, 32>>>(out);
  printf("masks in turn %d\n", *out);
  active<<<1, 32>>>(bits);
  printf("active 0x%08x 0x%08x\n", bits[0], bits[1]);
  *out = 0;
  aggregated<<<5, 96>>>(out);
  printf("aggregated %d\n", *out);
  many_masks<<<1, 32>>>(out);
  printf("many masks %d\n", *out);
  return cudaDeviceSynchronize();
}
