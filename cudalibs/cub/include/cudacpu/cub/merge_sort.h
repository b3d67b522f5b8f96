// cub::BlockMergeSort and cub::WarpMergeSort. Each thread sorts its own items, then sorted runs are
// merged in pairs until a single run is left; in each round a thread finds its part of a pair by
// bisection.
#pragma once

#include "warp.h"

namespace cub {
namespace detail {

// `Threads` are the threads that sort together: their number, the thread's rank, and their barrier.
template <typename Key, typename Value, int kItemsPerThread, typename Threads>
class MergeSort {
  static constexpr int kAll = Threads::kCount * kItemsPerThread;
  static_assert((Threads::kCount & (Threads::kCount - 1)) == 0,
                "CUB's merge sorts need a power of two as the number of threads");

 public:
  union TempStorage {
    Room<Key, kAll> keys;
    Room<Value, kAll> values;
  };
  CUDACPU_DEVICE MergeSort() {}
  CUDACPU_DEVICE explicit MergeSort(TempStorage& storage) : stored_(storage) {}

  template <typename Less>
  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], Less less) {
    sort<false>(keys, nullptr, less);
  }
  template <typename Less>
  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                           Less less) {
    sort<true>(keys, values, less);
  }
  // Only the first `valid` keys count. The others become `otherwise`, after which no valid key
  // comes.
  template <typename Less>
  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], Less less, int valid, Key otherwise) {
    pad(keys, valid, otherwise);
    sort<false>(keys, nullptr, less);
  }
  template <typename Less, bool = true>
  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                           Less less, int valid, Key otherwise) {
    pad(keys, valid, otherwise);
    sort<true>(keys, values, less);
  }
  // Every sort of the class is stable.
  template <typename Less>
  CUDACPU_DEVICE void StableSort(Key (&keys)[kItemsPerThread], Less less) {
    Sort(keys, less);
  }
  template <typename Less>
  CUDACPU_DEVICE void StableSort(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                                 Less less) {
    Sort(keys, values, less);
  }
  template <typename Less>
  CUDACPU_DEVICE void StableSort(Key (&keys)[kItemsPerThread], Less less, int valid,
                                 Key otherwise) {
    Sort(keys, less, valid, otherwise);
  }
  template <typename Less, bool = true>
  CUDACPU_DEVICE void StableSort(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                                 Less less, int valid, Key otherwise) {
    Sort(keys, values, less, valid, otherwise);
  }

 private:
  CUDACPU_DEVICE static void pad(Key* keys, int valid, const Key& otherwise) {
    for (int i = 0; i < kItemsPerThread; ++i)
      if (Threads::rank() * kItemsPerThread + i >= valid) keys[i] = otherwise;
  }
  template <bool kPairs, typename Less>
  CUDACPU_DEVICE void sort(Key* keys, Value* values, Less& less) {
    sort_own<kPairs>(keys, values, less);
    for (int run = kItemsPerThread; run < kAll; run *= 2)
      merge<kPairs>(keys, values, less, run);
  }
  template <bool kPairs, typename Less>
  CUDACPU_DEVICE static void sort_own(Key* keys, Value* values, Less& less) {
    for (int end = 1; end < kItemsPerThread; ++end) {
      for (int i = end; i > 0 && less(keys[i], keys[i - 1]); --i) {
        exchange(keys[i], keys[i - 1]);
        if constexpr (kPairs) exchange(values[i], values[i - 1]);
      }
    }
  }
  template <typename T>
  CUDACPU_DEVICE static void exchange(T& a, T& b) {
    const T before = a;
    a = b;
    b = before;
  }
  // Merges neighbouring runs of `run` items each.
  template <bool kPairs, typename Less>
  CUDACPU_DEVICE void merge(Key* keys, Value* values, Less& less, int run) {
    auto& shared = stored_.storage.keys;
    const int own = Threads::rank() * kItemsPerThread;
    const int begin = own / (2 * run) * (2 * run), middle = begin + run, end = middle + run;
    share(shared, keys);
    // Of the items before the thread's part, `low` come from the first run.
    const int before = own - begin;
    int low = before < run ? 0 : before - run, high = before < run ? before : run;
    while (low < high) {
      const int half = (low + high) / 2;
      if (less(shared[middle + before - 1 - half], shared[begin + half])) {
        high = half;
      } else {
        low = half + 1;
      }
    }
    int a = begin + low, b = middle + before - low, from[kItemsPerThread];
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool second = a == middle || (b < end && less(shared[b], shared[a]));
      from[i] = second ? b++ : a++;
      keys[i] = shared[from[i]];
    }
    if constexpr (kPairs) {
      share(stored_.storage.values, values);
      for (int i = 0; i < kItemsPerThread; ++i)
        values[i] = stored_.storage.values[from[i]];
    }
  }
  // The first barrier is for threads that still read the previous items.
  template <typename T>
  CUDACPU_DEVICE static void share(Room<T, kAll>& shared, const T* items) {
    Threads::sync();
    for (int i = 0; i < kItemsPerThread; ++i)
      shared[Threads::rank() * kItemsPerThread + i] = items[i];
    Threads::sync();
  }
  Stored<TempStorage> stored_;
};

template <int kThreads>
struct BlockThreads {
  static constexpr int kCount = kThreads;
  CUDACPU_DEVICE static int rank() { return static_cast<int>(thread_rank()); }
  CUDACPU_DEVICE static void sync() { __syncthreads(); }
};

template <int kLanes>
struct WarpThreads {
  static constexpr int kCount = kLanes;
  CUDACPU_DEVICE static int rank() { return static_cast<int>(cudacpu::lane_id() % kLanes); }
  CUDACPU_DEVICE static void sync() { __syncwarp(tile<kLanes>()); }
};

}  // namespace detail

template <typename Key, int kX, int kItemsPerThread, typename Value = NullType, int kY = 1,
          int kZ = 1>
class BlockMergeSort
    : public detail::MergeSort<Key, Value, kItemsPerThread, detail::BlockThreads<kX * kY * kZ>> {
 public:
  using detail::MergeSort<Key, Value, kItemsPerThread,
                          detail::BlockThreads<kX * kY * kZ>>::MergeSort;
};

template <typename Key, int kItemsPerThread, int kLanes = 32, typename Value = NullType, int = 1>
class WarpMergeSort
    : public detail::MergeSort<Key, Value, kItemsPerThread, detail::WarpThreads<kLanes>> {
 public:
  using detail::MergeSort<Key, Value, kItemsPerThread, detail::WarpThreads<kLanes>>::MergeSort;
};

}  // namespace cub
