// The clock of the figures' programs. harness/runner times graded calls, with caches evicted
// between calls; the times from this clock appear together in a table and nowhere else.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda_check.h"

// Milliseconds from an idle device to the end of the work that `call` queues in the default stream.
// Throws CudaError.
template <class Call>
float gpu_time_ms(Call call) {
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(start));
  call();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  return ms;
}

// The median of an odd number of values.
inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// The median of `calls` calls, after a call that is not timed.
template <class Call>
double median_ms(int calls, Call call) {
  gpu_time_ms(call);
  std::vector<double> times;
  for (int i = 0; i < calls; ++i)
    times.push_back(gpu_time_ms(call));
  return median(times);
}
