// A loop over [0, count) on all processors: for the judge and for what makes inputs.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

// Calls body(i) once for each i, several at a time and in no particular order.
template <class Body>
void parallel_for(int count, const Body& body) {
  if (count <= 0) return;
  constexpr int kMaxThreads = 16;  // the sandbox limits processes and threads
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int i = next++; i < count; i = next++)
      body(i);
  };
  const int processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads(std::min({kMaxThreads, processors, count}) - 1);
  for (std::thread& thread : threads)
    thread = std::thread(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
}
