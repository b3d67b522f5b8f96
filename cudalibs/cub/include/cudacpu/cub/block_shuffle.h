// cub::BlockShuffle: each thread gets the item of another thread.
#pragma once

#include "common.h"

namespace cub {

template <typename T, int kX, int kY = 1, int kZ = 1, int = 0>
class BlockShuffle {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads> values;
  };
  CUDACPU_DEVICE BlockShuffle() {}
  CUDACPU_DEVICE explicit BlockShuffle(TempStorage& storage) : stored_(storage) {}

  // The value of the thread `distance` places further; without a thread there, `result` stays
  // unchanged.
  CUDACPU_DEVICE void Offset(T value, T& result, int distance = 1) {
    const int from = share(value) + distance;
    if (from >= 0 && from < kThreads) result = stored_.storage.values[from];
  }
  // The same in a circle: after the last thread comes the first.
  CUDACPU_DEVICE void Rotate(T value, T& result, unsigned distance = 1) {
    const unsigned from = static_cast<unsigned>(share(value)) + distance;
    result = stored_.storage.values[from % kThreads];
  }
  // Moves the items up one place; the block's first element of `moved` stays unchanged. `last` is
  // the item pushed out of the block.
  template <int kItemsPerThread>
  CUDACPU_DEVICE void Up(T (&items)[kItemsPerThread], T (&moved)[kItemsPerThread]) {
    const int rank = share(items[kItemsPerThread - 1]);
    for (int i = kItemsPerThread - 1; i > 0; --i)
      moved[i] = items[i - 1];
    if (rank > 0) moved[0] = stored_.storage.values[rank - 1];
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void Up(T (&items)[kItemsPerThread], T (&moved)[kItemsPerThread], T& last) {
    Up(items, moved);
    last = stored_.storage.values[kThreads - 1];
  }
  // Moves the items down one place; the block's last element of `moved` stays unchanged.
  template <int kItemsPerThread>
  CUDACPU_DEVICE void Down(T (&items)[kItemsPerThread], T (&moved)[kItemsPerThread]) {
    const int rank = share(items[0]);
    for (int i = 0; i + 1 < kItemsPerThread; ++i)
      moved[i] = items[i + 1];
    if (rank + 1 < kThreads) moved[kItemsPerThread - 1] = stored_.storage.values[rank + 1];
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void Down(T (&items)[kItemsPerThread], T (&moved)[kItemsPerThread], T& first) {
    Down(items, moved);
    first = stored_.storage.values[0];
  }

 private:
  CUDACPU_DEVICE int share(const T& value) {
    const unsigned rank = detail::thread_rank();
    stored_.storage.values[rank] = value;
    __syncthreads();
    return static_cast<int>(rank);
  }
  detail::Stored<TempStorage> stored_;
};

}  // namespace cub
