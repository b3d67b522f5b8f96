// verdict: =wrong,crash,race case=1023
// Returns at once and has a thread do the work a little later, when no clock runs.
#include "saxpy.h"

#include <chrono>
#include <future>
#include <thread>

#include "cuda_check.h"

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static std::future<void> later;
  if (later.valid()) later.get();
  later = std::async(std::launch::async, [=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (int i = 0; i < n; ++i)
      result[i] = scale * x[i] + y[i];
  });
}
