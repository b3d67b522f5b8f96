// Constant memory is read-only for kernels.
// stops: kernel_writes_constant.cu:7: writes to a __constant__ variable
__constant__ int table[16];

__global__ void write(const int* place) {
  // Through a pointer, since the compiler sees nothing wrong with that.
  const_cast<int*>(place)[threadIdx.x] = 1;
}

int main() {
  int* place;
  cudaGetSymbolAddress((void**)&place, table);
  write<<<1, 16>>>(place);
  cudaDeviceSynchronize();
}
