// Times a call on the device with events, after evicting the L2 cache.
#pragma once

#include <functional>

#include "device_array.h"
#include "steady_rate.h"

class Stopwatch {
 public:
  Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch();

  // The time in ms between an event recorded before `call` and an event recorded after, both in the
  // default stream, which waits for all blocking streams. Work that is still running in other
  // streams then counts too. `behind`, if given, is called as soon as the device is idle. Begins
  // when the device's memory is at its steady rate, or after kPatience without a steady rate.
  // Throws the exceptions of `call` and `behind`, and CudaError.
  float time_ms(const std::function<void()>& call, const std::function<void()>& behind = nullptr);

  // Times a call that is not graded by its time: `behind` is called directly after `call`, as by a
  // caller who queues more work in the default stream. Work that `call` left in a stream for which
  // the default stream does not wait may not be done by then, and does not count.
  float time_once_ms(const std::function<void()>& call, const std::function<void()>& behind);

  // Whether memory was not at its steady rate right after the last call, for time_ms().
  bool disturbed() const { return disturbed_; }
  // The time in ms that was spent waiting for a steady rate of memory.
  double waited_ms() const { return waited_ms_; }

 private:
  void evict();
  void begin(bool steady);
  float evict_ms();
  void wait_until_steady();

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  cudaEvent_t idle_ = nullptr;
  cudaEvent_t evict_ = nullptr;
  DeviceArray<unsigned> eviction_;
  bool persisting_ = false;
  float idle_ms_ = 0;  // from stop_ to idle_ without remaining work
  SteadyRate rate_;    // of evicting
  bool disturbed_ = false;
  double waited_ms_ = 0;
};
