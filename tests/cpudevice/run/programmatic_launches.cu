// A kernel may begin before the previous kernel has ended, and then waits by a call or by PTX.
// expect: 64 of 64
// expect: 128 of 128
#include <cstdio>

constexpr int kCount = 64;

__global__ void first_kernel(int* out) {
  out[threadIdx.x] = 2 * static_cast<int>(threadIdx.x);
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void second_kernel(const int* in, int* out) {
  const int own = static_cast<int>(threadIdx.x);  // what needs nothing of the first kernel
  cudaGridDependencySynchronize();
  out[own] = in[own] + 1;
}

__global__ void third_kernel(const int* in, int* out) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[kCount - 1 - threadIdx.x] = in[threadIdx.x];
  asm volatile("griddepcontrol.launch_dependents;");
}

int main() {
  int *a, *b, *c;
  cudaMallocManaged(&a, kCount * sizeof(int));
  cudaMallocManaged(&b, kCount * sizeof(int));
  cudaMallocManaged(&c, kCount * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t dependent{};
  dependent.gridDim = 1;
  dependent.blockDim = kCount;
  dependent.stream = stream;
  dependent.attrs = &early;
  dependent.numAttrs = 1;

  first_kernel<<<1, kCount, 0, stream>>>(a);
  cudaLaunchKernelEx(&dependent, second_kernel, static_cast<const int*>(a), b);
  cudaLaunchKernelEx(&dependent, third_kernel, static_cast<const int*>(b), c);
  cudaStreamSynchronize(stream);

  int right = 0, turned = 0;
  for (int i = 0; i < kCount; ++i) {
    right += b[i] == 2 * i + 1;
    turned += 2 * (c[i] == b[kCount - 1 - i]);
  }
  printf("%d of %d\n%d of %d\n", right, kCount, turned, 2 * kCount);
  cudaStreamDestroy(stream);
  for (int* p : {a, b, c})
    cudaFree(p);
}
