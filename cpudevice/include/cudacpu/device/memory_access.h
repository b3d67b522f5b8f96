// Loads and stores with a caching hint, plain accesses on the CPU device; and questions about an
// address.
#pragma once

#include "../runtime.h"
#include "../standard.h"

#define CUDACPU_LOAD(name)                   \
  template <typename T>                      \
  CUDACPU_DEVICE inline T name(const T* p) { \
    return *p;                               \
  }
CUDACPU_LOAD(__ldg)
CUDACPU_LOAD(__ldca)
CUDACPU_LOAD(__ldcg)
CUDACPU_LOAD(__ldcs)
CUDACPU_LOAD(__ldlu)
#undef CUDACPU_LOAD

// Not cached: reads again at each call, so that a loop sees another block's store. Reads word by
// word, because T may be a vector.
template <typename T>
CUDACPU_DEVICE inline T __ldcv(const T* p) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  cudacpu::note_atomic();
  return *p;
}

#define CUDACPU_STORE(name)                               \
  template <typename T, typename U>                       \
  CUDACPU_DEVICE inline void name(T* p, const U& value) { \
    *p = value;                                           \
  }
CUDACPU_STORE(__stwb)
CUDACPU_STORE(__stcg)
CUDACPU_STORE(__stcs)
CUDACPU_STORE(__stwt)
#undef CUDACPU_STORE

namespace cudacpu {
CUDACPU_DEVICE bool is_shared(const void* pointer);
CUDACPU_DEVICE bool is_constant(const void* pointer);
CUDACPU_DEVICE bool is_local(const void* pointer);
CUDACPU_DEVICE size_t shared_offset(const void* pointer);
CUDACPU_DEVICE void* shared_pointer(size_t offset);

// A piece of a copy by a group of threads, with the widest words that both addresses allow, as with
// a GPU's instructions.
CUDACPU_DEVICE inline void copy_piece(void* to, const void* from, size_t bytes) {
  const auto places = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
  if (places % 16 == 0 && bytes == 16) {
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
  } else if ((places | bytes) % 4 == 0) {
    for (size_t at = 0; at < bytes / 4; ++at)
      static_cast<unsigned*>(to)[at] = static_cast<const unsigned*>(from)[at];
  } else {
    memcpy(to, from, bytes);
  }
}

}  // namespace cudacpu

CUDACPU_DEVICE inline unsigned int __isShared(const void* p) {
  return cudacpu::is_shared(p);
}
CUDACPU_DEVICE inline unsigned int __isConstant(const void* p) {
  return cudacpu::is_constant(p);
}
CUDACPU_DEVICE inline unsigned int __isLocal(const void* p) {
  return cudacpu::is_local(p);
}
CUDACPU_DEVICE inline unsigned int __isGlobal(const void* p) {
  return !cudacpu::is_shared(p) && !cudacpu::is_constant(p) && !cudacpu::is_local(p);
}
CUDACPU_DEVICE inline size_t __cvta_generic_to_shared(const void* p) {
  return cudacpu::shared_offset(p);
}
CUDACPU_DEVICE inline void* __cvta_shared_to_generic(size_t offset) {
  return cudacpu::shared_pointer(offset);
}
CUDACPU_DEVICE inline size_t __cvta_generic_to_global(const void* p) {
  return reinterpret_cast<size_t>(p);
}
CUDACPU_DEVICE inline void* __cvta_global_to_generic(size_t p) {
  return reinterpret_cast<void*>(p);
}
