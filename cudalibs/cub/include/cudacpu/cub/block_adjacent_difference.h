// cub::BlockAdjacentDifference: the difference of each item and the previous or the next item.
#pragma once

#include "common.h"

namespace cub {

template <typename T, int kX, int kY = 1, int kZ = 1, int = 0>
class BlockAdjacentDifference {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads> edges;  // the items that the threads' neighbours need
  };
  CUDACPU_DEVICE BlockAdjacentDifference() {}
  CUDACPU_DEVICE explicit BlockAdjacentDifference(TempStorage& storage) : stored_(storage) {}

  // An item without a predecessor is copied, and so are the items after the first `valid` items.
  // The results may replace the items.
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractLeft(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                                   Minus minus) {
    left(items, results, minus, kThreads * kItemsPerThread, nullptr);
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractLeft(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                                   Minus minus, T predecessor) {
    left(items, results, minus, kThreads * kItemsPerThread, &predecessor);
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractLeftPartialTile(T (&items)[kItemsPerThread],
                                              Out (&results)[kItemsPerThread], Minus minus,
                                              int valid) {
    left(items, results, minus, valid, nullptr);
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractLeftPartialTile(T (&items)[kItemsPerThread],
                                              Out (&results)[kItemsPerThread], Minus minus,
                                              int valid, T predecessor) {
    left(items, results, minus, valid, &predecessor);
  }
  // An item without a valid successor is copied.
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractRight(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                                    Minus minus) {
    right(items, results, minus, kThreads * kItemsPerThread, nullptr);
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractRight(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                                    Minus minus, T successor) {
    right(items, results, minus, kThreads * kItemsPerThread + 1, &successor);
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void SubtractRightPartialTile(T (&items)[kItemsPerThread],
                                               Out (&results)[kItemsPerThread], Minus minus,
                                               int valid) {
    right(items, results, minus, valid, nullptr);
  }

 private:
  // Backwards, so that an item is read before being replaced. The function is called with
  // variables: its parameters may be references.
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void left(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                           Minus& minus, int valid, T* predecessor) {
    auto& edges = stored_.storage.edges;
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = items[kItemsPerThread - 1];
    __syncthreads();
    if (rank > 0) predecessor = &edges[rank - 1];
    for (int i = kItemsPerThread - 1; i >= 0; --i) {
      T* const before = i > 0 ? &items[i - 1] : predecessor;
      const bool has = before && rank * kItemsPerThread + i < valid;
      results[i] = has ? Out(minus(items[i], *before)) : Out(items[i]);
    }
  }
  template <int kItemsPerThread, typename Out, typename Minus>
  CUDACPU_DEVICE void right(T (&items)[kItemsPerThread], Out (&results)[kItemsPerThread],
                            Minus& minus, int valid, T* successor) {
    auto& edges = stored_.storage.edges;
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = items[0];
    __syncthreads();
    if (rank + 1 < kThreads) successor = &edges[rank + 1];
    for (int i = 0; i < kItemsPerThread; ++i) {
      T* const after = i + 1 < kItemsPerThread ? &items[i + 1] : successor;
      const bool has = after && rank * kItemsPerThread + i + 1 < valid;
      results[i] = has ? Out(minus(items[i], *after)) : Out(items[i]);
    }
  }
  detail::Stored<TempStorage> stored_;
};

}  // namespace cub
