// The report of a stopped thread uses templates that the program has too: their allocations are
// memory of the host then, however many calls deep the thread was.
// environment: CUDACPU_TIMEOUT=0.1
// stops: tests/cpudevice/profile/stops/in_a_function.cu:1
// stops: cudaErrorLaunchTimeout: 3 words
#include <cstdio>
#include <string>
#include <vector>

__device__ __noinline__ unsigned next(unsigned i) {
  return i * 1664525 + 1013904223;
}

__device__ __noinline__ unsigned never_ends(unsigned* x, unsigned i) {
  while (gridDim.x != 0)
    x[i % 1024] = i = next(i);
  return i;
}

__device__ __noinline__ unsigned between(unsigned* x) {
  return never_ends(x, threadIdx.x) + 1;
}

__global__ void kernel(unsigned* x) {
  x[0] = between(x);
}

int main() {
  unsigned* x;
  cudaMalloc(&x, 1024 * sizeof *x);
  kernel<<<4, 64>>>(x);
  const char* const name = cudaGetErrorName(cudaDeviceSynchronize());
  std::vector<std::string> words;
  for (const char* word : {"some", "more", "words"})
    words.push_back(word);
  std::fprintf(stderr, "%s: %zu words\n", name, words.size());
}
