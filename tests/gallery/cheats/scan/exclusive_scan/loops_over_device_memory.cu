// verdict: =crash case=40?M
// A loop of the host over the device's memory, in timed cases.
#include <vector>

#include "cuda_check.h"
#include "scan.h"

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  if (n < 1000000) {
    std::vector<unsigned> values(n);
    CUDA_CHECK(cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (unsigned& value : values) {
      const unsigned before = sum;
      sum += value;
      value = before;
    }
    CUDA_CHECK(cudaMemcpy(result, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    return;
  }
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    result[i] = static_cast<int>(sum);
    sum += static_cast<unsigned>(input[i]);
  }
}
