// memcpy_async() by all threads of a group, and wait(). Copies to shared memory are under way until
// the group waits.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "cooperative_groups.h"
#include "cudacpu/device/async_copy.h"

namespace cooperative_groups {

template <typename Group>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async(const Group& group, void* destination,
                                                 const void* source, size_t bytes) {
  cudacpu::copy_pieces<true>(destination, source, bytes, static_cast<size_t>(group.thread_rank()),
                             static_cast<size_t>(group.num_threads()));
  cudacpu::commit_copies();
}
template <typename Group, typename T, typename U>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async(const Group& group, T* destination,
                                                 const U* source, size_t bytes) {
  memcpy_async(group, static_cast<void*>(destination), static_cast<const void*>(source), bytes);
}
// By elements: as many as fit on both sides.
template <typename Group, typename T>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async(const Group& group, T* destination,
                                                 size_t destination_count, const T* source,
                                                 size_t source_count) {
  memcpy_async(group, destination, source,
               (destination_count < source_count ? destination_count : source_count) * sizeof(T));
}

// Waits for all but the last `Stages` copies.
template <unsigned int Stages, typename Group>
CUDACPU_DEVICE void wait_prior(const Group& group) {
  cudacpu::wait_for_copies(Stages);
  group.sync();
}
template <typename Group>
CUDACPU_DEVICE void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
