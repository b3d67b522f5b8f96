// CUB's primitives for a block. Threads exchange values through the program's temporary storage,
// with the same barriers as in CUB; the first thread computes.
#pragma once

#include "cudacpu/thrust/algorithms.h"
#include "warp.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int kX, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int kY = 1,
          int kZ = 1, int = 0>
class BlockReduce {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads> values;
  };
  CUDACPU_DEVICE BlockReduce() {}
  CUDACPU_DEVICE explicit BlockReduce(TempStorage& storage) : stored_(storage) {}

  // Only the first thread gets the result.
  template <typename Operation>
  CUDACPU_DEVICE T Reduce(T value, Operation operation) {
    return Reduce(value, operation, kThreads);
  }
  template <typename Operation>
  CUDACPU_DEVICE T Reduce(T value, Operation operation, int valid) {
    auto& values = stored_.storage.values;
    const unsigned rank = detail::thread_rank();
    values[rank] = value;
    __syncthreads();
    if (rank != 0) return value;
    T result = values[0];
    for (int i = 1; i < valid; ++i)
      result = operation(result, values[i]);
    return result;
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE T Reduce(T (&items)[kItemsPerThread], Operation operation) {
    T own = items[0];
    for (int i = 1; i < kItemsPerThread; ++i)
      own = operation(own, items[i]);
    return Reduce(own, operation);
  }
  CUDACPU_DEVICE T Sum(T value) { return Reduce(value, cub::Sum()); }
  CUDACPU_DEVICE T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int kItemsPerThread>
  CUDACPU_DEVICE T Sum(T (&items)[kItemsPerThread]) {
    return Reduce(items, cub::Sum());
  }

 private:
  detail::Stored<TempStorage> stored_;
};

template <typename T, int kX, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int kY = 1, int kZ = 1,
          int = 0>
