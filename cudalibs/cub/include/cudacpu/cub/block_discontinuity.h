// cub::BlockDiscontinuity: marks the items that differ from the previous or the next item.
#pragma once

#include "common.h"

namespace cub {

template <typename T, int kX, int kY = 1, int kZ = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads> firsts, lasts;  // of each thread's items
  };
  CUDACPU_DEVICE BlockDiscontinuity() {}
  CUDACPU_DEVICE explicit BlockDiscontinuity(TempStorage& storage) : stored_(storage) {}

  // The first item of the block is marked, unless the call has an item before the block for the
  // comparison. A function of three arguments also gets the place of the second item in the block.
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeads(Flag (&heads)[kItemsPerThread], T (&items)[kItemsPerThread],
                                Differ differ) {
    share<true, false>(items);
    mark_heads(heads, items, differ, nullptr);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeads(Flag (&heads)[kItemsPerThread], T (&items)[kItemsPerThread],
                                Differ differ, T predecessor) {
    share<true, false>(items);
    mark_heads(heads, items, differ, &predecessor);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagTails(Flag (&tails)[kItemsPerThread], T (&items)[kItemsPerThread],
                                Differ differ) {
    share<false, true>(items);
    mark_tails(tails, items, differ, nullptr);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagTails(Flag (&tails)[kItemsPerThread], T (&items)[kItemsPerThread],
                                Differ differ, T successor) {
    share<false, true>(items);
    mark_tails(tails, items, differ, &successor);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeadsAndTails(Flag (&heads)[kItemsPerThread],
                                        Flag (&tails)[kItemsPerThread], T (&items)[kItemsPerThread],
                                        Differ differ) {
    share<true, true>(items);
    mark_heads(heads, items, differ, nullptr);
    mark_tails(tails, items, differ, nullptr);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeadsAndTails(Flag (&heads)[kItemsPerThread],
                                        Flag (&tails)[kItemsPerThread], T successor,
                                        T (&items)[kItemsPerThread], Differ differ) {
    share<true, true>(items);
    mark_heads(heads, items, differ, nullptr);
    mark_tails(tails, items, differ, &successor);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeadsAndTails(Flag (&heads)[kItemsPerThread], T predecessor,
                                        Flag (&tails)[kItemsPerThread], T (&items)[kItemsPerThread],
                                        Differ differ) {
    share<true, true>(items);
    mark_heads(heads, items, differ, &predecessor);
    mark_tails(tails, items, differ, nullptr);
  }
  template <int kItemsPerThread, typename Flag, typename Differ>
  CUDACPU_DEVICE void FlagHeadsAndTails(Flag (&heads)[kItemsPerThread], T predecessor,
                                        Flag (&tails)[kItemsPerThread], T successor,
                                        T (&items)[kItemsPerThread], Differ differ) {
    share<true, true>(items);
    mark_heads(heads, items, differ, &predecessor);
    mark_tails(tails, items, differ, &successor);
  }

 private:
  template <bool kLasts, bool kFirsts, int kItemsPerThread>
  CUDACPU_DEVICE void share(T (&items)[kItemsPerThread]) {
    const unsigned rank = detail::thread_rank();
    if (kLasts) stored_.storage.lasts[rank] = items[kItemsPerThread - 1];
    if (kFirsts) stored_.storage.firsts[rank] = items[0];
    __syncthreads();
  }
  template <typename Flag, int kItemsPerThread, typename Differ>
  CUDACPU_DEVICE void mark_heads(Flag (&heads)[kItemsPerThread], T (&items)[kItemsPerThread],
                                 Differ& differ, const T* predecessor) {
    const int rank = static_cast<int>(detail::thread_rank());
    if (rank > 0) predecessor = &stored_.storage.lasts[rank - 1];
    for (int i = 0; i < kItemsPerThread; ++i) {
      const T* const before = i > 0 ? &items[i - 1] : predecessor;
      heads[i] = before ? compare(differ, *before, items[i], rank * kItemsPerThread + i) : 1;
    }
  }
  template <typename Flag, int kItemsPerThread, typename Differ>
  CUDACPU_DEVICE void mark_tails(Flag (&tails)[kItemsPerThread], T (&items)[kItemsPerThread],
                                 Differ& differ, const T* successor) {
    const int rank = static_cast<int>(detail::thread_rank());
    if (rank + 1 < kThreads) successor = &stored_.storage.firsts[rank + 1];
    for (int i = 0; i < kItemsPerThread; ++i) {
      const T* const after = i + 1 < kItemsPerThread ? &items[i + 1] : successor;
      tails[i] = after ? compare(differ, items[i], *after, rank * kItemsPerThread + i + 1) : 1;
    }
  }
  template <typename Differ>
  CUDACPU_DEVICE static bool compare(Differ& differ, const T& a, const T& b, int place_of_b) {
    if constexpr (std::is_invocable<Differ&, const T&, const T&, int>::value) {
      return differ(a, b, place_of_b);
    } else {
      return differ(a, b);
    }
  }
  detail::Stored<TempStorage> stored_;
};

}  // namespace cub
