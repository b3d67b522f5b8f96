// Accesses to the components of a vector, which nvcc joins to requests of up to 16 bytes: read off
// the PTX that nvcc 13 makes for sm_90.
#include <cuda_runtime.h>

constexpr int kThreads = 32;

// kernel whole: warps=1
__global__ void whole(float4* r, float a, float b) {
  r[threadIdx.x] = float4{a, b, a, b};  // global_store: requests=1 bytes=512
}

// kernel braces: warps=1
__global__ void braces(float4* r, float a, float b) {
  r[threadIdx.x] = {a, b, a, b};  // global_store: requests=1 bytes=512
}

// kernel assigned: warps=1
__global__ void assigned(float4* r, float a) {
  const int i = threadIdx.x;
  // clang-format off
  r[i].x = a; r[i].y = a; r[i].z = a; r[i].w = a;  // global_store: requests=1 bytes=512
  // clang-format on
}

// kernel line_by_line: warps=1
__global__ void line_by_line(const float4* x, const float4* y, float4* r, float a) {
  const int i = threadIdx.x;
  r[i].x = a * x[i].x + y[i].x;  // global_load: requests=2 bytes=1024
  r[i].y = a * x[i].y + y[i].y;
  r[i].z = a * x[i].z + y[i].z;
  r[i].w = a * x[i].w + y[i].w;
}

// kernel updated: warps=1
__global__ void updated(int4* r, int a) {
  const int i = threadIdx.x;
  r[i].x += a;  // global_store: requests=1 bytes=512
  r[i].y += a;
  r[i].z += a;
  r[i].w += a;
}

// kernel sums: warps=1
__global__ void sums(const float4* x, const uchar4* c, const double4* d, float* r) {
  const int i = threadIdx.x;
  float sum = x[i].x + x[i].y + x[i].z + x[i].w;  // global_load: requests=1 bytes=512
  sum += c[i].x + c[i].y + c[i].z + c[i].w;       // global_load: requests=1 bytes=128
  sum += d[i].x + d[i].y + d[i].z + d[i].w;       // global_load: requests=2 bytes=1024
  r[i] = sum;
}

// A part of a vector: what lies between is loaded too, but a pair alone is a pair.
// kernel parts: warps=1
__global__ void parts(const float4* x, const float4* y, const float4* z, const float4* w,
                      float* r) {
  const int i = threadIdx.x;
  float sum = x[i].x;      // global_load: requests=1 bytes=128
  sum += y[i].x + y[i].y;  // global_load: requests=1 bytes=256
  sum += z[i].x + z[i].w;  // global_load: requests=1 bytes=512
  sum += w[i].y + w[i].z;  // global_load: requests=2 bytes=256
  r[i] = sum;              // global_store: requests=1 bytes=128
}

// kernel part_stored: warps=1
__global__ void part_stored(float4* r, float a) {
  const int i = threadIdx.x;
  r[i].z = a;
  r[i].w = a;
  // clang-format off
  r[i + 32].x = a; r[i + 32].y = a; r[i + 32].z = a;  // global_store: requests=2 bytes=384
  // clang-format on
}

// Three components are no power of two, and an array of floats need not be aligned.
// kernel not_joined: warps=1
__global__ void not_joined(const float3* v, const float* x, float* r) {
  const int i = threadIdx.x;
  float sum = v[i].x + v[i].y + v[i].z;                          // global_load: requests=3
  sum += x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3];  // global_load: requests=4
  r[i] = sum;
}

// Each store may change what is loaded next.
// kernel in_between: warps=1
__global__ void in_between(const float4* x, float* r) {
  const int i = threadIdx.x;
  // clang-format off
  r[i] = x[i].x; r[i + 1] = x[i].y; r[i + 2] = x[i].z; r[i + 3] = x[i].w;  // global_load: requests=4
  // clang-format on
}

// kernel in_shared: warps=1
__global__ void in_shared(const float4* x, float* r) {
  __shared__ float4 tile[kThreads];
  const int i = threadIdx.x;
  tile[i] = float4{x[i].w, x[i].z, x[i].y, x[i].x};  // shared_store: requests=1
  __syncthreads();
  r[i] =
      tile[31 - i].x + tile[31 - i].y + tile[31 - i].z + tile[31 - i].w;  // shared_load: requests=1
}

__device__ float dot(const float4& a, const float4& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;  // global_load: requests=2 bytes=1024
}

// kernel by_reference: warps=1
__global__ void by_reference(const float4* x, float* r) {
  r[threadIdx.x] = dot(x[threadIdx.x], x[threadIdx.x + 32]);
}

int main() {
  float4 *x, *y, *r;
  cudaMalloc(&x, 64 * sizeof(double4));
  cudaMalloc(&y, 64 * sizeof(double4));
  cudaMalloc(&r, 64 * sizeof(double4));
  auto* out = reinterpret_cast<float*>(r);
  whole<<<1, kThreads>>>(r, 1, 2);
  braces<<<1, kThreads>>>(r, 1, 2);
  assigned<<<1, kThreads>>>(r, 1);
  line_by_line<<<1, kThreads>>>(x, y, r, 2);
  updated<<<1, kThreads>>>(reinterpret_cast<int4*>(r), 2);
  sums<<<1, kThreads>>>(x, reinterpret_cast<uchar4*>(y), reinterpret_cast<double4*>(y), out);
  parts<<<1, kThreads>>>(x, x, y, y, out);
  part_stored<<<1, kThreads>>>(r, 1);
  not_joined<<<1, kThreads>>>(reinterpret_cast<float3*>(x), out, out);
  in_between<<<1, kThreads>>>(x, out);
  in_shared<<<1, kThreads>>>(x, out);
  by_reference<<<1, kThreads>>>(x, out);
  cudaDeviceSynchronize();
}