class BlockScan {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads> values;
    detail::Room<T, kThreads> before;  // the first thread's element holds the total sum
    detail::Room<T, 1> all;
    detail::Room<T, 1> prefix;
  };
  CUDACPU_DEVICE BlockScan() {}
  CUDACPU_DEVICE explicit BlockScan(TempStorage& storage) : stored_(storage) {}

  CUDACPU_DEVICE void InclusiveSum(T value, T& result) { InclusiveScan(value, result, cub::Sum()); }
  CUDACPU_DEVICE void InclusiveSum(T value, T& result, T& all) {
    InclusiveScan(value, result, cub::Sum(), all);
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void InclusiveSum(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread]) {
    InclusiveScan(items, results, cub::Sum());
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void InclusiveSum(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                   T& all) {
    InclusiveScan(items, results, cub::Sum(), all);
  }
  CUDACPU_DEVICE void ExclusiveSum(T value, T& result) {
    ExclusiveScan(value, result, T(), cub::Sum());
  }
  CUDACPU_DEVICE void ExclusiveSum(T value, T& result, T& all) {
    ExclusiveScan(value, result, T(), cub::Sum(), all);
  }
  // The function object gets the sum of the block and returns the sum of all elements before the
  // block.
  template <typename Prefix, typename = decltype(std::declval<Prefix&>()(std::declval<T>()))>
  CUDACPU_DEVICE void ExclusiveSum(T value, T& result, Prefix& prefix) {
    one(value, nullptr, &result, nullptr, cub::Sum(), nullptr, &prefix);
  }
  template <typename Prefix, typename = decltype(std::declval<Prefix&>()(std::declval<T>()))>
  CUDACPU_DEVICE void InclusiveSum(T value, T& result, Prefix& prefix) {
    one(value, &result, nullptr, nullptr, cub::Sum(), nullptr, &prefix);
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void ExclusiveSum(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread]) {
    ExclusiveScan(items, results, T(), cub::Sum());
  }
  template <int kItemsPerThread>
  CUDACPU_DEVICE void ExclusiveSum(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                   T& all) {
    ExclusiveScan(items, results, T(), cub::Sum(), all);
  }

  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, Operation operation) {
    one(value, &result, nullptr, nullptr, operation, nullptr, none());
  }
  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, Operation operation, T& all) {
    one(value, &result, nullptr, nullptr, operation, &all, none());
  }
  template <typename Operation, typename Prefix>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, Operation operation, T& all,
                                    Prefix& prefix) {
    one(value, &result, nullptr, nullptr, operation, &all, &prefix);
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                    Operation operation) {
    T all;
    InclusiveScan(items, results, operation, all);
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                    Operation operation, T& all) {
    T before;
    many(items, before, operation, all);
    const bool first = detail::thread_rank() == 0;
    T sum = first ? items[0] : T(operation(before, items[0]));
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (i > 0) sum = operation(sum, items[i]);
      results[i] = sum;
    }
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    one(value, nullptr, &result, &initial, operation, nullptr, none());
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation, T& all) {
    one(value, nullptr, &result, &initial, operation, &all, none());
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                    T initial, Operation operation) {
    T all;
    ExclusiveScan(items, results, initial, operation, all);
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T (&items)[kItemsPerThread], T (&results)[kItemsPerThread],
                                    T initial, Operation operation, T& all) {
    T before;
    many(items, before, operation, all);
    T sum = detail::thread_rank() == 0 ? initial : T(operation(initial, before));
    for (int i = 0; i < kItemsPerThread; ++i) {
      const T item = items[i];
      results[i] = sum;
      sum = operation(sum, item);
    }
  }

 private:
  struct NoPrefix {
    CUDACPU_DEVICE T operator()(T all) { return all; }
  };
  CUDACPU_DEVICE static NoPrefix* none() { return nullptr; }

  // Returns the sum of the previous threads; the first thread has none.
  template <typename Operation, typename Prefix>
  CUDACPU_DEVICE T exchange(T value, Operation operation, T* all, Prefix* prefix, T* whole_prefix) {
    auto& s = stored_.storage;
    const unsigned rank = detail::thread_rank();
    s.values[rank] = value;
    __syncthreads();
    if (rank == 0) {
      T sum = s.values[0];
      for (int i = 1; i < kThreads; ++i) {
        s.before[i] = sum;
        sum = operation(sum, s.values[i]);
      }
      s.all[0] = sum;
    }
    // The whole first warp calls the function object; only the first lane's result is used.
    if (prefix && rank < 32) {
      const T total = rank == 0 ? s.all[0] : value;
      const T given = (*prefix)(total);
      if (rank == 0) s.prefix[0] = given;
    }
    __syncthreads();
    if (all) *all = s.all[0];
    if (whole_prefix) *whole_prefix = s.prefix[0];
    return rank == 0 ? value : s.before[rank];
  }
  template <typename Operation, typename Prefix>
  CUDACPU_DEVICE void one(T value, T* inclusive, T* exclusive, const T* initial,
                          Operation operation, T* all, Prefix* prefix) {
    T given;
    const T before = exchange(value, operation, all, prefix, prefix ? &given : nullptr);
    if (prefix) initial = &given;
    T sum = before;
    bool has = detail::thread_rank() != 0;
    if (initial) {
      sum = has ? T(operation(*initial, before)) : *initial;
      has = true;
    }
    if (exclusive) *exclusive = sum;
    if (inclusive) *inclusive = has ? T(operation(sum, value)) : value;
  }
  template <int kItemsPerThread, typename Operation>
  CUDACPU_DEVICE void many(T (&items)[kItemsPerThread], T& before, Operation operation, T& all) {
    T own = items[0];
    for (int i = 1; i < kItemsPerThread; ++i)
      own = operation(own, items[i]);
    before = exchange(own, operation, &all, none(), nullptr);
  }

  detail::Stored<TempStorage> stored_;
};

template <typename T, int kX, int kItemsPerThread, bool = false, int kY = 1, int kZ = 1, int = 0>
class BlockExchange {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {
    detail::Room<T, kThreads * kItemsPerThread> values;
  };
  CUDACPU_DEVICE BlockExchange() {}
  CUDACPU_DEVICE explicit BlockExchange(TempStorage& storage) : stored_(storage) {}

