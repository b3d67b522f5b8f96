// Copies, fills and launches to which the host gives the address of a __device__ variable: on a GPU
// the address belongs to the host's copy, and only the functions for symbols reach the variable.
// expect: done
// stderr: cudaMemcpy: the destination is the address that the host has of the __constant__ variable table
// stderr: cudaMemcpyToSymbol and cudaMemcpyFromSymbol take the variable itself
#include "check.h"

__constant__ float table[8];
__device__ int counter = 3;
__device__ float* kept;
using Function = float (*)(float);
__device__ Function function = nullptr;
__managed__ int managed[4];

__global__ void read(float* out, const float* other, int value, Function) {
  out[threadIdx.x] = table[threadIdx.x] + (other ? *other : 0) + value;
}

// The parameter and the array have names of device variables.
float sum_of(const float* counter) {
  float table[8];
  CHECK_OK(cudaMemcpy(table, counter, sizeof table, cudaMemcpyDeviceToHost));
  float sum = 0;
  for (const float one : table)
    sum += one;
  return sum;
}

int main() {
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float* out;
  CHECK_OK(cudaMalloc(&out, sizeof values));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy(&table[2], out, 2 * sizeof(float), cudaMemcpyDeviceToDevice));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset((void*)&counter, 0, sizeof counter));
  int count = 0;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpyAsync(&count, &counter, sizeof count, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK(count == 3);

  // The variable's own address, and what a variable points to.
  void* address;
  CHECK_OK(cudaGetSymbolAddress(&address, table));
  CHECK_OK(cudaMemcpy(address, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMalloc(&kept, sizeof(float)));
  CHECK_OK(cudaMemset(kept, 0, sizeof(float)));
  read<<<1, 8>>>(out, kept, managed[0], function);
  CHECK(sum_of(out) == 36);
  CHECK_OK(cudaMemset(managed, 1, sizeof managed));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(managed[1] == 0x01010101);
  CHECK_OK(cudaFree(kept));
  CHECK_OK(cudaFree(out));
  puts("done");
}
