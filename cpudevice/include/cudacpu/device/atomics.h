// Atomic functions, for exactly the types CUDA offers them for.
//
// Relaxed, like CUDA's. The _block and _system forms differ in reach only, and here every reach is
// the process.
#pragma once

#include "../runtime.h"
#include "rounding.h"

namespace cudacpu {

template <typename Word>
CUDACPU_DEVICE CUDACPU_UNSEEN inline Word peek(const Word* p) {
#if defined(__CUDACPU_PROFILE__) && !CUDACPU_CHECKING
  observe::before_atomic(p);
#endif
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}

// Replaces *p by `value` if it equals `compare`; returns its old value.
template <typename Word>
CUDACPU_DEVICE inline Word compare_and_swap(Word* p, Word compare, Word value) {
#ifdef __CUDACPU_PROFILE__
  // This form needs no variable in memory, which a profile would count.
  return __sync_val_compare_and_swap(p, compare, value);
#else
  __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
#endif
}

// Replaces *p by next(*p) and returns its old value, for operations for which the processor has no
// instruction.
template <typename Word, typename Next>
CUDACPU_DEVICE inline Word atomic_update(Word* p, Next next) {
  Word old = peek(p);  // one access on a GPU, so a profile is to see one only
  for (;;) {
    const Word seen = compare_and_swap(p, old, next(old));
    if (seen == old) return old;
    old = seen;
  }
}

template <typename Word, typename Float>
CUDACPU_DEVICE inline Float atomic_add_float(Float* p, Float value) {
  return bits_as<Float>(atomic_update(reinterpret_cast<Word*>(p), [=](Word old) {
    return bits_as<Word>(bits_as<Float>(old) + value);
  }));
}

}  // namespace cudacpu

// One operation on one type, in its three scopes. `expression` may use p, value and T.
#define CUDACPU_ATOMIC(name, Type, expression)                    \
  CUDACPU_DEVICE inline Type name(Type* p, Type value) {          \
    using T [[maybe_unused]] = Type;                              \
    cudacpu::note_atomic();                                       \
    return expression;                                            \
  }                                                               \
  CUDACPU_DEVICE inline Type name##_block(Type* p, Type value) {  \
    return name(p, value);                                        \
  }                                                               \
  CUDACPU_DEVICE inline Type name##_system(Type* p, Type value) { \
    return name(p, value);                                        \
  }

#define CUDACPU_ATOMIC_ADD(Type) \
  CUDACPU_ATOMIC(atomicAdd, Type, __atomic_fetch_add(p, value, __ATOMIC_RELAXED))
CUDACPU_ATOMIC_ADD(int)
CUDACPU_ATOMIC_ADD(unsigned int)
CUDACPU_ATOMIC_ADD(unsigned long long int)
#undef CUDACPU_ATOMIC_ADD
CUDACPU_ATOMIC(atomicAdd, float, cudacpu::atomic_add_float<uint32_t>(p, value))
CUDACPU_ATOMIC(atomicAdd, double, cudacpu::atomic_add_float<uint64_t>(p, value))

#define CUDACPU_ATOMIC_SUB(Type) \
  CUDACPU_ATOMIC(atomicSub, Type, __atomic_fetch_sub(p, value, __ATOMIC_RELAXED))
CUDACPU_ATOMIC_SUB(int)
CUDACPU_ATOMIC_SUB(unsigned int)
#undef CUDACPU_ATOMIC_SUB

#define CUDACPU_ATOMIC_EXCH(Type) \
  CUDACPU_ATOMIC(atomicExch, Type, __atomic_exchange_n(p, value, __ATOMIC_RELAXED))
CUDACPU_ATOMIC_EXCH(int)
CUDACPU_ATOMIC_EXCH(unsigned int)
CUDACPU_ATOMIC_EXCH(unsigned long long int)
#undef CUDACPU_ATOMIC_EXCH
CUDACPU_ATOMIC(atomicExch, float,
               cudacpu::bits_as<float>(__atomic_exchange_n(reinterpret_cast<uint32_t*>(p),
                                                           cudacpu::bits_as<uint32_t>(value),
                                                           __ATOMIC_RELAXED)))