  template <typename Out>
  CUDACPU_DEVICE void BlockedToStriped(const T (&in)[kItemsPerThread],
                                       Out (&out)[kItemsPerThread]) {
    move(in, out, blocked, striped);
  }
  template <typename Out>
  CUDACPU_DEVICE void StripedToBlocked(const T (&in)[kItemsPerThread],
                                       Out (&out)[kItemsPerThread]) {
    move(in, out, striped, blocked);
  }
  // Striped within each warp's part.
  template <typename Out>
  CUDACPU_DEVICE void BlockedToWarpStriped(const T (&in)[kItemsPerThread],
                                           Out (&out)[kItemsPerThread]) {
    move<true>(in, out, blocked, warp_striped);
  }
  template <typename Out>
  CUDACPU_DEVICE void WarpStripedToBlocked(const T (&in)[kItemsPerThread],
                                           Out (&out)[kItemsPerThread]) {
    move<true>(in, out, warp_striped, blocked);
  }
  // Item i goes to the place ranks[i] of the block.
  template <typename Out, typename Rank>
  CUDACPU_DEVICE void ScatterToBlocked(const T (&in)[kItemsPerThread], Out (&out)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    move(
        in, out, [&](int i) { return static_cast<int>(ranks[i]); }, blocked);
  }
  template <typename Out, typename Rank>
  CUDACPU_DEVICE void ScatterToStriped(const T (&in)[kItemsPerThread], Out (&out)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    move(
        in, out, [&](int i) { return static_cast<int>(ranks[i]); }, striped);
  }
  // Items with a negative rank, or without a flag, go nowhere.
  template <typename Out, typename Rank>
  CUDACPU_DEVICE void ScatterToStripedGuarded(const T (&in)[kItemsPerThread],
                                              Out (&out)[kItemsPerThread],
                                              Rank (&ranks)[kItemsPerThread]) {
    ScatterToStriped(in, out, ranks);
  }
  template <typename Out, typename Rank, typename Flag>
  CUDACPU_DEVICE void ScatterToStripedFlagged(const T (&in)[kItemsPerThread],
                                              Out (&out)[kItemsPerThread],
                                              Rank (&ranks)[kItemsPerThread],
                                              Flag (&flags)[kItemsPerThread]) {
    move(
        in, out, [&](int i) { return flags[i] ? static_cast<int>(ranks[i]) : -1; }, striped);
  }
  CUDACPU_DEVICE void BlockedToStriped(T (&items)[kItemsPerThread]) {
    BlockedToStriped(items, items);
  }
  CUDACPU_DEVICE void StripedToBlocked(T (&items)[kItemsPerThread]) {
    StripedToBlocked(items, items);
  }
  CUDACPU_DEVICE void BlockedToWarpStriped(T (&items)[kItemsPerThread]) {
    BlockedToWarpStriped(items, items);
  }
  CUDACPU_DEVICE void WarpStripedToBlocked(T (&items)[kItemsPerThread]) {
    WarpStripedToBlocked(items, items);
  }
  template <typename Rank>
  CUDACPU_DEVICE void ScatterToBlocked(T (&items)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <typename Rank>
  CUDACPU_DEVICE void ScatterToStriped(T (&items)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    ScatterToStriped(items, items, ranks);
  }
  template <typename Rank>
  CUDACPU_DEVICE void ScatterToStripedGuarded(T (&items)[kItemsPerThread],
                                              Rank (&ranks)[kItemsPerThread]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  // The place of the thread's item i in the block.
  CUDACPU_DEVICE static int blocked(int i) {
    return static_cast<int>(detail::thread_rank()) * kItemsPerThread + i;
  }
  CUDACPU_DEVICE static int striped(int i) {
    return static_cast<int>(detail::thread_rank()) + i * kThreads;
  }
  CUDACPU_DEVICE static int warp_striped(int i) {
    return detail::warp_striped<kThreads>(i, kItemsPerThread);
  }
  template <bool kInWarps = false, typename Out, typename From, typename To>
  CUDACPU_DEVICE void move(const T (&in)[kItemsPerThread], Out (&out)[kItemsPerThread], From from,
                           To to) {
    auto& values = stored_.storage.values;
    for (int i = 0; i < kItemsPerThread; ++i)
      if (from(i) >= 0) values[from(i)] = in[i];
    kInWarps ? __syncwarp() : __syncthreads();
    for (int i = 0; i < kItemsPerThread; ++i)
      out[i] = values[to(i)];
  }
  detail::Stored<TempStorage> stored_;
};

// ---- loads and stores of tiles ----

namespace detail {

// How a tile moves: each thread accesses its own items, or neighbouring threads access neighbouring
// places, and the items get to the right thread through shared memory.
enum class Transposed { kNot, kInBlock, kInWarps };

template <typename T, int kX, int kItemsPerThread, Transposed kHow, bool kStriped, int kY, int kZ>
struct Tile {
  static constexpr int kAll = kX * kY * kZ * kItemsPerThread;
  using Exchange = BlockExchange<T, kX, kItemsPerThread, false, kY, kZ>;
  using Storage =
      std::conditional_t<kHow == Transposed::kNot, NullType, typename Exchange::TempStorage>;

  // The place of the thread's item i in the tile in memory.
  CUDACPU_DEVICE static int place(int i) {
    const int rank = static_cast<int>(thread_rank());
    if (kHow == Transposed::kInWarps) return warp_striped<kX * kY * kZ>(i, kItemsPerThread);
    const bool striped = kStriped || kHow == Transposed::kInBlock;
    return striped ? i * (kX * kY * kZ) + rank : rank * kItemsPerThread + i;
  }
  CUDACPU_DEVICE static void after_load(Storage& storage, T (&items)[kItemsPerThread]) {
    if constexpr (kHow == Transposed::kInBlock) Exchange(storage).StripedToBlocked(items);
    if constexpr (kHow == Transposed::kInWarps) Exchange(storage).WarpStripedToBlocked(items);
    (void)storage, (void)items;
  }
  CUDACPU_DEVICE static void before_store(Storage& storage, T (&items)[kItemsPerThread]) {
    if constexpr (kHow == Transposed::kInBlock) Exchange(storage).BlockedToStriped(items);
    if constexpr (kHow == Transposed::kInWarps) Exchange(storage).BlockedToWarpStriped(items);
    (void)storage, (void)items;
  }
};

CUDACPU_HOST_DEVICE constexpr Transposed transposed(BlockLoadAlgorithm how) {
  return how < BLOCK_LOAD_TRANSPOSE    ? Transposed::kNot
         : how == BLOCK_LOAD_TRANSPOSE ? Transposed::kInBlock
                                       : Transposed::kInWarps;
}
CUDACPU_HOST_DEVICE constexpr Transposed transposed(BlockStoreAlgorithm how) {
  return transposed(static_cast<BlockLoadAlgorithm>(how));  // listed in the same order
}

}  // namespace detail

template <typename T, int kX, int kItemsPerThread = 1, BlockLoadAlgorithm kHow = BLOCK_LOAD_DIRECT,
          int kY = 1, int kZ = 1, int = 0>
class BlockLoad
    : public detail::TileLoad<T, kItemsPerThread,
                              detail::Tile<T, kX, kItemsPerThread, detail::transposed(kHow),
                                           kHow == BLOCK_LOAD_STRIPED, kY, kZ>> {
 public:
  using BlockLoad::TileLoad::TileLoad;
};

template <typename T, int kX, int kItemsPerThread = 1,
          BlockStoreAlgorithm kHow = BLOCK_STORE_DIRECT, int kY = 1, int kZ = 1, int = 0>
class BlockStore
    : public detail::TileStore<T, kItemsPerThread,
                               detail::Tile<T, kX, kItemsPerThread, detail::transposed(kHow),
                                            kHow == BLOCK_STORE_STRIPED, kY, kZ>> {
 public:
  using BlockStore::TileStore::TileStore;
};

// ---- sorting ----

template <typename Key, int kX, int kItemsPerThread, typename Value = NullType, int = 4,
          bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int kY = 1, int kZ = 1,
          int = 0>
class BlockRadixSort {
  static constexpr int kThreads = kX * kY * kZ;
  static constexpr int kAll = kThreads * kItemsPerThread;

 public:
  struct TempStorage {
    detail::Room<Key, kAll> keys;
    detail::Room<Value, kAll> values;
    detail::Room<int, kAll> order;
  };
  CUDACPU_DEVICE BlockRadixSort() {}
  CUDACPU_DEVICE explicit BlockRadixSort(TempStorage& storage) : stored_(storage) {}

  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], int begin = 0, int end = sizeof(Key) * 8) {
    sort<false>(keys, nullptr, {begin, end, false});
  }
  CUDACPU_DEVICE void Sort(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                           int begin = 0, int end = sizeof(Key) * 8) {
    sort<false>(keys, values, {begin, end, false});
  }
  CUDACPU_DEVICE void SortDescending(Key (&keys)[kItemsPerThread], int begin = 0,
                                     int end = sizeof(Key) * 8) {
    sort<false>(keys, nullptr, {begin, end, true});
  }
  CUDACPU_DEVICE void SortDescending(Key (&keys)[kItemsPerThread], Value (&values)[kItemsPerThread],
                                     int begin = 0, int end = sizeof(Key) * 8) {
    sort<false>(keys, values, {begin, end, true});
  }
  CUDACPU_DEVICE void SortBlockedToStriped(Key (&keys)[kItemsPerThread], int begin = 0,
                                           int end = sizeof(Key) * 8) {
    sort<true>(keys, nullptr, {begin, end, false});
  }
  CUDACPU_DEVICE void SortBlockedToStriped(Key (&keys)[kItemsPerThread],
                                           Value (&values)[kItemsPerThread], int begin = 0,
                                           int end = sizeof(Key) * 8) {
    sort<true>(keys, values, {begin, end, false});
  }
  CUDACPU_DEVICE void SortDescendingBlockedToStriped(Key (&keys)[kItemsPerThread], int begin = 0,
                                                     int end = sizeof(Key) * 8) {
    sort<true>(keys, nullptr, {begin, end, true});
  }
  CUDACPU_DEVICE void SortDescendingBlockedToStriped(Key (&keys)[kItemsPerThread],
                                                     Value (&values)[kItemsPerThread],
                                                     int begin = 0, int end = sizeof(Key) * 8) {
    sort<true>(keys, values, {begin, end, true});
  }

