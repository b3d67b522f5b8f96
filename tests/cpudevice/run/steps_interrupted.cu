// The lanes of a warp stay in step though threads are interrupted at any instruction: other
// lanes wait for an interrupted lane, but only for a while for a lane in a waiting loop.
// environment: CUDACPU_TICK=0.0001
// expect: rounds 1
// expect: masks 1
// expect: informed 1
#include <cstdio>

constexpr int kRounds = 20000;

__device__ void pass_on(volatile int* values, int lane) {
  for (int i = 0; i < kRounds; ++i)
    values[lane] = values[(lane + 1) % 32] + 1;
}
__global__ void rounds(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  pass_on(values, threadIdx.x);
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void masks(unsigned* out) {
  unsigned all = ~0u;
  for (int i = 0; i < kRounds; ++i)
    all &= __activemask();
  out[threadIdx.x] = all;
}
// Lane 0 waits in a loop for a flag; lane 1 sets the flag from the mask of the active lanes.
__global__ void informed(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    out[blockIdx.x] = flag;
  } else {
    const unsigned others = __activemask();
    if (threadIdx.x == 1) flag = static_cast<int>(others >> 1);
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  rounds<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int lane = 0; lane < 32; ++lane)
    right &= out[lane] == kRounds + (lane + kRounds) % 32;
  printf("rounds %d\n", right);
  masks<<<1, 32>>>(reinterpret_cast<unsigned*>(out));
  cudaDeviceSynchronize();
  right = true;
  for (int lane = 0; lane < 32; ++lane)
    right &= out[lane] == -1;
  printf("masks %d\n", right);
  informed<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  printf("informed %d\n", out[0] == 0x7fffffff && out[1] == 0x7fffffff);
  cudaFree(out);
  return 0;
}
