// The templates of translated code: launches, kernels and shared memory. See compiler/translate.py
// for the translator's output.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "turns.h"

#if !CUDACPU_CHECKING

namespace cudacpu {

// Ends the process, and says why, if the processor lacks instructions for which cudacc compiled the
// kernels (compiler/flags.py). Otherwise returns true.
bool check_instructions();

// Kernels.
//
// The indices of a kernel's body, passed by value so that they stay in registers.
struct Indices {
  uint3 thread, block;
  dim3 block_dim, grid_dim;
};

// A kernel's body for the scheduler: `run` calls the body for the threads of the current block,
// from `first` on, one after the other, until all have run or a thread has had to wait.
struct Body {
  void (*run)(const void* closure, const uint3& first);
  // Like `run`, without updating threadIdx, or null: for kernels that call nothing, and so can
  // neither wait nor use threadIdx. After a fault the block runs once more, by `run`, to find the
  // thread.
  void (*run_simple)(const void* closure, const uint3& first);
  const void* closure;
  size_t closure_bytes;
  bool in_lockstep;  // `run` executes a whole block, whose threads never wait: lockstep.h
};

#if defined(__AVX2__) && !CUDACPU_RUNTIME
// At the start of a program that was compiled for a processor with the instructions.
const bool has_instructions = check_instructions();
#endif

// threadIdx.x while the loop over a block's threads is between two threads.
constexpr unsigned kBetweenThreads = ~0u;

// A signal handler sees the store after all earlier accesses, and before all later accesses.
inline __attribute__((always_inline)) void set_running(unsigned x) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const_cast<volatile unsigned&>(threadIdx.x) = x;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Pushed by <<<...>>> before the kernel's call and its arguments are evaluated.
void push_launch(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr);
// Called by the kernel itself: starts the launch that was pushed last, or returns if none was
// pushed.
void launch_body(KernelInfo& info, const Body& body);

// A kernel's arguments as on a GPU: copied as bytes. Copy constructors and destructors run on the
// host only.
template <class Closure>
constexpr bool kCopiedAsBytes =
    std::is_trivially_copy_constructible_v<Closure>&& std::is_trivially_destructible_v<Closure>;
template <class Closure>
struct BytesOf {
  alignas(Closure) unsigned char bytes[sizeof(Closure)];
  inline __attribute__((always_inline)) void operator()(const Indices& indices) {
    (*std::launder(reinterpret_cast<Closure*>(bytes)))(indices);
  }
};
// A std::pair has a constructor that copies bytes and an assignment that does not: copied() needs
// both.
template <class Closure>
constexpr bool kIsBytes =
    CUDACPU_DIAGNOSTICS ? std::is_trivially_copyable_v<Closure> : kCopiedAsBytes<Closure>;
template <class Closure>
using Arguments = std::conditional_t<kIsBytes<Closure>, Closure, BytesOf<Closure>>;

// A copy made of bytes. With -fno-elide-constructors (compiler/flags.py) g++ would otherwise call
// even a trivial copy constructor, which is instrumented and not the program's.
#if CUDACPU_DIAGNOSTICS
template <class T>
inline __attribute__((always_inline)) T copied(const T& from) {
  struct Bytes {
    alignas(T) unsigned char bytes[sizeof(T)];
  };
  return __builtin_bit_cast(T, reinterpret_cast<const Bytes&>(from));
}
#else
template <class T>
inline __attribute__((always_inline)) const T& copied(const T& from) {
  return from;
}
#endif

#ifdef __CUDACPU_PROFILE__
// Runs a thread, in a function of its own, so that the thread's first basic block comes after
// thread_begin().
template <class Own>
__attribute__((noinline)) void run_thread(Own own, const Indices indices) {
  own(indices);
}
#endif

// The loop over a block's threads. The counters stay in registers; threadIdx is kept up to date for
// device functions and fault reports. A thread that has had to wait (context.thread is set) owns
// the fiber on which it runs, and the loop has gone on elsewhere; when the thread has ended, its
// fiber may go on with the thread threadIdx of another block.
template <class Closure, bool kSimple>
CUDACPU_UNSEEN void run_threads(const void* untyped, const uint3& first) {
  // A local copy, at which nothing else can point, so that the arguments stay in registers.
  const Arguments<Closure> closure = copied(*static_cast<const Arguments<Closure>*>(untyped));
  uint3 start = copied(first);
#if !CUDACPU_DIAGNOSTICS
next_block:
#endif
  // Constant from now on, so that derived values are computed once for each block.
  Indices indices{copied(start), copied(blockIdx), copied(blockDim), copied(gridDim)};
  uint3& i = indices.thread;
#if CUDACPU_DIAGNOSTICS
  unsigned id = i.x + indices.block_dim.x * (i.y + indices.block_dim.y * i.z);
#endif
  for (;;) {
    threadIdx.y = i.y;
    threadIdx.z = i.z;
    for (; i.x < indices.block_dim.x; ++i.x) {
#if CUDACPU_DIAGNOSTICS
      observe::start_thread(i.x, id);
#ifdef __CUDACPU_PROFILE__
      run_thread(copied(closure), copied(indices));
#else
      {
        Arguments<Closure> own = copied(closure);
        own(indices);
      }
#endif
      if (observe::stop_thread(id++)) end_of_thread();
#else
      if constexpr (!kSimple) set_running(i.x);
      Arguments<Closure> own =
          copied(closure);  // each thread may change its copies of the arguments
      own(indices);
      if constexpr (!kSimple) {
        // The order matters: no time slice may find a thread that has ended.
        set_running(kBetweenThreads);
        if (__builtin_expect(const_cast<Thread* const volatile&>(context.thread) != nullptr, 0)) {
          end_of_thread();
          start = threadIdx;
          goto next_block;
        }
      }
#endif
    }
    i.x = 0;
    if (++i.y == indices.block_dim.y) {
      i.y = 0;
      if (++i.z == indices.block_dim.z) return;
    }
  }
}

// Runs a block whose kernel is written for whole blocks: lockstep.h.
template <class Closure>
void run_block(const void* untyped, const uint3& first);

template <class Tag>
struct KernelOf {
  static KernelInfo info;
};
template <class Tag>
KernelInfo KernelOf<Tag>::info{Tag::name(),
                               Tag::file(),
                               Tag::line(),
                               Tag::max_threads(),
                               Tag::min_blocks(),
                               Tag::cluster(),
                               Tag::may_wait_for_host(),
                               0,
                               16,
                               0,
                               -1,
                               false,
                               nullptr};

template <class Tag, class Closure>
inline void launch(Closure&& closure) {
  using Plain = std::remove_reference_t<Closure>;
  KernelInfo& info = KernelOf<Tag>::info;
  Body body{nullptr, nullptr, &closure, sizeof(Plain), Tag::in_lockstep()};
  if constexpr (Tag::in_lockstep()) {
    body.run = &run_block<Plain>;
  } else {
    body.run = &run_threads<Plain, false>;
    if constexpr (Tag::simple() && !CUDACPU_DIAGNOSTICS)
      body.run_simple = &run_threads<Plain, true>;
  }
  launch_body(info, body);
}

// launch() for the modes that count all work, except the work of copying an argument.
template <class Tag, class Closure>
inline std::enable_if_t<kCopiedAsBytes<Closure>> launch_graded(Closure&& closure) {
  launch<Tag>(std::forward<Closure>(closure));
}
template <class Tag, class Closure>
__attribute__((
    noinline, error("an argument of this kernel has a copy constructor or a destructor of its own: "
                    "pass plain values and pointers"))) std::enable_if_t<!kCopiedAsBytes<Closure>>
launch_graded(Closure&& closure) {
  launch<Tag>(std::forward<Closure>(closure));
}

// Kernels by pointer.
//
// While a query is open, a kernel's call on the OS thread only leaves its KernelInfo.
void open_query();
KernelInfo* close_query();

// An argument made of zero bytes, for a call that never runs the body.
template <class T>
T& zero_argument() {
  using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
  alignas(Plain) static unsigned char bytes[sizeof(Plain)];
  return *std::launder(reinterpret_cast<Plain*>(bytes));
}

template <class... Parameters>
KernelInfo& info_of(void (*kernel)(Parameters...)) {
  open_query();
  kernel(zero_argument<Parameters>()...);
  return *close_query();
}

template <class... Parameters, size_t... index>
void call_with_arguments(void (*kernel)(Parameters...), void** arguments,
                         std::index_sequence<index...>) {
  kernel(*static_cast<std::remove_reference_t<Parameters>*>(arguments[index])...);
  (void)arguments;
}

template <class... Parameters>
KernelHandle handle_of(void (*kernel)(Parameters...)) {
  KernelHandle handle;
  handle.info = &info_of(kernel);
  handle.kernel = reinterpret_cast<void (*)()>(kernel);
  handle.call_with_arguments = [](void (*erased)(), void** arguments) {
    call_with_arguments(reinterpret_cast<void (*)(Parameters...)>(erased), arguments,
                        std::index_sequence_for<Parameters...>());
  };
  return handle;
}

// Shared memory.
//
// Sets aside room for one declaration; before main(), hence known to the occupancy API before the
// first launch.
size_t reserve_shared(KernelInfo* info, size_t bytes, size_t align);

// `Variables` is the local struct with the variables of a declaration; Tag the kernel, or void for
// a device function.
template <class Tag, class Variables>
struct SharedSlot {
  static const size_t offset;
};
template <class Tag, class Variables>
const size_t SharedSlot<Tag, Variables>::offset = reserve_shared(&KernelOf<Tag>::info,
                                                                 sizeof(Variables),
                                                                 alignof(Variables));

template <class Variables>
struct SharedSlot<void, Variables> {
  static const size_t offset;
};
template <class Variables>
const size_t SharedSlot<void, Variables>::offset = reserve_shared(nullptr, sizeof(Variables),
                                                                  alignof(Variables));

template <class Tag, class Variables>
inline Variables& shared() {
  char* base = std::is_void_v<Tag> ? context.function_shared : context.shared;
#if CUDACPU_DIAGNOSTICS
  return *reinterpret_cast<Variables*>(base + observe::peek(&SharedSlot<Tag, Variables>::offset));
#else
  return *reinterpret_cast<Variables*>(base + SharedSlot<Tag, Variables>::offset);
#endif
}

// `extern __shared__ T name[]`; T may itself be an array.
template <class T>
inline T (&dynamic_shared())[] {
  return *reinterpret_cast<T(*)[]>(context.dynamic_shared);
}

// Returns where a declaration of `bytes` ends if the previous declarations ended at `end`, for the
// check of 48 KB at compile time.
constexpr size_t shared_end(size_t end, size_t bytes, size_t align) {
  return (end + align - 1) / align * align + bytes;
}

}  // namespace cudacpu

#endif
