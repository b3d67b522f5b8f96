// A block as loops over its threads between the barriers: what compiler/lockstep writes.
//
// The kernel's body is executed once for the block, by one fiber, and calls each_thread() for what
// its threads do up to the next barrier.
#pragma once

#include "launch.h"

#if !CUDACPU_CHECKING && !CUDACPU_DIAGNOSTICS

namespace cudacpu {

// Bytes of the stack that all arrays of a kernel may take: it can grow to somewhat more.
constexpr size_t kKeptLimit = 384 * 1024;

// A local variable of a kernel whose value threads keep from one loop to the next, for each thread;
// one of `kArrays` of them.
template <class T, unsigned kThreads, unsigned kArrays>
class PerThread {
 public:
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) * kThreads * kArrays <= kKeptLimit);
  inline __attribute__((always_inline)) T& operator[](unsigned thread) {
    return *std::launder(reinterpret_cast<T*>(bytes_ + thread * sizeof(T)));
  }
  inline __attribute__((always_inline)) void keep(unsigned thread, const T& value) {
    __builtin_memcpy(bytes_ + thread * sizeof(T), &value, sizeof(T));
  }

 private:
  alignas(T) unsigned char bytes_[kThreads * sizeof(T)];
};

// Calls `each` for the threads of the block in their order. threadIdx is kept up to date for device
// functions and fault reports.
template <class Each>
inline __attribute__((always_inline)) void each_thread(const dim3& block, Each each) {
  unsigned number = 0;
  for (unsigned z = 0; z < block.z; ++z) {
    threadIdx.z = z;
    for (unsigned y = 0; y < block.y; ++y) {
      threadIdx.y = y;
      for (unsigned x = 0; x < block.x; ++x) {
        set_running(x);
        each(uint3{x, y, z}, number++);
      }
    }
  }
  set_running(kBetweenThreads);
}

template <class Closure>
void run_block(const void* untyped, const uint3&) {
  // Each block may change its copies of the arguments.
  Arguments<Closure> own = copied(*static_cast<const Arguments<Closure>*>(untyped));
  own(Indices{{}, blockIdx, blockDim, gridDim});
}

}  // namespace cudacpu

#endif
