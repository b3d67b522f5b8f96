// cuda::atomic and cuda::atomic_ref: the standard's atomics with a scope, for host and device.
#pragma once

#include "cudacpu/libcudacxx/scopes.h"

namespace cuda {

CUDACPU_HOST_DEVICE CUDACPU_INLINED void atomic_thread_fence(
    memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
#if defined(__CUDACC__) && !CUDACPU_CHECKING
  if (::cudacpu::in_kernel()) {
    if (scope == thread_scope_thread) return;
    return scope == thread_scope_block ? ::__threadfence_block() : ::__threadfence();
  }
#endif
  (void)scope;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// An atomic object somewhere else: of 1, 2, 4 or 8 bytes.
template <typename T, thread_scope scope = thread_scope_system>
class atomic_ref {
  static_assert(::std::is_trivially_copyable<T>::value && sizeof(T) <= 8 &&
                    (sizeof(T) & (sizeof(T) - 1)) == 0,
                "cuda::atomic is for types of 1, 2, 4 or 8 bytes that can be copied as bytes");
  using Word = ::std::conditional_t<
      sizeof(T) == 1, uint8_t,
      ::std::conditional_t<sizeof(T) == 2, uint16_t,
                           ::std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  CUDACPU_HOST_DEVICE CUDACPU_INLINED explicit atomic_ref(T& object)
      : word_(reinterpret_cast<Word*>(&object)) {}

  CUDACPU_HOST_DEVICE CUDACPU_INLINED bool is_lock_free() const { return true; }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T load(memory_order order = memory_order_seq_cst) const {
    begin(memory_order_relaxed);
    return value_of(__atomic_load_n(word_, static_cast<int>(order)));
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void store(T value,
                                                 memory_order order = memory_order_seq_cst) const {
    begin(order);
    __atomic_store_n(word_, word_of(value), static_cast<int>(order));
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T exchange(T value,
                                                 memory_order order = memory_order_seq_cst) const {
    begin(order);
    return value_of(__atomic_exchange_n(word_, word_of(value), static_cast<int>(order)));
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED bool compare_exchange_strong(
      T& expected, T value, memory_order order = memory_order_seq_cst,
      memory_order = memory_order_seq_cst) const {
    begin(order);
    Word seen = word_of(expected);
    const bool done = __atomic_compare_exchange_n(word_, &seen, word_of(value), false,
                                                  static_cast<int>(order), __ATOMIC_RELAXED);
    if (!done) expected = value_of(seen);
    return done;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED bool compare_exchange_weak(
      T& expected, T value, memory_order order = memory_order_seq_cst,
      memory_order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED operator T() const { return load(); }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator=(T value) const {
    store(value);
    return value;
  }

  // Replaces the value by next(value); returns the old value.
  template <typename Next>
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T update(Next next, memory_order order) const {
    T old = load(memory_order_relaxed);
    while (!compare_exchange_weak(old, next(old), order)) {
    }
    return old;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T fetch_add(T value,
                                                  memory_order order = memory_order_seq_cst) const {
    if constexpr (::std::is_integral<T>::value) {
      begin(order);
      return value_of(__atomic_fetch_add(word_, word_of(value), static_cast<int>(order)));
    } else {
      return update([=](T old) { return old + value; }, order);
    }
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T fetch_sub(T value,
                                                  memory_order order = memory_order_seq_cst) const {
    return fetch_add(static_cast<T>(-value), order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T fetch_min(T value,
                                                  memory_order order = memory_order_seq_cst) const {
    return update([=](T old) { return value < old ? value : old; }, order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T fetch_max(T value,
                                                  memory_order order = memory_order_seq_cst) const {
    return update([=](T old) { return old < value ? value : old; }, order);
  }
#define CUDACPU_FETCH_BITS(name)                                                                 \
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T name(T value, memory_order order = memory_order_seq_cst) \
      const {                                                                                    \
    begin(order);                                                                                \
    return value_of(__atomic_##name(word_, word_of(value), static_cast<int>(order)));            \
  }
  CUDACPU_FETCH_BITS(fetch_and)
  CUDACPU_FETCH_BITS(fetch_or)
  CUDACPU_FETCH_BITS(fetch_xor)
#undef CUDACPU_FETCH_BITS
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator++() const {
    return static_cast<T>(fetch_add(1) + 1);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator++(int) const {
    return fetch_add(1);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator--() const {
    return static_cast<T>(fetch_sub(1) - 1);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator--(int) const {
    return fetch_sub(1);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator+=(T value) const {
    return static_cast<T>(fetch_add(value) + value);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator-=(T value) const {
    return static_cast<T>(fetch_sub(value) - value);
  }

  CUDACPU_HOST_DEVICE CUDACPU_INLINED void wait(T old,
                                                memory_order order = memory_order_seq_cst) const {
    while (word_of(load(order)) == word_of(old))
      pause();
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_one() const {}
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_all() const {}

 private:
  // A thread that spins must let others run. A release makes the thread's earlier accesses known to
  // the threads that read the value.
  CUDACPU_HOST_DEVICE CUDACPU_INLINED static void begin(memory_order order) {
#if defined(__CUDACC__) && !CUDACPU_CHECKING
    if (!::cudacpu::in_kernel()) return;
    ::cudacpu::note_atomic();
    if (order != memory_order_consume && order != memory_order_acquire)
      atomic_thread_fence(order, scope);
#endif
    (void)order;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED static void pause() {
#if defined(__CUDACC__) && !CUDACPU_CHECKING
    if (::cudacpu::in_kernel()) ::cudacpu::yield();
#endif
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED static Word word_of(T value) {
    Word word;
    __builtin_memcpy(&word, &value, sizeof(T));
    return word;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED static T value_of(Word word) {
    T value;
    __builtin_memcpy(&value, &word, sizeof(T));
    return value;
  }

  Word* word_;
};

template <typename T, thread_scope scope = thread_scope_system>
class atomic {
 public:
  using value_type = T;
  atomic() = default;
  CUDACPU_HOST_DEVICE CUDACPU_INLINED constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

#define CUDACPU_FORWARD(name)                                                        \
  template <typename... Arguments>                                                   \
  CUDACPU_HOST_DEVICE CUDACPU_INLINED auto name(Arguments&&... arguments) {          \
    return ref().name(static_cast<Arguments&&>(arguments)...);                       \
  }                                                                                  \
  template <typename... Arguments>                                                   \
  CUDACPU_HOST_DEVICE CUDACPU_INLINED auto name(Arguments&&... arguments) volatile { \
    return const_cast<atomic*>(this)->name(static_cast<Arguments&&>(arguments)...);  \
  }
  CUDACPU_FORWARD(store)
  CUDACPU_FORWARD(exchange)
  CUDACPU_FORWARD(compare_exchange_strong)
  CUDACPU_FORWARD(compare_exchange_weak)
  CUDACPU_FORWARD(fetch_add)
  CUDACPU_FORWARD(fetch_sub)
  CUDACPU_FORWARD(fetch_and)
  CUDACPU_FORWARD(fetch_or)
  CUDACPU_FORWARD(fetch_xor)
  CUDACPU_FORWARD(fetch_min)
  CUDACPU_FORWARD(fetch_max)
#undef CUDACPU_FORWARD
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T load(memory_order order = memory_order_seq_cst) const
      volatile {
    return ref().load(order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void wait(T old,
                                                memory_order order = memory_order_seq_cst) const
      volatile {
    ref().wait(old, order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_one() volatile {}
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_all() volatile {}
  CUDACPU_HOST_DEVICE CUDACPU_INLINED operator T() const volatile {
    return load();
  }
  // Twice, because the deleted assignment of objects that are not volatile would match as well.
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator=(T value) {
    return ref() = value;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator=(T value) volatile {
    return ref() = value;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator++() volatile {
    return ++ref();
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator++(int) volatile {
    return ref()++;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator--() volatile {
    return --ref();
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator--(int) volatile {
    return ref()--;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator+=(T value) volatile {
    return ref() += value;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED T operator-=(T value) volatile {
    return ref() -= value;
  }

 private:
  CUDACPU_HOST_DEVICE CUDACPU_INLINED atomic_ref<T, scope> ref() const volatile {
    return atomic_ref<T, scope>(const_cast<T&>(value_));
  }
  alignas(sizeof(T)) T value_;
};

namespace std {
template <typename T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <typename T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::atomic_thread_fence;

// A variable of namespace scope is not set at first; a variable in shared memory has no value.
class atomic_flag {
 public:
  atomic_flag() = default;
  CUDACPU_HOST_DEVICE CUDACPU_INLINED constexpr atomic_flag(bool is_set) : value_(is_set) {}

  // Returns whether the flag was set before.
  CUDACPU_HOST_DEVICE CUDACPU_INLINED bool test_and_set(
      memory_order order = memory_order_seq_cst) volatile {
    return value_.exchange(1, order) != 0;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void clear(
      memory_order order = memory_order_seq_cst) volatile {
    value_.store(0, order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED bool test(memory_order order = memory_order_seq_cst) const
      volatile {
    return value_.load(order) != 0;
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void wait(bool old,
                                                memory_order order = memory_order_seq_cst) const
      volatile {
    value_.wait(old, order);
  }
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_one() volatile {}
  CUDACPU_HOST_DEVICE CUDACPU_INLINED void notify_all() volatile {}

 private:
  atomic<int> value_;
};
}  // namespace std

}  // namespace cuda
