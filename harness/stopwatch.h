// Times one call on the device with events, after evicting the L2 cache.
#pragma once

#include <functional>

#include "device_array.h"

class Stopwatch {
 public:
  Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch();

  // The time in ms between an event recorded before `call` and one recorded after it, both in the
  // default stream, which waits for all blocking streams. Throws what `call` throws, and CudaError.
  float time_ms(const std::function<void()>& call);

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  DeviceArray<unsigned> eviction_;
};
