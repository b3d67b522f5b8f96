// Sectors and lines per request of the access patterns that every course draws.
#include <cstdio>

struct Triple {
  float x, y, z;
};

// kernel copy: launches=1 warps=2 active_lane_average=32 load_phases=1
__global__ void copy(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];  // global_load: requests=2 sectors=8 ideal_sectors=8 lines128=2 bytes=256
  out[i] = x;             // global_store: requests=2 sectors=8 ideal_sectors=8 lines128=2
}

// kernel strided
__global__ void strided(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = in[2 * i];   // global_load: requests=1 sectors=8 ideal_sectors=4 lines128=2
  out[i] = in[32 * i];  // global_load: requests=1 sectors=32 ideal_sectors=4 lines128=32
  out[i] = in[i + 1];   // global_load: requests=1 sectors=5 ideal_sectors=4 lines128=2
  out[i] = in[i + 8];   // global_load: requests=1 sectors=4 ideal_sectors=4 lines128=2
  out[i] = in[0];       // global_load: requests=1 sectors=1 ideal_sectors=4 lines128=1
  out[i] = in[31 - i];  // global_load: requests=1 sectors=4 lines128=1
}

// kernel vectors
__global__ void vectors(const float4* in, float4* out, const double2* a, double2* b) {
  const int i = threadIdx.x;
  const float4 v = in[i];  // global_load: requests=1 bytes=512 sectors=16 lines128=4
  out[i] = make_float4(v.y, v.z, v.w, v.x);  // global_store: requests=1 sectors=16 lines128=4
  b[i] = a[i];                               // global_store: requests=1 sectors=16
}

// kernel structures
__global__ void structures(const Triple* in, Triple* out) {
  const int i = threadIdx.x;
  out[i] = in[i];  // global_load: requests=3 sectors=36 ideal_sectors=12 lines128=9
}

// kernel together
// The first four lines are those of each request, and not of the source line.
__global__ void together(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = in[32 * i] + in[0];  // global_load: requests=2 sectors=33 lines128=33 first_lines128=5
}

// kernel bytes
__global__ void bytes(const char* in, char* out) {
  const int i = threadIdx.x;
  out[i] = in[i];  // global_store: requests=1 sectors=1 ideal_sectors=1 lines128=1
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 16);
  cudaMalloc(&b, 1 << 16);
  cudaMemset(a, 0, 1 << 16);
  copy<<<2, 32>>>(a, b);
  strided<<<1, 32>>>(a, b);
  vectors<<<1, 32>>>((float4*)a, (float4*)b, (double2*)a, (double2*)b);
  structures<<<1, 32>>>((Triple*)a, (Triple*)b);
  together<<<1, 32>>>(a, b);
  bytes<<<1, 32>>>((char*)a, (char*)b);
  return cudaDeviceSynchronize();
}
