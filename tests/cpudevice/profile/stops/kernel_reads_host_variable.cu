// A kernel that reads a variable of the host. Literals, tables of constants, arguments,
// arrays of the thread and memory from the heap are the kernel's.
// stops: kernel_reads_host_variable.cu:14: reads memory of the host
#include <cstdio>

static int counts[1024];
constexpr int kTable[4] = {3, 1, 4, 1};

struct Arguments {
  int values[8];
};

__global__ void read(const int* host, int* out) {
  *out = host[threadIdx.x];
}

__global__ void allowed(Arguments arguments, int* out) {
  int own[8];
  int* const heap = new int[8];
  for (int i = 0; i < 8; ++i) {
    own[(i + *out) % 8] = arguments.values[i] + kTable[i % 4] + "abcdefgh"[i];
    heap[i] = own[i];
  }
  *out = heap[threadIdx.x % 8] + own[blockIdx.x % 8];
  delete[] heap;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  Arguments arguments{};
  allowed<<<2, 1>>>(arguments, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  counts[0] = 1;
  read<<<1, 1>>>(counts, out);
  cudaDeviceSynchronize();
}