#define CUDACPU_ATOMIC_MIN_MAX(Type)                                                          \
  CUDACPU_ATOMIC(atomicMin, Type,                                                             \
                 cudacpu::atomic_update(p, [=](T old) { return value < old ? value : old; })) \
  CUDACPU_ATOMIC(atomicMax, Type,                                                             \
                 cudacpu::atomic_update(p, [=](T old) { return old < value ? value : old; }))
CUDACPU_ATOMIC_MIN_MAX(int)
CUDACPU_ATOMIC_MIN_MAX(unsigned int)
CUDACPU_ATOMIC_MIN_MAX(long long int)
CUDACPU_ATOMIC_MIN_MAX(unsigned long long int)
#undef CUDACPU_ATOMIC_MIN_MAX

CUDACPU_ATOMIC(atomicInc, unsigned int,
               cudacpu::atomic_update(p, [=](T old) { return old >= value ? 0 : old + 1; }))
CUDACPU_ATOMIC(atomicDec, unsigned int, cudacpu::atomic_update(p, [=](T old) {
                 return old == 0 || old > value ? value : old - 1;
               }))

#define CUDACPU_ATOMIC_BITS(Type)                                                 \
  CUDACPU_ATOMIC(atomicAnd, Type, __atomic_fetch_and(p, value, __ATOMIC_RELAXED)) \
  CUDACPU_ATOMIC(atomicOr, Type, __atomic_fetch_or(p, value, __ATOMIC_RELAXED))   \
  CUDACPU_ATOMIC(atomicXor, Type, __atomic_fetch_xor(p, value, __ATOMIC_RELAXED))
CUDACPU_ATOMIC_BITS(int)
CUDACPU_ATOMIC_BITS(unsigned int)
CUDACPU_ATOMIC_BITS(unsigned long long int)
#undef CUDACPU_ATOMIC_BITS
#undef CUDACPU_ATOMIC

#define CUDACPU_ATOMIC_CAS(Type)                                                   \
  CUDACPU_DEVICE inline Type atomicCAS(Type* p, Type compare, Type value) {        \
    cudacpu::note_atomic();                                                        \
    return cudacpu::compare_and_swap(p, compare, value);                           \
  }                                                                                \
  CUDACPU_DEVICE inline Type atomicCAS_block(Type* p, Type compare, Type value) {  \
    return atomicCAS(p, compare, value);                                           \
  }                                                                                \
  CUDACPU_DEVICE inline Type atomicCAS_system(Type* p, Type compare, Type value) { \
    return atomicCAS(p, compare, value);                                           \
  }
CUDACPU_ATOMIC_CAS(int)
CUDACPU_ATOMIC_CAS(unsigned int)
CUDACPU_ATOMIC_CAS(unsigned long long int)
CUDACPU_ATOMIC_CAS(unsigned short int)
#undef CUDACPU_ATOMIC_CAS

// Vectors, since compute capability 9.0: each component is added atomically, the vector as a whole
// is not.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
CUDACPU_DEVICE inline float2 atomicAdd(float2* p, float2 value) {
  return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}
CUDACPU_DEVICE inline float4 atomicAdd(float4* p, float4 value) {
  return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y), atomicAdd(&p->z, value.z),
          atomicAdd(&p->w, value.w)};
}
CUDACPU_DEVICE inline float2 atomicAdd_block(float2* p, float2 value) {
  return atomicAdd(p, value);
}
CUDACPU_DEVICE inline float4 atomicAdd_block(float4* p, float4 value) {
  return atomicAdd(p, value);
}
CUDACPU_DEVICE inline float2 atomicAdd_system(float2* p, float2 value) {
  return atomicAdd(p, value);
}
CUDACPU_DEVICE inline float4 atomicAdd_system(float4* p, float4 value) {
  return atomicAdd(p, value);
}
#endif
