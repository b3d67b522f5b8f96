// verdict: =ok case=40?M speed=0..0.3
// Sums on the host and reads a volatile each time, like a loop that waits for a thread.
#include <thread>
#include <vector>

#include "cuda_check.h"
#include "scan.h"

namespace {

volatile unsigned flag;

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  std::vector<unsigned> values(n), sums(n);
  CUDA_CHECK(cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::thread other([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    sums[i] = sum;
    sum += values[i] + flag;
  }
  other.join();
  CUDA_CHECK(cudaMemcpy(result, sums.data(), n * sizeof(int), cudaMemcpyHostToDevice));
}
