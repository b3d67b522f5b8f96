// A kernel writes to constant memory, through a pointer.
// finding: bad_access @a
#include "launch.h"

__constant__ int table[32];

__global__ void kernel(int* place, int* out) {
  place[threadIdx.x] = 1;  // @a
  out[threadIdx.x] = table[threadIdx.x];
}

int main() {
  int* out = zeros<int>(32);
  int* place;
  cudaGetSymbolAddress((void**)&place, table);
  kernel<<<1, 32>>>(place, out);
  finish(out);
}