 private:
  template <bool kStriped>
  CUDACPU_DEVICE void sort(Key* keys, Value* values, detail::DigitOrder<Key> before) {
    auto& s = stored_.storage;
    const int rank = static_cast<int>(detail::thread_rank());
    for (int i = 0; i < kItemsPerThread; ++i) {
      s.keys[rank * kItemsPerThread + i] = keys[i];
      if (values) s.values[rank * kItemsPerThread + i] = values[i];
    }
    __syncthreads();
    if (rank == 0) {
      for (int i = 0; i < kAll; ++i)
        s.order[i] = i;
      auto* const in = &s.keys;
      thrust::detail::sort_stably(&s.order[0], std::ptrdiff_t{kAll},
                                  [=](int a, int b) { return before((*in)[a], (*in)[b]); });
    }
    __syncthreads();
    for (int i = 0; i < kItemsPerThread; ++i) {
      const int from = s.order[kStriped ? i * kThreads + rank : rank * kItemsPerThread + i];
      keys[i] = s.keys[from];
      if (values) values[i] = s.values[from];
    }
  }
  detail::Stored<TempStorage> stored_;
};

template <typename T, int kX, int kItemsPerThread, int kBins,
          BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int kY = 1, int kZ = 1, int = 0>
class BlockHistogram {
  static constexpr int kThreads = kX * kY * kZ;

