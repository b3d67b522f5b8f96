// The functions that the translator makes of inline PTX: for instructions without an operator of
// C++ or a function of CUDA (compiler/ptx/).
//
// A register's only type is its width: take() and give() carry bits between registers and the types
// of an instruction. Each function counts as one instruction in a profile.
#pragma once

#include "../async_copy.h"
#include "../atomics.h"
#include "../integers.h"
#include "../matrix/memory.h"
#include "../mbarrier.h"
#include "../rounding.h"
#include "../synchronization.h"
#include "arithmetic.h"
#include "cudacpu/numbers/fp8_bits.h"
#include "cudacpu/numbers/half_bits.h"
#include "integers.h"
#include "short_floats.h"

namespace cudacpu {

// Some registers of the same type.
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
// A value for a register of type R; in a wider register the upper bits repeat the value's sign.
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
// Converts an instruction's result to the type of the program's operand.
template <typename T, typename R>
CUDACPU_DEVICE CUDACPU_INLINED T result(R value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<size_t>(value));
  } else {
    return static_cast<T>(value);
  }
}

#define CUDACPU_PTX_ONE CUDACPU_DEVICE CUDACPU_UNSEEN inline

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

CUDACPU_PTX_ONE float minimum_or_nan(float a, float b) {
  return a != a || b != b ? a + b : __builtin_fminf(a, b);
}
CUDACPU_PTX_ONE float maximum_or_nan(float a, float b) {
  return a != a || b != b ? a + b : __builtin_fmaxf(a, b);
}
CUDACPU_PTX_ONE float rectified(float x) {
  return x < 0 ? 0 : x;
}
// What testp asks of a number.
template <typename T>
CUDACPU_PTX_ONE bool is_finite(T x) {
  return x - x == 0;
}
template <typename T>
CUDACPU_PTX_ONE bool is_infinite(T x) {
  return x == x && x - x != 0;
}
template <typename T>
CUDACPU_PTX_ONE bool is_number(T x) {
  return x == x;
}
template <typename T>
CUDACPU_PTX_ONE bool is_notanumber(T x) {
  return x != x;
}
template <typename T>
CUDACPU_PTX_ONE bool is_subnormal(T x) {
  return x != 0 && absolute(x) < std::numeric_limits<T>::min();
}
template <typename T>
CUDACPU_PTX_ONE bool is_normal(T x) {  // zero is
  return x - x == 0 && !is_subnormal(x);
}
// Numbers of 8 bits in pairs; `clamps`: to 0, what is below.
CUDACPU_PTX_ONE unsigned to_fp8(float x, Fp8Kind kind, bool clamps) {
  return fp8_from_float(clamps ? rectified(x) : x, true, kind);
}
CUDACPU_PTX_ONE unsigned short to_fp8_pair(float low, float high, Fp8Kind kind, bool clamps) {
  return static_cast<unsigned short>(to_fp8(low, kind, clamps) | to_fp8(high, kind, clamps) << 8);
}
CUDACPU_PTX_ONE unsigned short to_fp8_pair(unsigned halves, Fp8Kind kind, bool clamps) {
  return to_fp8_pair(float_from(static_cast<unsigned short>(halves)),
                     float_from(static_cast<unsigned short>(halves >> 16)), kind, clamps);
}
CUDACPU_PTX_ONE unsigned from_fp8(unsigned char code, Fp8Kind kind, bool clamps) {
  const unsigned short half = half_bits_from_fp8(code, kind);
  const bool is_nan = (half & 0x7FFF) > 0x7C00;
  return clamps && half >> 15 && !is_nan ? 0 : half;
}
CUDACPU_PTX_ONE unsigned from_fp8_pair(unsigned short codes, Fp8Kind kind, bool clamps) {
  return from_fp8(static_cast<unsigned char>(codes), kind, clamps) |
         from_fp8(static_cast<unsigned char>(codes >> 8), kind, clamps) << 16;
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

// load_vector() with an order: each register is an access of its own, as PTX says.
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

// ---- copies to shared memory that end when the thread waits for them ----
CUDACPU_DEVICE CUDACPU_INLINED void copy_async(void* to, const void* from, unsigned bytes,
                                               unsigned given) {
  start_copy(to, from, bytes, given);
}
CUDACPU_DEVICE CUDACPU_INLINED void copy_async_16(void* to, const void* from, unsigned bytes,
                                                  unsigned given) {
  if (bytes != 16) kernel_trap(715, "calls cp.async.cg, which copies 16 bytes, for another number");
  start_copy(to, from, bytes, given);
}

// ---- shuffles of PTX: `limits` holds the last lane and the mask of a segment's lanes ----
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
