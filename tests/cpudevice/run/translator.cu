// Rare forms of code accepted by nvcc, each once.
// flags: -isystem tests/cpudevice/run/installed
// expect: 0 1
// expect: 5 6
// expect: 7
// expect: 1
// expect: 4
// expect: 7 3
// expect: 9
// expect: 16 1
// expect: 40 41
// expect: 2.5 0.75 3
// expect: 32 32 16 8 4
// expect: 4 4 3 9 1
#include <vendor/twice.h>  // of the system, and for CUDA
#include <cstdio>
#define UNROLL _Pragma("unroll")

// clang-format off
typedef void Nothing;
using Void = void;

__global__ void unrolled_kernel(int* p) {
  UNROLL for (int i = 0; i < 2; ++i) p[i] = i;
}
__global__ Nothing nothing_kernel(int* p) {
  p[0] = 5;
}
__global__ Void void_kernel(int* p) {
  p[1] = 6;
}
__global__ auto trailing_kernel(int* p) -> void {
  p[threadIdx.x] = 40 + static_cast<int>(threadIdx.x);
}

// Qualifiers without a meaning before a class, and variables behind operators and classes.
__host__ __device__ struct Point {
  int x;
  __host__ __device__ Point& operator-=(int b) {
    x -= b;
    return *this;
  }
};
__host__ __device__ Point& operator+=(Point& a, int b) {
  a.x += b;
  return a;
}
__constant__ int behind_operator[2];
__device__ struct Pair {
  int y;
} first_pair = {4};
__device__ enum Names { kFirst, kSecond };
__device__ class Later;
__device__ int behind_names = 3;
__global__ void behind_kernel(int* p) {
  Point point = {5};
  point -= 2;
  point += 1;
  p[0] = point.x;
  p[1] = first_pair.y;
  p[2] = behind_names;
  p[3] = behind_operator[1];
  p[4] = kSecond;
}

__global__ void sized_kernel(int* p) {
  extern __shared__ int cells[4];  // a size without a meaning
  cells[threadIdx.x] = static_cast<int>(threadIdx.x) + 4;
  __syncthreads();
  p[threadIdx.x] = cells[3];
}

__global__ void enumeration_kernel(int* p) {
  __shared__ enum { kFirst, kSecond, kThird } state;
  __shared__ struct Pair {
    int a, b;
  } pair;
  __shared__ union alignas(16) Bits {
    float real;
    unsigned bits;
  } one;
  __shared__ enum class __attribute__((aligned(8))) Phase : unsigned { kOpen, kClosed } phase;
  if (threadIdx.x == 0) {
    state = kSecond;
    pair = Pair{kThird, kFirst};
    one.real = 1.0f;
    phase = Phase::kClosed;
  }
  __syncthreads();
  const bool right = one.bits == 0x3f800000 && alignof(Bits) == 16 && phase == Phase::kClosed;
  p[0] = right ? state + pair.b : -1;
}

// Variables whose names stand in brackets, and a function whose name does too.
struct Coordinates {
  int x, y;
};
__device__ int doubled(int x) { return 2 * x; }
__device__ int next(int x) { return x + 1; }
__device__ int (*chosen)(int) = doubled;
__device__ int (*const all[2])(int) = {doubled, next};
__device__ int (*get(int i))(int) { return all[i]; }
__constant__ int Coordinates::*member = &Coordinates::y;
__device__ int fours[4] = {4, 4, 4, 4};
__device__ int (&same)[4] = fours;

__global__ void pointers_kernel(int* p) {
  const Coordinates at{1, 2};
  p[0] = chosen(1) + all[1](2) + get(1)(4) + at.*member + same[3];
}