 public:
  struct TempStorage {};
  CUDACPU_DEVICE BlockHistogram() {}
  CUDACPU_DEVICE explicit BlockHistogram(TempStorage&) {}

  template <typename Counter>
  CUDACPU_DEVICE void InitHistogram(Counter (&bins)[kBins]) {
    for (int i = static_cast<int>(detail::thread_rank()); i < kBins; i += kThreads)
      bins[i] = 0;
  }
  template <typename Counter>
  CUDACPU_DEVICE void Composite(T (&items)[kItemsPerThread], Counter (&bins)[kBins]) {
    for (int i = 0; i < kItemsPerThread; ++i)
      atomicAdd(&bins[items[i]], Counter(1));
  }
  template <typename Counter>
  CUDACPU_DEVICE void Histogram(T (&items)[kItemsPerThread], Counter (&bins)[kBins]) {
    InitHistogram(bins);
    __syncthreads();
    Composite(items, bins);
  }
};

// ---- loads and stores without an object ----

template <typename T, int kItemsPerThread, typename In>
CUDACPU_DEVICE void LoadDirectBlocked(int rank, In in, T (&items)[kItemsPerThread]) {
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = in[rank * kItemsPerThread + i];
}
template <typename T, int kItemsPerThread, typename Out>
CUDACPU_DEVICE void StoreDirectBlocked(int rank, Out out, T (&items)[kItemsPerThread]) {
  for (int i = 0; i < kItemsPerThread; ++i)
    out[rank * kItemsPerThread + i] = items[i];
}
template <int kThreads, typename T, int kItemsPerThread, typename In>
CUDACPU_DEVICE void LoadDirectStriped(int rank, In in, T (&items)[kItemsPerThread]) {
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = in[rank + i * kThreads];
}
template <int kThreads, typename T, int kItemsPerThread, typename Out>
CUDACPU_DEVICE void StoreDirectStriped(int rank, Out out, T (&items)[kItemsPerThread]) {
  for (int i = 0; i < kItemsPerThread; ++i)
    out[rank + i * kThreads] = items[i];
}

}  // namespace cub
