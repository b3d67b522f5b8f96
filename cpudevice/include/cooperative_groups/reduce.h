// reduce() over a tile or a coalesced group, and the operations for reduce().
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "cooperative_groups.h"

namespace cooperative_groups {

#define CUDACPU_OPERATION(name, expression)                                               \
  template <typename T = void>                                                            \
  struct name {                                                                           \
    CUDACPU_HOST_DEVICE T operator()(const T& a, const T& b) const { return expression; } \
  };
CUDACPU_OPERATION(plus, a + b)
CUDACPU_OPERATION(less, b < a ? b : a)
CUDACPU_OPERATION(greater, a < b ? b : a)
CUDACPU_OPERATION(bit_and, a& b)
CUDACPU_OPERATION(bit_or, a | b)
CUDACPU_OPERATION(bit_xor, a ^ b)
#undef CUDACPU_OPERATION

namespace details {
// The operations for which a GPU has an instruction.
template <typename Operation>
constexpr bool is_named_operation = false;
template <template <typename> class Named, typename T>
constexpr bool is_named_operation<Named<T>> =
    std::is_same<Named<T>, plus<T>>::value || std::is_same<Named<T>, less<T>>::value ||
    std::is_same<Named<T>, greater<T>>::value || std::is_same<Named<T>, bit_and<T>>::value ||
    std::is_same<Named<T>, bit_or<T>>::value || std::is_same<Named<T>, bit_xor<T>>::value;
}  // namespace details

template <typename Group, typename T, typename Operation>
CUDACPU_DEVICE details::Plain<T> reduce(const Group& group, T&& value, Operation&& operation) {
  using Value = details::Plain<T>;
  const cudacpu::LaneValues<Value> values(group._lanes(), value, "reduce() of a group");
  cudacpu::count_steps(values, std::is_integral<Value>::value && sizeof(Value) == 4 &&
                                   details::is_named_operation<details::Plain<Operation>>);
  return cudacpu::fold<Value>(values, values.present(), value, operation);
}

// Of several warps: each thread adds up what all warps have left.
template <unsigned int Size, unsigned int MaxBlockSize, typename T, typename Operation>
CUDACPU_DEVICE details::Plain<T> reduce(const multi_warp_tile<Size, MaxBlockSize>& tile, T&& value,
                                        Operation&& operation) {
  using Value = details::Plain<T>;
  static_assert(sizeof(Value) <= sizeof(unsigned long long), "values of at most 8 bytes");
  unsigned long long* const values = tile.values();
  memcpy(&values[tile.thread_rank()], &value, sizeof(Value));
  tile.sync();
  Value sum, other;
  memcpy(&sum, &values[0], sizeof(Value));
  for (unsigned i = 1; i < Size; ++i) {
    memcpy(&other, &values[i], sizeof(Value));
    sum = operation(sum, other);
  }
  tile.sync();
  return sum;
}

}  // namespace cooperative_groups

#endif
