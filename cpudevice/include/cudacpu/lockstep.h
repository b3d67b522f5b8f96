// Runs a block as loops over its threads between the barriers; compiler/lockstep generates the
// loops.
//
// A single fiber executes the kernel's body once for the block. The body calls each_thread() for
// the threads' work up to the next barrier.
#pragma once

#include "launch.h"

#if !CUDACPU_CHECKING && !CUDACPU_DIAGNOSTICS

namespace cudacpu {

// The largest sum of bytes of a kernel's arrays on the stack, which can grow to somewhat more.
constexpr size_t kKeptLimit = 416 * 1024;

// The number of a thread's rounds of a loop in a turn, when `again` threads go on (0: in the first
// turn). The lines of a column compete for one set of the L1 cache where a row's length is a power
// of two, and a set has 8 places or more. If few threads go on, a thread has more rounds, because a
// turn also looks at each finished thread.
inline unsigned rounds(const dim3& block, unsigned again) {
  constexpr unsigned kLeast = 8;
  const unsigned more = again == 0 ? 0 : 2 * block.x * block.y * block.z / again;
  return more < kLeast ? kLeast : more;
}

// The values, one for each thread, of a local variable that threads keep from one loop to the next.
// The kernel's other arrays take `kBegin` bytes.
template <class T, unsigned kThreads, size_t kBegin>
class PerThread {
 public:
  using Value = std::remove_const_t<T>;
  static constexpr size_t kEnd = kBegin + sizeof(T) * kThreads;
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(kEnd <= kKeptLimit, "too large for lock-step");  // compiler/cuda.py knows the text
  // Without std::launder: GCC would no longer know which array the result points to, and write each
  // change to memory at once.
  inline __attribute__((always_inline)) T& operator[](unsigned thread) {
    return *reinterpret_cast<T*>(bytes_ + thread * sizeof(T));
  }
  // A pointer variable may be __restrict__, which T is not.
  template <class Variable>
  inline __attribute__((always_inline)) void keep(unsigned thread, const Variable& value) {
    static_assert(sizeof(Variable) == sizeof(T));
    __builtin_memcpy(bytes_ + thread * sizeof(T), (const void*)&value, sizeof(T));
  }
  template <class Variable>
  inline __attribute__((always_inline)) void restore(unsigned thread, Variable& value) const {
    static_assert(sizeof(Variable) == sizeof(T));
    __builtin_memcpy((void*)&value, bytes_ + thread * sizeof(T), sizeof(T));
  }

 private:
  alignas(T) unsigned char bytes_[kThreads * sizeof(T)];
};

// Calls `each` for the threads of the block in order. Updates threadIdx for device functions and
// fault reports.
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
  // Each block gets its own copies of the arguments, because a block may change them.
  Arguments<Closure> own = copied(*static_cast<const Arguments<Closure>*>(untyped));
  own(Indices{{}, blockIdx, blockDim, gridDim});
}

}  // namespace cudacpu

#endif