struct Adder {
  template <int kMore = 0>
  __device__ int add(int x) const {
    return x + kMore;
  }
};
template <typename T>
struct Scaler {
  template <int kFactor>
  static inline __attribute__((always_inline)) __device__ T scale(T x);
};
template <typename T>
template <int kFactor>
inline __device__ T Scaler<T>::scale(T x) {
  return kFactor * x;
}
template <>
template <>
__device__ int Scaler<int>::scale<1>(int x) {
  return x;
}
template <typename T>
__device__ int without_template(const T& t) {
  return Scaler<decltype(t.add(1))>::scale<2>(1) - Scaler<int>::scale<1>(2) + t.add<3>(1);
}
template <typename T>
__global__ void member_kernel(T t, int* p) {
  p[0] = without_template(t);
}

volatile __device__ int cells[4];
__device__ volatile int flag;
template <typename T>
__device__ T variable;
template <typename T>
__constant__ T pair[2];
template <typename T>
__global__ void variables_kernel(int* p) {
  p[0] = pair<T>[1] + cells[2] + flag + variable<T>;
}

__global__ void twice_kernel(int* p) {
  p[0] = vendor_twice(4) + 1;
}

struct Weights {
  static const float first = 2.5f;
  static double const second = .75;
  static const int third = 3;
  static const float* none() { return nullptr; }
};
__global__ void members_kernel(double* p) {
  p[0] = Weights::first;
  p[1] = Weights::second;
  p[2] = Weights::third;
}

// Names that hide the built-in warpSize.
template <int warpSize = 16>
__global__ void parameter_kernel(int* p) {
  p[2] = warpSize;
}
namespace other {
const int warpSize = 8;
}
int argument(int warpSize = 4) {
  return warpSize;
}
__global__ void built_in_kernel(int* p) {
  p[0] = warpSize;
  p[3] = other::warpSize;
}
const int warpSize = 32;
__global__ void own_kernel(int* p) {
  p[1] = ::warpSize;
}

int main() {
  int* p;
  cudaMallocManaged(&p, 64);
  unrolled_kernel << <1, 1 >> > (p);
  cudaDeviceSynchronize();
  printf("%d %d\n", p[0], p[1]);
  nothing_kernel<< <1, 1>> >(p);
  void_kernel<<<1, 1>>> (p);
  cudaDeviceSynchronize();
  printf("%d %d\n", p[0], p[1]);
  sized_kernel<<<1, 4, 16>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", p[0]);
  enumeration_kernel<<<1, 2>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", p[0]);
  member_kernel<<<1, 1>>>(Adder(), p);
  cudaDeviceSynchronize();
  printf("%d\n", p[0]);
  int host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(cells, host, sizeof host);
  cudaMemcpyToSymbol(flag, host, sizeof flag);
  cudaMemcpyToSymbol(variable<int>, host, sizeof(int));
  cudaMemcpyToSymbol(pair<int>, host, 2 * sizeof(int));
  cudaMemcpyFromSymbol(host, cells, sizeof host, 0, cudaMemcpyDeviceToHost);
  variables_kernel<int><<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d\n", p[0], host[2]);
  twice_kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", p[0]);
  pointers_kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  int (*copied)(int) = nullptr;
  const cudaError_t error = cudaMemcpyFromSymbol(&copied, chosen, sizeof copied);
  printf("%d %d\n", p[0], error == cudaSuccess && copied);
  trailing_kernel<<<1, 2>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d\n", p[0], p[1]);
  double* weights = nullptr;
  cudaMallocManaged(&weights, 3 * sizeof(double));
  members_kernel<<<1, 1>>>(weights);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", weights[0], weights[1], weights[2]);
  cudaFree(weights);
  built_in_kernel<<<1, 1>>>(p);
  own_kernel<<<1, 1>>>(p);
  parameter_kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d\n", p[0], p[1], p[2], p[3], argument());
  const int constants[2] = {8, 9};
  cudaMemcpyToSymbol(behind_operator, constants, sizeof constants);
  behind_kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d\n", p[0], p[1], p[2], p[3], p[4]);
}
