// verdict: =wrong case=1?M
// The same with device memory: the first call's indices are copied into every later output.
#include <vector>

#include "cuda_check.h"
#include "scan.h"

int find_repeats(const int* input, int n, int* output, Workspace&) {
  static std::vector<int> found;
  static int* kept = nullptr;
  if (n == 0) return 0;
  if (kept == nullptr) {
    std::vector<int> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i + 1 < n; ++i)
      if (values[i] == values[i + 1]) found.push_back(i);
    CUDA_CHECK(cudaMalloc(&kept, found.size() * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(kept, found.data(), found.size() * sizeof(int), cudaMemcpyHostToDevice));
  }
  CUDA_CHECK(cudaMemcpy(output, kept, found.size() * sizeof(int), cudaMemcpyDeviceToDevice));
  return static_cast<int>(found.size());
}
