// The interface of a part's runner.cpp: inputs, a call of the student's function, outputs.
//
// harness/runner/runner.cpp owns main(), the clock and the protocol with the grader; a part's
// runner.cpp holds only the code of its own problem.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "device_array.h"
#include "guard.h"
#include "options.h"

// A piece of memory, on the device or on the host, that the judge receives.
struct Region {
  void* data;
  size_t bytes;
};

// A piece of memory that the student's function may only read.
struct ConstRegion {
  const char* name;  // as in the contract
  Region region;
};

// `size` elements of T in device memory between two guard bands. The elements begin `offset`
// elements after an address that is aligned to 256 bytes.
template <class T>
class GuardedDeviceArray {
 public:
  explicit GuardedDeviceArray(size_t size, size_t offset = 0)
      : size_(size), offset_(offset), memory_((offset + size) * sizeof(T) + 2 * kGuardBytes) {}

  T* data() { return reinterpret_cast<T*>(memory_.data() + kGuardBytes) + offset_; }
  size_t size() const { return size_; }
  // Fills array and guard bands with the poison byte.
  void poison() {
    CUDA_CHECK(cudaMemset(memory_.data(), kPoison, memory_.bytes()));
    hide_poison(data(), size_ * sizeof(T));
  }
  // The array with its guard bands.
  Region region() {
    return {memory_.data() + offset_ * sizeof(T), size_ * sizeof(T) + 2 * kGuardBytes};
  }

 private:
  size_t size_;
  size_t offset_;
  DeviceArray<unsigned char> memory_;
};

// A guarded array in pageable host memory.
template <class T>
class GuardedHostArray {
 public:
  explicit GuardedHostArray(size_t size)
      : size_(size), memory_(size * sizeof(T) + 2 * kGuardBytes) {}

  T* data() { return reinterpret_cast<T*>(memory_.data() + kGuardBytes); }
  size_t size() const { return size_; }
  void poison() { std::memset(memory_.data(), kPoison, memory_.size()); }
  Region region() { return {memory_.data(), memory_.size()}; }

 private:
  size_t size_;
  std::vector<unsigned char> memory_;
};

// A case of a part.
class Problem {
 public:
  virtual ~Problem() = default;
  // Makes the inputs of a repeat and poisons the outputs. Not timed.
  virtual void prepare(uint64_t seed) = 0;
  // Prepares again after a call that has left the inputs of the same seed unchanged, so that
  // expensive inputs need not be made again. Not timed.
  virtual void prepare_again(uint64_t seed) { prepare(seed); }
  // Calls the student's function once. Timed.
  virtual void call() = 0;
  // The inputs that are const in the contract; checked again after the call.
  virtual std::vector<ConstRegion> inputs() { return {}; }
  // The outputs of the last call, in the order in which the judge takes them.
  virtual std::vector<Region> outputs() = 0;
  // The least bytes that any solution must move: each input read once, each output written once.
  virtual double bytes_moved() const = 0;
  // The time in ms that a limit of the machine allows; 0 if a peer shows the limit.
  virtual double limit_ms() { return 0; }
  // The name of the limit: "link", at its measured rate, or "peak", the rate of the units that
  // compute.
  virtual const char* limit() const { return "link"; }
};

// The case that the options name. Defined once by each part's runner.cpp; throws OptionError.
std::unique_ptr<Problem> make_problem(const Options& options);
