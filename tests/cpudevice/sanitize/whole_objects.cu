// Accesses of more than a single load or store: structures, memcpy and memset, of a size that the
// compiler knows and expands, and of an unknown size.
// finding: bad_access @a
// finding: bad_access @b
// finding: bad_access @c
// finding: bad_access @d
// finding: race @f @e
// finding: race @h @g
// finding: uninitialised @i
#include <cstring>

#include "launch.h"

struct Body {
  double position[3], velocity[3];
};

__global__ void structure_past_end(Body* bodies, int n) {
  bodies[n] = bodies[0];  // @a
}
__global__ void memcpy_past_end(char* data, int n) {
  memcpy(data + n - 8, data, 16);  // @b
}
__global__ void memcpy_of_any_size(char* data, int n, int bytes) {
  memcpy(data + n - 8, data, bytes);  // @c
}
__global__ void memset_past_end(char* data, int n, int bytes) {
  memset(data + n - 8, 0, bytes);  // @d
}
__global__ void structure_race(Body* bodies, double* out) {
  bodies[threadIdx.x] = bodies[threadIdx.x + 64];           // @e
  out[threadIdx.x] = bodies[63 - threadIdx.x].velocity[2];  // @f
}
__global__ void memcpy_race(const double* in, double* out) {
  __shared__ double tile[64];
  memcpy(&tile[threadIdx.x], &in[threadIdx.x], sizeof(double));        // @g
  memcpy(&out[threadIdx.x], &tile[63 - threadIdx.x], sizeof(double));  // @h
}
__global__ void structure_unwritten(const Body* in, Body* out) {
  out[0] = in[0];  // @i
}
__global__ void right(Body* bodies) {
  __shared__ Body tile[64];
  tile[threadIdx.x] = bodies[threadIdx.x];
  __syncthreads();
  Body copy;
  memcpy(&copy, &tile[63 - threadIdx.x], sizeof(Body));
  bodies[threadIdx.x] = copy;
}

int main() {
  Body* bodies = zeros<Body>(129);
  char* bytes = zeros<char>(64);
  double* numbers = zeros<double>(64);
  double* out = zeros<double>(64);
  Body* unwritten;
  cudaMalloc(&unwritten, sizeof(Body));
  structure_past_end<<<1, 1>>>(bodies, 129);
  memcpy_past_end<<<1, 1>>>(bytes, 64);
  memcpy_of_any_size<<<1, 1>>>(bytes, 64, 12);
  memset_past_end<<<1, 1>>>(bytes, 64, 20);
  structure_race<<<1, 64>>>(bodies, out);
  memcpy_race<<<1, 64>>>(numbers, out);
  structure_unwritten<<<1, 1>>>(unwritten, bodies);
  right<<<1, 64>>>(bodies);
  cudaFree(bytes);
  cudaFree(numbers);
  cudaFree(out);
  cudaFree(unwritten);
  finish(bodies);
}
