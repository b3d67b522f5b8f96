// Atomic functions, for exactly the types for which CUDA offers them.
//
// Relaxed, like CUDA's. The _block and _system forms differ in their reach alone, and on the CPU
// device every reach is the process.
#pragma once

#include "../runtime.h"
#include "rounding.h"
#include "synchronization.h"

namespace cudacpu {

// A parameter's type that follows from another parameter's.
template <typename T>
using SameType = std::common_type_t<T>;

template <typename Word>
CUDACPU_DEVICE CUDACPU_UNSEEN inline Word peek(const Word* p) {
#if defined(__CUDACPU_PROFILE__) && !CUDACPU_CHECKING
  observe::before_atomic(p);
#endif
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}

// Replaces *p by `value` if *p equals `compare`; returns the old value of *p.
template <typename Word>
CUDACPU_DEVICE inline Word compare_and_swap(Word* p, Word compare, Word value) {
#ifdef __CUDACPU_PROFILE__
  // __sync_val_compare_and_swap needs no variable in memory, which a profile would count.
  return __sync_val_compare_and_swap(p, compare, value);
#else
  __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
#endif
}

// Replaces *p by next(*p) and returns the old value, for operations without an instruction of the
// processor.
template <typename Word, typename Next>
CUDACPU_DEVICE CUDACPU_INLINED Word atomic_update(Word* p, Next next) {
  Word old = peek(p);  // a single access on a GPU, and so in a profile
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

// An operation on a type, in three scopes. `expression` may use p, value and T.
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

// ---- with an order and a scope, as nvcc has them built in since CUDA 12.8 ----

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

// A fence of the scope orders the thread's earlier accesses: sanitize knows fences.
CUDACPU_DEVICE inline __attribute__((always_inline)) void __nv_atomic_thread_fence(
    int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  if (scope == __NV_THREAD_SCOPE_BLOCK) {
    __threadfence_block();
  } else {
    __threadfence();
  }
}

namespace cudacpu {

// A thread that spins must let others run. A release makes the thread's earlier accesses known to
// the threads that read the value.
CUDACPU_DEVICE inline __attribute__((always_inline)) void begin_ordered(int order, int scope) {
  note_atomic();
  if (order != __NV_ATOMIC_CONSUME && order != __NV_ATOMIC_ACQUIRE)
    __nv_atomic_thread_fence(order, scope);
}

}  // namespace cudacpu

// Always inlined, so that the order is a constant for the compiler.
#define CUDACPU_ORDERED \
  template <typename T> \
  CUDACPU_DEVICE inline __attribute__((always_inline))

CUDACPU_ORDERED T __nv_atomic_load_n(const T* p, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::note_atomic();
  return __atomic_load_n(p, order);
}
CUDACPU_ORDERED void __nv_atomic_load(const T* p, T* result, int order,
                                      int = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::note_atomic();
  __atomic_load(p, result, order);
}
CUDACPU_ORDERED void __nv_atomic_store_n(T* p, cudacpu::SameType<T> value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  __atomic_store_n(p, value, order);
}
CUDACPU_ORDERED void __nv_atomic_store(T* p, T* value, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  __atomic_store(p, value, order);
}
CUDACPU_ORDERED T __nv_atomic_exchange_n(T* p, cudacpu::SameType<T> value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  return __atomic_exchange_n(p, value, order);
}
CUDACPU_ORDERED void __nv_atomic_exchange(T* p, T* value, T* result, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  __atomic_exchange(p, value, result, order);
}
CUDACPU_ORDERED bool __nv_atomic_compare_exchange_n(T* p, T* expected, cudacpu::SameType<T> value,
                                                    bool, int order, int order_of_failure,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  return __atomic_compare_exchange_n(p, expected, value, false, order, order_of_failure);
}
CUDACPU_ORDERED bool __nv_atomic_compare_exchange(T* p, T* expected, T* value, bool, int order,
                                                  int order_of_failure,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cudacpu::begin_ordered(order, scope);
  return __atomic_compare_exchange(p, expected, value, false, order, order_of_failure);
}
// An operation that returns the old value, and the same operation without a result.
#define CUDACPU_ORDERED_UPDATE(operation, expression)                                          \
  CUDACPU_ORDERED T __nv_atomic_fetch_##operation(T* p, cudacpu::SameType<T> value, int order, \
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {      \
    cudacpu::begin_ordered(order, scope);                                                      \
    T old;                                                                                     \
    __atomic_load(p, &old, __ATOMIC_RELAXED);                                                  \
    T next;                                                                                    \
    do {                                                                                       \
      next = expression;                                                                       \
    } while (!__atomic_compare_exchange(p, &old, &next, false, order, __ATOMIC_RELAXED));      \
    return old;                                                                                \
  }                                                                                            \
  CUDACPU_ORDERED void __nv_atomic_##operation(T* p, cudacpu::SameType<T> value, int order,    \
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {         \
    __nv_atomic_fetch_##operation(p, value, order, scope);                                     \
  }
CUDACPU_ORDERED_UPDATE(add, old + value)
CUDACPU_ORDERED_UPDATE(sub, old - value)
CUDACPU_ORDERED_UPDATE(and, old& value)
CUDACPU_ORDERED_UPDATE(or, old | value)
CUDACPU_ORDERED_UPDATE(xor, old ^ value)
CUDACPU_ORDERED_UPDATE(min, value < old ? value : old)
CUDACPU_ORDERED_UPDATE(max, old < value ? value : old)
#undef CUDACPU_ORDERED_UPDATE
#undef CUDACPU_ORDERED
