// CUB's small parts: operators, pairs, iterators, buffers, and the storage of CUB's primitives.
#pragma once

#include <cfloat>
#include <climits>
#include <limits>

#include "cudacpu/thrust/iterators.h"
#include "debug.h"

#define CUB_VERSION 300000
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_PTX_WARP_THREADS 32

namespace cub {

struct NullType {};

// A value that a kernel writes before the value is read, such as the initial value of a scan.
template <typename T, typename In = T*>
struct FutureValue {
  In in;
  CUDACPU_HOST_DEVICE explicit FutureValue(In place) : in(place) {}
  CUDACPU_HOST_DEVICE operator T() const { return *in; }
};

// ---- operators ----
struct Sum {
  template <typename T, typename U>
  CUDACPU_HOST_DEVICE auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct Difference {
  template <typename T, typename U>
  CUDACPU_HOST_DEVICE auto operator()(const T& a, const U& b) const {
    return a - b;
  }
};
struct Max {
  template <typename T>
  CUDACPU_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename T>
  CUDACPU_HOST_DEVICE T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <typename T>
  CUDACPU_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};
struct Inequality {
  template <typename T>
  CUDACPU_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return !(a == b);
  }
};

template <typename Key_, typename Value_>
struct KeyValuePair {
  typedef Key_ Key;
  typedef Value_ Value;
  Key key;
  Value value;
  CUDACPU_HOST_DEVICE KeyValuePair() {}
  CUDACPU_HOST_DEVICE KeyValuePair(const Key& key, const Value& value) : key(key), value(value) {}
  CUDACPU_HOST_DEVICE bool operator!=(const KeyValuePair& other) const {
    return value != other.value || key != other.key;
  }
};
// The pair with the larger value; of pairs with equal values, the pair with the smaller key.
struct ArgMax {
  template <typename Pair>
  CUDACPU_HOST_DEVICE Pair operator()(const Pair& a, const Pair& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <typename Pair>
  CUDACPU_HOST_DEVICE Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

// ---- iterators ----
template <typename T, typename Offset = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<T>;
template <typename T, typename Offset = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <typename T, typename Function, typename Base, typename Offset = std::ptrdiff_t>
class TransformInputIterator : public thrust::transform_iterator<Function, Base> {
 public:
  CUDACPU_HOST_DEVICE TransformInputIterator(Base base, Function function)
      : thrust::transform_iterator<Function, Base>(base, function) {}
};

// Two buffers between which a sort alternates. A sort writes its result to the buffer that was not
// current.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  CUDACPU_HOST_DEVICE DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  CUDACPU_HOST_DEVICE DoubleBuffer(T* current, T* alternate)
      : d_buffers{current, alternate}, selector(0) {}
  CUDACPU_HOST_DEVICE T* Current() { return d_buffers[selector]; }
  CUDACPU_HOST_DEVICE T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail {

// The type in which values are combined: the type of the operation's results, so that the sum of
// chars is an int.
template <typename Operation, typename Initial, typename Value>
using Accumulator = std::decay_t<decltype(std::declval<Operation&>()(std::declval<Initial>(),
                                                                     std::declval<Value>()))>;

// Storage for values whose type may have a constructor: shared memory calls no constructor.
template <typename T, unsigned count>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * count];
  CUDACPU_DEVICE T& operator[](size_t i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// The temporary storage of a primitive: the program's, or else the block's own.
template <typename Storage>
struct Stored {
  Storage& storage;
  CUDACPU_DEVICE explicit Stored(Storage& given) : storage(given) {}
#if CUDACPU_CHECKING
  CUDACPU_DEVICE Stored() : storage(*static_cast<Storage*>(nullptr)) {}
#else
  Stored() : storage(::cudacpu::shared<void, Storage>()) {}
#endif
};

CUDACPU_DEVICE inline unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// The items of a block's or a warp's threads. `Tile` has the items' places in memory, and how the
// items get from there to the right thread.
template <typename Tile>
class TileAccess {
 public:
  struct TempStorage {
    typename Tile::Storage tile;
  };
  CUDACPU_DEVICE TileAccess() {}
  CUDACPU_DEVICE explicit TileAccess(TempStorage& storage) : stored_(storage) {}

 protected:
  CUDACPU_DEVICE typename Tile::Storage& tile() { return stored_.storage.tile; }

 private:
  Stored<TempStorage> stored_;
};

template <typename T, int kItemsPerThread, typename Tile>
class TileLoad : public TileAccess<Tile> {
 public:
  using TileAccess<Tile>::TileAccess;

  template <typename In>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread]) {
    Load(in, items, Tile::kAll);
  }
  template <typename In>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread], int valid) {
    for (int i = 0; i < kItemsPerThread; ++i)
      if (Tile::place(i) < valid) items[i] = in[Tile::place(i)];
    Tile::after_load(this->tile(), items);
  }
  template <typename In, typename Default>
  CUDACPU_DEVICE void Load(In in, T (&items)[kItemsPerThread], int valid, Default otherwise) {
    for (int i = 0; i < kItemsPerThread; ++i)
      items[i] = static_cast<T>(otherwise);
    Load(in, items, valid);
  }
};

// A transposing store moves the items themselves, as in CUB.
template <typename T, int kItemsPerThread, typename Tile>
class TileStore : public TileAccess<Tile> {
 public:
  using TileAccess<Tile>::TileAccess;

  template <typename Out>
  CUDACPU_DEVICE void Store(Out out, T (&items)[kItemsPerThread]) {
    Store(out, items, Tile::kAll);
  }
  template <typename Out>
  CUDACPU_DEVICE void Store(Out out, T (&items)[kItemsPerThread], int valid) {
    Tile::before_store(this->tile(), items);
    for (int i = 0; i < kItemsPerThread; ++i)
      if (Tile::place(i) < valid) out[Tile::place(i)] = items[i];
  }
};

// The place in the block of the thread's item i, of `items`, where each warp's items are striped.
// The block's last warp may be a partial warp.
template <int kThreads>
CUDACPU_DEVICE int warp_striped(int i, int items) {
  const int rank = static_cast<int>(thread_rank()), lane = rank % 32, first = rank - lane;
  return first * items + lane + i * (kThreads - first < 32 ? kThreads - first : 32);
}

// The bits [begin, end) of a key as an unsigned number, in the same order as the keys.
template <typename Key>
CUDACPU_HOST_DEVICE unsigned long long digits(Key key, int begin, int end) {
  unsigned long long bits = 0;
  constexpr unsigned kBits = sizeof(Key) * 8;
  constexpr unsigned long long kSign = 1ULL << (kBits - 1);
  if (key == Key(0)) key = Key(0);  // -0 is 0
  memcpy(&bits, &key, sizeof(Key));
  if constexpr (std::is_integral<Key>::value) {
    if constexpr (std::is_signed<Key>::value) bits ^= kSign;
  } else {
    bits = bits & kSign ? ~bits : bits | kSign;
  }
  bits >>= begin;
  return end - begin >= 64 ? bits : bits & ((1ULL << (end - begin)) - 1);
}

template <typename Key>
struct DigitOrder {
  int begin, end;
  bool descending;
  CUDACPU_HOST_DEVICE bool operator()(const Key& a, const Key& b) const {
    const auto x = digits(a, begin, end), y = digits(b, begin, end);
    return descending ? y < x : x < y;
  }
};

}  // namespace detail
}  // namespace cub
