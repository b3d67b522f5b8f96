// What the translator makes of inline PTX: functions for the instructions that are no operator of
// C++ and no function of CUDA (compiler/ptx/).
//
// Registers have no type but their width: take() and give() carry bits between them and the type
// that an instruction asks for. Each function counts as one instruction in a profile.
#pragma once

#include "../../half_bits.h"
#include "../async_copy.h"
#include "../atomics.h"
#include "../integers.h"
#include "../matrix/memory.h"
#include "../mbarrier.h"
#include "../rounding.h"
#include "../synchronization.h"
#include "arithmetic.h"

namespace cudacpu {

// Some registers of one type.
template <typename T, int n>
struct Registers {
  T r[n];
};

namespace ptx {

// A register's value as a T; the lower bits if the register is wider.
template <typename T, typename R>
CUDACPU_DEVICE CUDACPU_INLINED T take(R value) {
  if constexpr (std::is_same_v<T, R>) {
    return value;
  } else if constexpr (sizeof(T) == sizeof(R)) {
    T result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
  } else {
    static_assert(std::is_integral_v<R>, "only integers are wider than what they hold");
    return static_cast<T>(value);
  }
}
// A value for a register of type R, whose upper bits are those of the value's sign.
template <typename R, typename T>
CUDACPU_DEVICE CUDACPU_INLINED R give(T value) {
  if constexpr (std::is_same_v<T, R>) {
    return value;
  } else if constexpr (sizeof(T) == sizeof(R)) {
    return take<R>(value);
  } else {
    return static_cast<R>(value);
  }
}
// Converts what a program passes as an operand: an integer, a pointer, a real number.
template <typename R, typename T>
CUDACPU_DEVICE CUDACPU_INLINED R operand(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<R>(reinterpret_cast<size_t>(value));
  } else if constexpr (std::is_same_v<T, R> || std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return static_cast<R>(value);
  } else {
    return take<R>(value);
  }
}
// And what it gets.
template <typename T, typename R>
CUDACPU_DEVICE CUDACPU_INLINED T result(R value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<size_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

// ---- integers ----
#define CUDACPU_PTX_ONE CUDACPU_DEVICE CUDACPU_UNSEEN inline

CUDACPU_PTX_ONE unsigned high(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
CUDACPU_PTX_ONE int high(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
CUDACPU_PTX_ONE unsigned long long high(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
CUDACPU_PTX_ONE long long high(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
CUDACPU_PTX_ONE unsigned difference(unsigned a, unsigned b) {
  return a < b ? b - a : a - b;
}
CUDACPU_PTX_ONE unsigned difference(int a, int b) {
  return a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
               : static_cast<unsigned>(a) - static_cast<unsigned>(b);
}

// Returns a + b, and the carry if it is wanted; `carry` is the carry of the last instruction.
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T add_with_carry(T a, T b, bool uses, bool sets, bool& carry) {
  T sum;
  bool over = __builtin_add_overflow(a, b, &sum);
  if (uses) over |= __builtin_add_overflow(sum, static_cast<T>(carry), &sum);
  if (sets) carry = over;
  return sum;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T subtract_with_borrow(T a, T b, bool uses, bool sets, bool& carry) {
  T rest;
  bool under = __builtin_sub_overflow(a, b, &rest);
  if (uses) under |= __builtin_sub_overflow(rest, static_cast<T>(carry), &rest);
  if (sets) carry = under;
  return rest;
}

// ---- bits ----
#define CUDACPU_PTX_SHIFT(T, name, beyond, shifted)   \
  CUDACPU_PTX_ONE T name(T a, unsigned n) {           \
    return n >= 8 * sizeof(T) ? (beyond) : (shifted); \
  }
CUDACPU_PTX_SHIFT(unsigned, shift_left, 0, a << n)
CUDACPU_PTX_SHIFT(unsigned long long, shift_left, 0, a << n)
CUDACPU_PTX_SHIFT(unsigned, shift_right, 0, a >> n)
CUDACPU_PTX_SHIFT(unsigned long long, shift_right, 0, a >> n)
CUDACPU_PTX_SHIFT(int, shift_right, a < 0 ? -1 : 0, a >> n)
CUDACPU_PTX_SHIFT(long long, shift_right, a < 0 ? -1 : 0, a >> n)
#undef CUDACPU_PTX_SHIFT

// The upper or the lower word of (b : a), shifted by at most 32.
CUDACPU_PTX_ONE unsigned funnel_left(unsigned a, unsigned b, unsigned n) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  return n >= 32 ? a : static_cast<unsigned>(both << n >> 32);
}
CUDACPU_PTX_ONE unsigned funnel_right(unsigned a, unsigned b, unsigned n) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  return n >= 32 ? b : static_cast<unsigned>(both >> n);
}
// Any function of three bits, given by its table.
CUDACPU_PTX_ONE unsigned lookup(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) value |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return value;
}
// Four bytes of the eight of (b : a), or a byte's sign eight times.
CUDACPU_PTX_ONE unsigned permute(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned chosen = selector >> 4 * i & 15;
    unsigned byte = static_cast<unsigned>(both >> 8 * (chosen & 7)) & 0xFF;
    if (chosen & 8) byte = byte & 0x80 ? 0xFF : 0;
    value |= byte << 8 * i;
  }
  return value;
}

// Returns `length` bits from bit `begin` on; in a signed number the highest of them is repeated
// upwards.
#define CUDACPU_PTX_EXTRACT(T, U)                                                        \
  CUDACPU_PTX_ONE T extract(T a, unsigned begin, unsigned length) {                      \
    constexpr unsigned bits = 8 * sizeof(T);                                             \
    begin &= 0xFF;                                                                       \
    length &= 0xFF;                                                                      \
    if (length == 0) return 0;                                                           \
    const U all = static_cast<U>(a);                                                     \
    const unsigned last = begin + length - 1 < bits - 1 ? begin + length - 1 : bits - 1; \
    const bool sign = std::is_signed_v<T> && (all >> last & 1);                          \
    U value = begin < bits ? all >> begin : 0;                                           \
    const unsigned kept = begin < bits ? last - begin + 1 : 0;                           \
    const U mask = kept >= bits ? ~static_cast<U>(0) : (static_cast<U>(1) << kept) - 1;  \
    value = sign ? value | ~mask : value & mask;                                         \
    return static_cast<T>(value);                                                        \
  }
CUDACPU_PTX_EXTRACT(unsigned, unsigned)
CUDACPU_PTX_EXTRACT(int, unsigned)
CUDACPU_PTX_EXTRACT(unsigned long long, unsigned long long)
CUDACPU_PTX_EXTRACT(long long, unsigned long long)
#undef CUDACPU_PTX_EXTRACT

// Returns b with the lower `length` bits of a from bit `begin` on.
#define CUDACPU_PTX_BITS(T, suffix)                                                          \
  CUDACPU_PTX_ONE T insert(T a, T b, unsigned begin, unsigned length) {                      \
    constexpr unsigned bits = 8 * sizeof(T);                                                 \
    begin &= 0xFF;                                                                           \
    length &= 0xFF;                                                                          \
    if (begin >= bits || length == 0) return b;                                              \
    const T mask = (length >= bits ? ~static_cast<T>(0) : (static_cast<T>(1) << length) - 1) \
                   << begin;                                                                 \
    return (b & ~mask) | (a << begin & mask);                                                \
  }                                                                                          \
  CUDACPU_PTX_ONE T reverse(T a) {                                                           \
    T value = 0;                                                                             \
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)                                             \
      value |= (a >> i & 1) << (8 * sizeof(T) - 1 - i);                                      \
    return value;                                                                            \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned ones(T a) {                                                       \
    return static_cast<unsigned>(__builtin_popcount##suffix(a));                             \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned leading_zeros(T a) {                                              \
    return a ? static_cast<unsigned>(__builtin_clz##suffix(a)) : 8 * sizeof(T);              \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned highest_bit(T a) {                                                \
    return a ? 8 * sizeof(T) - 1 - static_cast<unsigned>(__builtin_clz##suffix(a)) : ~0u;    \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned shift_to_highest_bit(T a) {                                       \
    return a ? static_cast<unsigned>(__builtin_clz##suffix(a)) : ~0u;                        \
  }
CUDACPU_PTX_BITS(unsigned, )
CUDACPU_PTX_BITS(unsigned long long, ll)
#undef CUDACPU_PTX_BITS
// For a signed number, the highest bit that differs from its sign.
CUDACPU_PTX_ONE unsigned highest_bit(int a) {
  return highest_bit(static_cast<unsigned>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned highest_bit(long long a) {
  return highest_bit(static_cast<unsigned long long>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned shift_to_highest_bit(int a) {
  return shift_to_highest_bit(static_cast<unsigned>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned shift_to_highest_bit(long long a) {
  return shift_to_highest_bit(static_cast<unsigned long long>(a < 0 ? ~a : a));
}

// ---- real numbers ----
CUDACPU_PTX_ONE float power_of_2(float x) {
  return __builtin_exp2f(x);
}
CUDACPU_PTX_ONE unsigned to_tf32(float x) {
  return tf32_from(x);
}
CUDACPU_DEVICE CUDACPU_INLINED unsigned pair(unsigned short low, unsigned short high) {
  return low | static_cast<unsigned>(high) << 16;
}

// ---- addresses and memory ----
CUDACPU_DEVICE CUDACPU_INLINED void* shared_address(unsigned long long offset) {
  return shared_pointer(static_cast<unsigned>(offset));
}
CUDACPU_DEVICE CUDACPU_INLINED void* generic_address(unsigned long long address) {
  return reinterpret_cast<void*>(address);
}
CUDACPU_DEVICE CUDACPU_INLINED unsigned long long to_shared(unsigned long long address) {
  return shared_offset(reinterpret_cast<const void*>(address));
}
CUDACPU_DEVICE CUDACPU_INLINED unsigned long long from_shared(unsigned long long offset) {
  return reinterpret_cast<unsigned long long>(shared_pointer(static_cast<unsigned>(offset)));
}

template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T load_plain(const void* p) {
  return load_register(static_cast<const T*>(p));
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T load_volatile(const void* p) {
  return load_register(static_cast<const volatile T*>(p));
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T load_relaxed(const void* p) {
  note_atomic();
  return take<T>(__atomic_load_n(static_cast<const RegisterOf<T>*>(p), __ATOMIC_RELAXED));
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T load_acquire(const void* p) {
  const T value = load_relaxed<T>(p);
  __threadfence();
  return value;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_plain(void* p, T value) {
  store_register(static_cast<T*>(p), value);
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_volatile(void* p, T value) {
  store_register(static_cast<volatile T*>(p), value);
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_relaxed(void* p, T value) {
  note_atomic();
  __atomic_store_n(static_cast<RegisterOf<T>*>(p), take<RegisterOf<T>>(value), __ATOMIC_RELAXED);
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_release(void* p, T value) {
  __threadfence();
  store_relaxed(p, value);
}

// Several registers at once, in one access.
template <typename T, int n>
CUDACPU_DEVICE CUDACPU_INLINED auto load_vector(const void* p) {
  return load_register(static_cast<const typename Register<n * sizeof(T)>::type*>(p));
}
template <typename T, int i, typename All>
CUDACPU_DEVICE CUDACPU_INLINED T part(All all) {
  return take<T>(static_cast<RegisterOf<T>>(all >> 8 * sizeof(T) * i));
}
template <typename T, typename... Values>
CUDACPU_DEVICE CUDACPU_INLINED void store_vector(void* p, Values... values) {
  using All = typename Register<sizeof...(values) * sizeof(T)>::type;
  All all = 0;
  int bits = 0;
  ((all |= static_cast<All>(static_cast<All>(take<RegisterOf<T>>(static_cast<T>(values))) << bits),
    bits += 8 * sizeof(T)),
   ...);
  store_register(static_cast<All*>(p), all);
}

// The same with an order: each register is an access of its own, as PTX says.
template <typename T, int n>
CUDACPU_DEVICE CUDACPU_INLINED auto load_vector_relaxed(const void* p) {
  typename Register<n * sizeof(T)>::type all = 0;
  for (int i = n; i-- > 0;)
    all = static_cast<decltype(all)>(
        all << 8 * sizeof(T) |
        load_relaxed<RegisterOf<T>>(static_cast<const RegisterOf<T>*>(p) + i));
  return all;
}
template <typename T, int n>
CUDACPU_DEVICE CUDACPU_INLINED auto load_vector_acquire(const void* p) {
  const auto all = load_vector_relaxed<T, n>(p);
  __threadfence();
  return all;
}
template <typename T, typename... Values>
CUDACPU_DEVICE CUDACPU_INLINED void store_vector_relaxed(void* p, Values... values) {
  int i = 0;
  (store_relaxed(static_cast<T*>(p) + i++, static_cast<T>(values)), ...);
}
template <typename T, typename... Values>
CUDACPU_DEVICE CUDACPU_INLINED void store_vector_release(void* p, Values... values) {
  __threadfence();
  store_vector_relaxed<T>(p, values...);
}

// ---- copies to shared memory that are under way until they are waited for ----
CUDACPU_DEVICE CUDACPU_INLINED void copy_async(void* to, const void* from, unsigned bytes,
                                               unsigned given) {
  start_copy(to, from, bytes, given);
}
CUDACPU_DEVICE CUDACPU_INLINED void copy_async_16(void* to, const void* from, unsigned bytes,
                                                  unsigned given) {
  if (bytes != 16) kernel_trap(715, "calls cp.async.cg, which copies 16 bytes, for another number");
  start_copy(to, from, bytes, given);
}

// ---- shuffles, as PTX has them: `limits` holds the last lane, and which lanes are a segment's
// ----
template <typename Source>
CUDACPU_DEVICE CUDACPU_INLINED unsigned shuffle(unsigned mask, unsigned value, unsigned limits,
                                                bool* valid, const char* what, Source source_of) {
  const int lane = static_cast<int>(lane_id());
  const int segment = static_cast<int>(limits >> 8 & 31), clamp = static_cast<int>(limits & 31);
  const int first = lane & segment, last = first | (clamp & ~segment);
  const int source = source_of(lane, first, ~segment);
  const WarpView& view = warp_exchange(mask, to_slot(value), what);
  *valid = source >= 0 && source_of.in_range(source, last);
  return shuffled(view, value, *valid ? source : lane, true);
}
#define CUDACPU_PTX_SHUFFLE(name, cuda, source, condition)                                   \
  CUDACPU_DEVICE CUDACPU_INLINED unsigned shuffle_##name(                                    \
      unsigned mask, unsigned value, unsigned b, unsigned limits, bool* valid) {             \
    struct Source {                                                                          \
      int b;                                                                                 \
      CUDACPU_DEVICE int operator()([[maybe_unused]] int lane, [[maybe_unused]] int first,   \
                                    [[maybe_unused]] int inside) const {                     \
        return source;                                                                       \
      }                                                                                      \
      CUDACPU_DEVICE bool in_range(int from, int last) const { return condition; }           \
    };                                                                                       \
    return shuffle(mask, value, limits, valid, cuda "()", Source{static_cast<int>(b & 31)}); \
  }
CUDACPU_PTX_SHUFFLE(up, "__shfl_up_sync", lane - b, from >= last)
CUDACPU_PTX_SHUFFLE(down, "__shfl_down_sync", lane + b, from <= last)
CUDACPU_PTX_SHUFFLE(bfly, "__shfl_xor_sync", lane ^ b, from <= last)
CUDACPU_PTX_SHUFFLE(idx, "__shfl_sync", first | (b & inside), from <= last)
#undef CUDACPU_PTX_SHUFFLE
#undef CUDACPU_PTX_ONE

}  // namespace ptx
}  // namespace cudacpu
