// cub::WarpExchange, cub::WarpLoad and cub::WarpStore: the items of a warp, or of a part of one.
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

// The place of this lane's item i among those of its logical warp.
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

template <typename T, int kItemsPerThread, WarpLoadAlgorithm kHow = WARP_LOAD_DIRECT,
          int kLanes = 32>
class WarpLoad {
  static constexpr bool kTransposes = kHow == WARP_LOAD_TRANSPOSE;
  using Places = detail::WarpPlaces<kItemsPerThread, kLanes>;
  using Exchange = WarpExchange<T, kItemsPerThread, kLanes>;

 public:
  struct TempStorage {
    std::conditional_t<kTransposes, typename Exchange::TempStorage, NullType> exchange;
  };
  CUDACPU_DEVICE WarpLoad() {}
  CUDACPU_DEVICE explicit WarpLoad(TempStorage& storage) : stored_(storage) {}

  template <typename In>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread]) {
    Load(in, items, kLanes * kItemsPerThread);
  }
  template <typename In>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread], int valid) {
    for (int i = 0; i < kItemsPerThread; ++i)
      if (place(i) < valid) items[i] = in[place(i)];
    if constexpr (kTransposes) Exchange(stored_.storage.exchange).StripedToBlocked(items, items);
  }
  template <typename In, typename Default>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread], int valid, Default otherwise) {
    for (int i = 0; i < kItemsPerThread; ++i)
      items[i] = static_cast<T>(otherwise);
    Load(in, items, valid);
  }

 private:
  CUDACPU_DEVICE static int place(int i) {
    return kTransposes || kHow == WARP_LOAD_STRIPED ? Places::striped(i) : Places::blocked(i);
  }
  detail::Stored<TempStorage> stored_;
};

template <typename T, int kItemsPerThread, WarpStoreAlgorithm kHow = WARP_STORE_DIRECT,
          int kLanes = 32>
class WarpStore {
  static constexpr bool kTransposes = kHow == WARP_STORE_TRANSPOSE;
  using Places = detail::WarpPlaces<kItemsPerThread, kLanes>;
  using Exchange = WarpExchange<T, kItemsPerThread, kLanes>;

 public:
  struct TempStorage {
    std::conditional_t<kTransposes, typename Exchange::TempStorage, NullType> exchange;
  };
  CUDACPU_DEVICE WarpStore() {}
  CUDACPU_DEVICE explicit WarpStore(TempStorage& storage) : stored_(storage) {}

  template <typename Out>
  CUDACPU_DEVICE void Store(Out out, T (&items)[kItemsPerThread]) {
    Store(out, items, kLanes * kItemsPerThread);
  }
  // To transpose it moves the items themselves, as CUB does.
  template <typename Out>
  CUDACPU_DEVICE void Store(Out out, T (&items)[kItemsPerThread], int valid) {
    if constexpr (kTransposes) Exchange(stored_.storage.exchange).BlockedToStriped(items, items);
    for (int i = 0; i < kItemsPerThread; ++i)
      if (place(i) < valid) out[place(i)] = items[i];
  }

 private:
  CUDACPU_DEVICE static int place(int i) {
    return kTransposes || kHow == WARP_STORE_STRIPED ? Places::striped(i) : Places::blocked(i);
  }
  detail::Stored<TempStorage> stored_;
};

}  // namespace cub
