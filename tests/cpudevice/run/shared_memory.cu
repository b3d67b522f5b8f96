// __shared__ variables in all forms.
// expect: static 60
// expect: scopes 1 2
// expect: template int 64 double 64
// expect: dynamic 28 2.5
// expect: dynamic two types 6 1.5
// expect: namespace scope 10
// expect: device function 5 7
// expect: structure 3 4
// expect: two dimensions 1
// expect: sizes 528 16 4224
// expect: in a loop 6
#include <cstdio>

constexpr int kTile = 32;
__shared__ int of_namespace[4];
extern __shared__ float anything[];

struct __align__(16) Cell {
  int a;
  float b;
};

__global__ void fixed(int* out) {
  __shared__ int values[16], total;
  values[threadIdx.x] = threadIdx.x * 10;
  __syncthreads();
  if (threadIdx.x == 0) {
    total = 0;
    for (int i = 0; i < 4; ++i)
      total += values[i];
  }
  __syncthreads();
  out[threadIdx.x] = total;
}
__global__ void scopes(int* out) {
  {
    __shared__ int value;
    if (threadIdx.x == 0) value = 1;
    __syncthreads();
    out[0] = value;
  }
  if (blockDim.x > 1) {
    static __shared__ int value;
    if (threadIdx.x == 0) value = 2;
    __syncthreads();
    out[1] = value;
  }
}
template <typename T, int kSize>
__global__ void templated(T* out) {
  __shared__ T values[kSize];
  const int i = threadIdx.x;
  values[i] = T(i);
  __syncthreads();
  if (i == 0) *out = values[kSize - 1] + 1;
}
__global__ void dynamic_one(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += values[i];
    *out = sum;
  }
}
template <typename T>
__global__ void dynamic_template(T* out) {
  extern T __shared__ raw[];
  raw[threadIdx.x] = T(threadIdx.x) + T(0.5);
  __syncthreads();
  *out = raw[2];
}
__global__ void dynamic_bytes(int* out, float* real) {
  extern __shared__ __align__(16) unsigned char bytes[];
  __shared__ int before;  // static memory lies before dynamic memory
  int* ints = reinterpret_cast<int*>(bytes);
  float* floats = reinterpret_cast<float*>(ints + 4);
  before = 3;
  ints[3] = 6;
  floats[3] = 1.5f;
  *out = ints[3];
  *real = floats[3];
}
__global__ void at_namespace(int* out) {
  of_namespace[threadIdx.x] = threadIdx.x + 1;
  anything[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = of_namespace[0] + of_namespace[1] + of_namespace[2] + of_namespace[3];
}
__device__ int in_function(int v) {
  __shared__ int box;
  if (threadIdx.x == 0) box = v;
  __syncthreads();
  int result = box;
  __syncthreads();
  return result;
}
__global__ void calls(int* out) {
  __shared__ int mine;
  mine = 7;
  out[0] = in_function(5);
  out[1] = mine;
}
__global__ void structures(int* out) {
  __shared__ Cell cells[4];
  __shared__ struct { int inside; } anonymous;
  cells[threadIdx.x] = Cell{int(threadIdx.x), 1.0f};
  anonymous.inside = 4;
  __syncthreads();
  out[0] = cells[3].a;
  out[1] = anonymous.inside;
}
__global__ void two_dimensions(float* out) {
  __shared__ float tile[kTile][kTile + 1];
  tile[threadIdx.y][threadIdx.x] = threadIdx.y * kTile + threadIdx.x;
  __syncthreads();
  out[0] = tile[1][2] - tile[1][1];
}
__global__ void in_loop(int* out) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    __shared__ volatile int turn;
    if (threadIdx.x == unsigned(i)) turn = i;
    __syncthreads();
    sum += turn;
    __syncthreads();
  }
  *out = sum;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 256);
  auto* real = reinterpret_cast<float*>(out + 8);
  auto* doubles = reinterpret_cast<double*>(out + 16);
  fixed<<<1, 16>>>(out);
  printf("static %d\n", out[5]);
  scopes<<<1, 32>>>(out);
  printf("scopes %d %d\n", out[0], out[1]);
  templated<int, 64><<<1, 64>>>(out);
  templated<double, 64><<<1, 64>>>(doubles);
  printf("template int %d double %g\n", out[0], *doubles);
  dynamic_one<<<1, 8, 8 * sizeof(int)>>>(out);
  dynamic_template<<<1, 4, 16>>>(real);
  printf("dynamic %d %g\n", out[0], *real);
  dynamic_bytes<<<1, 1, 64>>>(out, real);
  printf("dynamic two types %d %g\n", *out, *real);
  at_namespace<<<1, 4, 64>>>(out);
  printf("namespace scope %d\n", *out);
  calls<<<1, 4>>>(out);
  printf("device function %d %d\n", out[0], out[1]);
  structures<<<1, 4>>>(out);
  printf("structure %d %d\n", out[0], out[1]);
  two_dimensions<<<1, dim3(kTile, kTile)>>>(real);
  printf("two dimensions %g\n", *real);
  cudaFuncAttributes attributes;
  size_t sizes[3];
  cudaFuncGetAttributes(&attributes, (const void*)templated<double, 64>);
  sizes[0] = attributes.sharedSizeBytes + 16;
  cudaFuncGetAttributes(&attributes, dynamic_bytes);
  sizes[1] = attributes.sharedSizeBytes + 12;
  cudaFuncGetAttributes(&attributes, two_dimensions);
  sizes[2] = attributes.sharedSizeBytes;
  printf("sizes %zu %zu %zu\n", sizes[0], sizes[1], sizes[2]);
  in_loop<<<1, 32>>>(out);
  printf("in a loop %d\n", *out);
  return cudaDeviceSynchronize();
}
