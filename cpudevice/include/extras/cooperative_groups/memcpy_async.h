// memcpy_async() by all threads of a group, and wait(). The copy has been made when the group has
// waited.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "cooperative_groups.h"

namespace cooperative_groups {

// Each thread copies every size()-th piece, as a GPU's instructions do.
template <typename Group>
CUDACPU_DEVICE void memcpy_async(const Group& group, void* destination, const void* source,
                                 size_t bytes) {
  constexpr size_t kPiece = 16;
  const size_t step = kPiece * static_cast<size_t>(group.num_threads());
  for (size_t at = kPiece * static_cast<size_t>(group.thread_rank()); at < bytes; at += step) {
    cudacpu::copy_piece(static_cast<char*>(destination) + at, static_cast<const char*>(source) + at,
                        bytes - at < kPiece ? bytes - at : kPiece);
  }
}
template <typename Group, typename T, typename U>
CUDACPU_DEVICE void memcpy_async(const Group& group, T* destination, const U* source,
                                 size_t bytes) {
  memcpy_async(group, static_cast<void*>(destination), static_cast<const void*>(source), bytes);
}
// By elements: as many as fit on both sides.
template <typename Group, typename T>
CUDACPU_DEVICE void memcpy_async(const Group& group, T* destination, size_t destination_count,
                                 const T* source, size_t source_count) {
  memcpy_async(group, destination, source,
               (destination_count < source_count ? destination_count : source_count) * sizeof(T));
}

template <typename Group>
CUDACPU_DEVICE void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stages, typename Group>
CUDACPU_DEVICE void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
