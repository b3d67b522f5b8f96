// All the forms in which programs write kernels and launches.
// expect: plain 3 4
// expect: template 8 2.5
// expect: namespace 5
// expect: overload int
// expect: overload float
// expect: pointer 6
// expect: table 7
// expect: macro 9
// expect: default argument 11
// expect: extern C 12
// expect: anonymous namespace 13
// expect: declared before 14
// expect: in a template 15 4
// expect: in a lambda 16
// expect: if else 17
// expect: modified argument 20 0 1 2
// expect: structure 30
// expect: zero arguments 1
// expect: from a braced grid 6
// expect: exit early 2
// expect: nested arguments 3
// expect: pack 6
#include <cstdio>

struct Pair {
  int a, b;
};

__device__ int counter;
static int* result;

__global__ void plain(int* out) {
  out[0] = gridDim.x;
  out[1] = blockDim.x;
}
template <typename T, int kScale>
__global__ void __launch_bounds__(128) scaled(T* out, T x) {
  *out = x * kScale;
}
namespace outer {
namespace inner {
__global__ void spaced(int* out) {
  *out = 5;
}
}  // namespace inner
}  // namespace outer
__global__ void overloaded(int) {
  printf("overload int\n");
}
__global__ void overloaded(float) {
  printf("overload float\n");
}
__global__ void store(int* out, int value = 11) {
  *out = value;
}
extern "C" __global__ void c_kernel(int* out) {
  *out = 12;
}
namespace {
__global__ void hidden(int* out) {
  *out = 13;
}
}  // namespace
__global__ void declared(int*);
static __global__ __launch_bounds__(256, 2) void modifies(int* out, int n) {
  n += 20 + threadIdx.x;
  out[threadIdx.x] = threadIdx.x == 0 ? n : n - 21;
}
void __global__ strange_order(Pair p, int* out) {
  *out = p.a * p.b;
}
__global__ void count() {
  atomicAdd(&counter, 1);
}
__global__ void dimensions(int* out) {
  *out = gridDim.x * gridDim.y * gridDim.z;
}
__global__ void early(int* out) {
  if (threadIdx.x != 1) return;
  *out = 2;
}
template <typename... Parts>
__global__ void sum_of(int* out, Parts... parts) {
  *out = (parts + ...);
}

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

template <typename T>
void launch_from_template(T* out) {
  scaled<T, 5><<<1, 1>>>(out, T(3));
}

int ask(int* out) {
  store<<<1, 1>>>(out, 3);
  return *out;
}

int main() {
  cudaMallocManaged(&result, 64 * sizeof(int));
  auto* real = reinterpret_cast<float*>(result);
  plain<<<3, 4>>>(result);
  printf("plain %d %d\n", result[0], result[1]);
  scaled<int, 4><<<dim3(1), dim3(1, 1, 1), 0>>>(result, 2);
  int eight = *result;
  scaled<float, (2 > 1 ? 1 : 2)><<<1, 1, 0, 0>>>(real, 2.5f);
  printf("template %d %g\n", eight, *real);
  outer::inner::spaced<<<1, 1>>>(result);
  printf("namespace %d\n", *result);
  overloaded<<<1, 1>>>(1);
  overloaded<<<1, 1>>>(1.0f);
  void (*pointer)(int*, int) = store;
  pointer<<<1, 1>>>(result, 6);
  printf("pointer %d\n", *result);
  void (*table[])(int*, int) = {store, store};
  (*table[1])<<<1, 1>>>(result, 1);
  table[0]<<<1, 1>>>(result, 7);
  printf("table %d\n", *result);
  LAUNCH(store, result, 9);
  printf("macro %d\n", *result);
  store<<<1, 1>>>(result);
  printf("default argument %d\n", *result);
  c_kernel<<<1, 1>>>(result);
  printf("extern C %d\n", *result);
  ::hidden<<<1, 1>>>(result);
  printf("anonymous namespace %d\n", *result);
  declared<<<1, 1>>>(result);
  printf("declared before %d\n", *result);
  launch_from_template(result);
  int fifteen = *result;
  launch_from_template(real);
  printf("in a template %d %d\n", fifteen, int(*real) - 11);
  auto launch = [&](int v) { store<<<1, 1>>>(result, v); };
  launch(16);
  printf("in a lambda %d\n", *result);
  if (*result == 0)
    store<<<1, 1>>>(result, 0);
  else
    store<<<1, 1>>>(result, 17);
  printf("if else %d\n", *result);
  modifies<<<1, 4>>>(result, 0);
  printf("modified argument %d %d %d %d\n", result[0], result[1], result[2], result[3]);
  strange_order<<<1, 1>>>(Pair{5, 6}, result);
  printf("structure %d\n", *result);
  count<<<1, 1>>>();
  int counted;
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  printf("zero arguments %d\n", counted);
  dimensions<<<dim3{1, 2, 3}, 1>>>(result);
  printf("from a braced grid %d\n", *result);
  early<<<1, 64>>>(result);
  printf("exit early %d\n", *result);
  store<<<1, 1>>>(result, ask(result));
  printf("nested arguments %d\n", *result);
  sum_of<<<1, 1>>>(result, 1, 2, 3);
  printf("pack %d\n", *result);
  return cudaDeviceSynchronize();
}

__global__ void declared(int* out) {
  *out = 14;
}
