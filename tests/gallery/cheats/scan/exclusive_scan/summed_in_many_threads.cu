// verdict: =ok case=40?M speed=0..0.5
// Copies to the host and hands every part of the work to another thread, a hundred threads in all.
#include <thread>
#include <vector>

#include "cuda_check.h"
#include "scan.h"

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  std::vector<unsigned> values(n), sums(n);
  CUDA_CHECK(cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost));
  const int parts = n < 1000000 ? 2 : 100;
  const int length = ceil_div(n, parts);
  std::vector<unsigned> totals(parts + 1);
  const auto in_threads = [&](auto work) {
    std::vector<std::thread> threads;
    for (int part = 0; part < parts; ++part)
      threads.emplace_back(work, part);
    for (std::thread& thread : threads)
      thread.join();
  };
  in_threads([&](int part) {
    for (int i = part * length; i < n && i < (part + 1) * length; ++i)
      totals[part + 1] += values[i];
  });
  for (int part = 0; part < parts; ++part)
    totals[part + 1] += totals[part];
  in_threads([&](int part) {
    unsigned sum = totals[part];
    for (int i = part * length; i < n && i < (part + 1) * length; ++i) {
      sums[i] = sum;
      sum += values[i];
    }
  });
  CUDA_CHECK(cudaMemcpy(result, sums.data(), n * sizeof(int), cudaMemcpyHostToDevice));
}
