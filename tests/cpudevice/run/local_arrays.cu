// Large local arrays, in kernels whose threads wait and in kernels whose threads do not: a GPU has
// up to 512 KB for each thread.
// expect: 64 threads with 28672 bytes: right
// expect: 64 threads with 200000 bytes: right
// expect: 2 threads with 400000 bytes: right
#include <cstdio>

template <int kBytes>
__global__ void wait_kernel(int* sums, bool waits) {
  volatile unsigned char local[kBytes];
  for (int i = 0; i < kBytes; i += 512)
    local[i] = static_cast<unsigned char>(threadIdx.x);
  if (waits) __syncthreads();
  int sum = 0;
  for (int i = 0; i < kBytes; i += 512)
    sum += local[i] == threadIdx.x;
  if (waits) __syncthreads();
  sums[threadIdx.x] = sum;
}

template <int kBytes>
void check(int threads) {
  int* sums;
  cudaMallocManaged(&sums, threads * sizeof(int));
  bool right = true;
  for (bool waits : {true, false}) {
    wait_kernel<kBytes><<<1, threads>>>(sums, waits);
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; right && i < threads; ++i)
      right = right && sums[i] == (kBytes + 511) / 512;
  }
  printf("%d threads with %d bytes: %s\n", threads, kBytes, right ? "right" : "wrong");
}

int main() {
  check<28672>(64);
  check<200000>(64);
  check<400000>(2);
}
