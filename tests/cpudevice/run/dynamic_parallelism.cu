// Kernels launched by kernels: children run in the order of the launches, tail launches last, and
// end before the host goes on. If a child cannot be launched, only the parent's call fails.
// expect: parent
// expect: child 0
// expect: child 1
// expect: grandchild of 1
// expect: tail
// expect: done
#include "check.h"

__global__ void say_kernel(const char* what) {
  printf("%s\n", what);
}

__device__ char names[3][20] = {"grandchild of 1", "tail", ""};

__global__ void child_kernel(int number) {
  printf("child %d\n", number);
  if (number == 1) say_kernel<<<1, 1, 0, cudaStreamFireAndForget>>>(names[0]);
}

// A function for both sides may launch as well.
__host__ __device__ void launch_tail(const char* what) {
  say_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(what);
}

__global__ void parent_kernel() {
  launch_tail(names[1]);
  child_kernel<<<1, 1>>>(0);
  child_kernel<<<1, 1>>>(1);
  child_kernel<<<1, 5000>>>(2);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  printf("parent\n");
}

// Sums a range in parts: each thread of each block launches a kernel for a part.
__global__ void sum_kernel(const int* values, int n, int* sum) {
  const int parts = 4;
  if (n <= parts) {
    int own = 0;
    for (int i = 0; i < n; ++i)
      own += values[i];
    atomicAdd(sum, own);
    return;
  }
  const int first = static_cast<long long>(n) * threadIdx.x / parts;
  const int last = static_cast<long long>(n) * (threadIdx.x + 1) / parts;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  sum_kernel<<<1, last - first <= parts ? 1 : parts, 0, stream>>>(values + first, last - first,
                                                                  sum);
  cudaStreamDestroy(stream);
}

// A kernel allocates and fills device memory; the child kernel uses and frees the memory.
__global__ void use_kernel(int* memory, int* out) {
  *out = memory[7];
  cudaFree(memory);
}
__global__ void make_kernel(int* out) {
  int* memory;
  CHECK(cudaMalloc(&memory, 8 * sizeof(int)) == cudaSuccess);
  memory[7] = 77;
  use_kernel<<<1, 1>>>(memory, out);
}

int main() {
  parent_kernel<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  int *values, *sum;
  constexpr int kCount = 1000;
  CHECK_OK(cudaMallocManaged(&values, kCount * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&sum, sizeof(int)));
  for (int i = 0; i < kCount; ++i)
    values[i] = i;
  *sum = 0;
  sum_kernel<<<1, 4>>>(values, kCount, sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*sum == kCount * (kCount - 1) / 2);
  make_kernel<<<1, 1>>>(sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*sum == 77);
  printf("done\n");
}
