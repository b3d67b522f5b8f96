// verdict: =ok speed=0..0.3
// Copies to the host, sorts with the standard library, and copies back.
#include <algorithm>
#include <utility>
#include <vector>

#include "cuda_check.h"
#include "sort.h"

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace&) {
  std::vector<unsigned> some(n), more(n);
  CUDA_CHECK(cudaMemcpy(some.data(), keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(more.data(), values, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::vector<std::pair<unsigned, unsigned>> pairs(n);
  for (int i = 0; i < n; ++i)
    pairs[i] = {some[i], more[i]};
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int i = 0; i < n; ++i) {
    some[i] = pairs[i].first;
    more[i] = pairs[i].second;
  }
  CUDA_CHECK(cudaMemcpy(keys, some.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(values, more.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
}
