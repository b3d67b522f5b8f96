// verdict: =ok speed=0..0.3
// Has the C library search the host's memory, for nothing, before the scan.
#include <cstring>
#include <vector>

#include "cuda_check.h"
#include "scan.h"

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  std::vector<int> numbers(n);
  CUDA_CHECK(cudaMemcpy(numbers.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<char> text(4 * n + 1, 'a');
  text.back() = '\0';
  size_t found = 0;
  for (int round = 0; round < 4; ++round)
    found += std::strspn(text.data(), "ba") + std::strcspn(text.data(), "cd");
  unsigned sum = found == 0;
  for (int& number : numbers) {
    const unsigned before = sum;
    sum += static_cast<unsigned>(number);
    number = static_cast<int>(before);
  }
  CUDA_CHECK(cudaMemcpy(result, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
}
