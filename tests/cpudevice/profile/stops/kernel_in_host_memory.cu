// A kernel that works in memory of the host: the launch ends, like on a GPU.
// stops: kernel_in_host_memory.cu:9: writes to memory of the host
// stops: cudaErrorIllegalAddress
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

int main() {
  int* const out = static_cast<int*>(malloc(4096));
  fill<<<4, 256>>>(out);
  std::fprintf(stderr, "%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  free(out);
}
