// cub::WarpExchange, cub::WarpLoad and cub::WarpStore: the items of a warp, or of a part of a warp.
#pragma once

#include "warp.h"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

namespace detail {

// The place of the lane's item i among the items of the logical warp.
template <int kItemsPerThread, int kLanes>
struct WarpPlaces {
  CUDACPU_DEVICE static int blocked(int i) { return rank() * kItemsPerThread + i; }
  CUDACPU_DEVICE static int striped(int i) { return rank() + i * kLanes; }
  CUDACPU_DEVICE static int rank() { return static_cast<int>(cudacpu::lane_id() % kLanes); }
};

}  // namespace detail

template <typename T, int kItemsPerThread, int kLanes = 32,
          WarpExchangeAlgorithm kHow = WARP_EXCHANGE_SMEM>
class WarpExchange {
  static_assert(kHow == WARP_EXCHANGE_SMEM || kItemsPerThread == kLanes,
                "WARP_EXCHANGE_SHUFFLE needs as many items per thread as there are lanes");
  using Places = detail::WarpPlaces<kItemsPerThread, kLanes>;

 public:
  struct TempStorage {
    std::conditional_t<kHow == WARP_EXCHANGE_SMEM, detail::Room<T, kLanes * kItemsPerThread>,
                       NullType>
        values;
  };
  CUDACPU_DEVICE WarpExchange() {}
  CUDACPU_DEVICE explicit WarpExchange(TempStorage& storage) : stored_(storage) {}

  template <typename Out>
  CUDACPU_DEVICE void BlockedToStriped(const T (&in)[kItemsPerThread],
                                       Out (&out)[kItemsPerThread]) {
    if constexpr (kHow == WARP_EXCHANGE_SHUFFLE) return transpose(in, out);
    if constexpr (kHow == WARP_EXCHANGE_SMEM) move(in, out, Places::blocked, Places::striped);
  }
  template <typename Out>
  CUDACPU_DEVICE void StripedToBlocked(const T (&in)[kItemsPerThread],
                                       Out (&out)[kItemsPerThread]) {
    if constexpr (kHow == WARP_EXCHANGE_SHUFFLE) return transpose(in, out);
    if constexpr (kHow == WARP_EXCHANGE_SMEM) move(in, out, Places::striped, Places::blocked);
  }
  // Item i goes to the place ranks[i] of the warp.
  template <typename Out, typename Rank>
  CUDACPU_DEVICE void ScatterToStriped(const T (&in)[kItemsPerThread], Out (&out)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    static_assert(kHow == WARP_EXCHANGE_SMEM, "WARP_EXCHANGE_SHUFFLE cannot scatter");
    move(
        in, out, [&](int i) { return static_cast<int>(ranks[i]); }, Places::striped);
  }
  template <typename Rank>
  CUDACPU_DEVICE void ScatterToStriped(T (&items)[kItemsPerThread],
                                       Rank (&ranks)[kItemsPerThread]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  template <typename Out, typename From, typename To>
  CUDACPU_DEVICE void move(const T (&in)[kItemsPerThread], Out (&out)[kItemsPerThread], From from,
                           To to) {
    auto& values = stored_.storage.values;
    for (int i = 0; i < kItemsPerThread; ++i)
      values[from(i)] = in[i];
    __syncwarp(detail::tile<kLanes>());
    for (int i = 0; i < kItemsPerThread; ++i)
      out[i] = values[to(i)];
  }
  // Item i of lane k becomes item k of lane i.
  template <typename Out>
  CUDACPU_DEVICE static void transpose(const T (&in)[kItemsPerThread],
                                       Out (&out)[kItemsPerThread]) {
    T own[kItemsPerThread];
    for (int i = 0; i < kItemsPerThread; ++i)
      own[i] = in[i];
    const unsigned first = cudacpu::lane_id() / kLanes * kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      const cudacpu::LaneValues<T> values(detail::tile<kLanes>(), own[lane], "cub::WarpExchange");
      if (Places::rank() != lane) continue;
      for (int i = 0; i < kItemsPerThread; ++i)
        out[i] = values[first + static_cast<unsigned>(i)];
    }
  }
  detail::Stored<TempStorage> stored_;
};

namespace detail {

// Of a logical warp's items in memory.
template <typename T, int kItemsPerThread, int kLanes, bool kTransposes, bool kStriped>
struct WarpTile {
  static constexpr int kAll = kLanes * kItemsPerThread;
  using Places = WarpPlaces<kItemsPerThread, kLanes>;
  using Exchange = WarpExchange<T, kItemsPerThread, kLanes>;
  using Storage = std::conditional_t<kTransposes, typename Exchange::TempStorage, NullType>;

  CUDACPU_DEVICE static int place(int i) {
    return kTransposes || kStriped ? Places::striped(i) : Places::blocked(i);
  }
  CUDACPU_DEVICE static void after_load(Storage& storage, T (&items)[kItemsPerThread]) {
    if constexpr (kTransposes) Exchange(storage).StripedToBlocked(items, items);
    (void)storage, (void)items;
  }
  CUDACPU_DEVICE static void before_store(Storage& storage, T (&items)[kItemsPerThread]) {
    if constexpr (kTransposes) Exchange(storage).BlockedToStriped(items, items);
    (void)storage, (void)items;
  }
};

}  // namespace detail

template <typename T, int kItemsPerThread, WarpLoadAlgorithm kHow = WARP_LOAD_DIRECT,
          int kLanes = 32>
class WarpLoad : public detail::TileLoad<
                     T, kItemsPerThread,
                     detail::WarpTile<T, kItemsPerThread, kLanes, kHow == WARP_LOAD_TRANSPOSE,
                                      kHow == WARP_LOAD_STRIPED>> {
 public:
  using WarpLoad::TileLoad::TileLoad;
};

template <typename T, int kItemsPerThread, WarpStoreAlgorithm kHow = WARP_STORE_DIRECT,
          int kLanes = 32>
class WarpStore : public detail::TileStore<
                      T, kItemsPerThread,
                      detail::WarpTile<T, kItemsPerThread, kLanes, kHow == WARP_STORE_TRANSPOSE,
                                       kHow == WARP_STORE_STRIPED>> {
 public:
  using WarpStore::TileStore::TileStore;
};

}  // namespace cub
