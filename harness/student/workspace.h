// Scratch memory for functions whose contract takes a Workspace&: allocated before the clock
// starts.
#pragma once

#include <cstddef>

#include "device_array.h"
#include "guard.h"

// A bump allocator over a piece of device memory. The runner resets and poisons the memory before
// each call, so nothing survives from one call to the next.
class Workspace {
 public:
  explicit Workspace(size_t bytes) : memory_(bytes) {}

  // `count` elements of T, aligned to 256 bytes, uninitialised, valid until the next reset().
  // Throws CudaError when the workspace is used up; the contract states its size.
  template <class T>
  T* take(size_t count) {
    const size_t begin = ceil_div(used_, kAlignment) * kAlignment;
    if (count > (memory_.bytes() - begin) / sizeof(T)) {
      throw CudaError(
          "the workspace has %zu bytes, %zu of them taken: no room for %zu elements of "
          "%zu bytes",
          memory_.bytes(), used_, count, sizeof(T));
    }
    used_ = begin + count * sizeof(T);
    return reinterpret_cast<T*>(memory_.data() + begin);
  }

  // Gives everything back and fills the memory with bytes that read as NaN and as -1.
  void reset() {
    used_ = 0;
    if (memory_.bytes() == 0) return;
    CUDA_CHECK(cudaMemset(memory_.data(), kPoison, memory_.bytes()));
    hide_poison(memory_.data(), memory_.bytes());
  }

  size_t bytes() const { return memory_.bytes(); }

 private:
  static constexpr size_t kAlignment = 256;
  DeviceArray<unsigned char> memory_;
  size_t used_ = 0;
};
