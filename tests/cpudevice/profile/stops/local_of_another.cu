// A local variable belongs to its thread, even if another thread gets the address.
// stops: local_of_another.cu:13: reads a local variable of another thread
#include <cstdio>

__global__ void exchange(int* out) {
  __shared__ const int* places[32];
  int own = threadIdx.x;
  places[threadIdx.x] = &own;
  __syncthreads();
  out[threadIdx.x] = *places[threadIdx.x];
  __syncthreads();
  const int* other = places[threadIdx.x ^ 1];
  out[threadIdx.x] = *other;
  __syncthreads();
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  exchange<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  return error == cudaErrorIllegalAddress ? 0 : 1;
}
