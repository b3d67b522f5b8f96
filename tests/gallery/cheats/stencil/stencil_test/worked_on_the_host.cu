// verdict: =ok case=1?%?of* speed=0..0.3
// Copies the items to the host and works in registers: few accesses, many instructions.
#include <vector>

#include "cuda_check.h"
#include "stencil.h"

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  std::vector<unsigned> items(n);
  std::vector<unsigned char> flags(n);
  CUDA_CHECK(cudaMemcpy(items.data(), values, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(flags.data(), active.bytes, n, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (flags[i]) items[i] = work(items[i], rounds);
  CUDA_CHECK(cudaMemcpy(values, items.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
}
