// The functions that the compiler's instrumentation calls: __sanitizer_cov_trace_pc() at the head
// of every basic block, __tsan_*() before every access and instead of every atomic operation. The
// sanitizers' own run-time library is never linked.
#include "cudacpu/runtime.h"
#include "profile/foreign_memory.h"
#include "profile/profiler.h"
#include "profile/record.h"
#include "profile/trace/places.h"
#include "profile/trace/recorder.h"
#include "scheduler/threads/worker.h"

using namespace cudacpu;
using namespace cudacpu::profile;

namespace {

// Whether the address is a kernel's argument, read through a pointer. On the CPU device each thread
// has a copy of the arguments, in the frame that calls run_thread() of launch.h. On a GPU arguments
// are constants, and other reads of arguments are not counted either.
inline bool is_argument(uintptr_t address, uintptr_t frame) {
#if defined(__x86_64__)
  // Searched once each time that a thread runs: the stack may be many calls deep.
  if (frame >= recorder.frame) return false;
  if (recorder.arguments == 0) {
    // Walks the frames below the frame of the loop over threads; the last is run_thread's.
    uintptr_t last = frame;
    for (uintptr_t next = frame; next < recorder.frame && recorder.frame - next < kStack;) {
      last = next;
      next = *reinterpret_cast<const uintptr_t*>(next);
      if (next <= last) return false;
    }
    constexpr uintptr_t kFrameRecord = 2 * sizeof(uintptr_t);
    recorder.arguments = last + kFrameRecord;
  }
  return address - recorder.arguments < recorder.argument_bytes;
#else
  (void)address, (void)frame;
  return false;  // the copy lies in the frame of the loop over threads
#endif
}

// The block of the running block's cluster whose shared memory holds the address; null if none
// does.
const Block* block_of_cluster(uintptr_t address) {
  const Block& block = *context.worker->block;
  if (!block.cluster) return nullptr;
  for (const Block* other : block.cluster->blocks()) {
    if (other->memory.of_kernel().has(reinterpret_cast<const void*>(address))) return other;
  }
  return nullptr;
}

// Accesses outside the arena and shared memory: rare enough not to be inlined.
__attribute__((noinline)) void note_elsewhere(uintptr_t address, Operation operation,
                                              unsigned log_bytes, uintptr_t frame,
                                              uintptr_t caller) {
  const Recorder& r = recorder;
  Space space;
  uint64_t place;
  if (r.frame - address < kStack) {
    if (operation == Operation::kLoad && is_argument(address, frame)) return;
    space = Space::kLocal;
    place = r.frame - address;
  } else if (r.variables.has(address)) {
    if (!locate_variable(address, &space, &place)) {
      return check_kernel_access(address, operation != Operation::kLoad);
    }
    if (space == Space::kConstant && operation != Operation::kLoad) stop_constant_write();
  } else if (r.function_shared.has(address)) {
    space = Space::kShared;
    place = r.shared.bytes + (address - r.function_shared.begin);
  } else if (const Block* other = block_of_cluster(address)) {
    space = Space::kShared;
    place = address - reinterpret_cast<uintptr_t>(other->memory.of_kernel().begin);
  } else if (r.registered.has(address) && is_registered(address)) {
    space = Space::kGlobal;
    place = kRegistered + (address - r.registered.begin);
  } else {
    return check_kernel_access(address, operation != Operation::kLoad);
  }
  record(access_kind(space, operation, log_bytes), place, frame, caller);
}

// A kernel's thread accesses memory.
__attribute__((always_inline)) inline void note(uintptr_t address, Operation operation,
                                                unsigned log_bytes, uintptr_t frame,
                                                uintptr_t caller) {
  const Recorder& r = recorder;
  if (r.arena.has(address)) {
    record(access_kind(Space::kGlobal, operation, log_bytes), address - r.arena.begin, frame,
           caller);
  } else if (r.shared.has(address)) {
    record(access_kind(Space::kShared, operation, log_bytes), address - r.shared.begin, frame,
           caller);
  } else {
    note_elsewhere(address, operation, log_bytes, frame, caller);
  }
}

// The host uses memory, which must be host memory. Managed pages move back to the host.
inline void use_by_host(uintptr_t address, size_t bytes, bool write, uintptr_t caller) {
  if (write) check_host_write(address, caller);
  if (!host_arena.has(address) && !variable_range.has(address)) return;
  check_host_access(address, bytes, write, caller);
  if (managed_range.has(address)) touch_managed(reinterpret_cast<void*>(address), bytes);
}

// A load or store by the host. Only accesses to CUDA's memory count as moved bytes: the cost of
// others depends on the host's caches.
__attribute__((noinline)) void note_host_access(uintptr_t address, size_t bytes, bool write,
                                                uintptr_t caller) {
  if (recorder.launching) return;
  constexpr size_t kBytesAnInstruction = 8;
  HostThread& thread = host_thread();
  thread.path = (thread.path ^ address) * 0x9E3779B97F4A7C15u;
  add_work(thread, (bytes + kBytesAnInstruction - 1) / kBytesAnInstruction);
  if (host_arena.has(address)) moved_by_host(bytes);
  use_by_host(address, bytes, write, caller);
}

__attribute__((always_inline)) inline void access(const volatile void* pointer, Operation operation,
                                                  unsigned log_bytes, uintptr_t frame,
                                                  uintptr_t caller) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (recorder.next) {
    note(address, operation, log_bytes, frame, caller);
  } else {
    note_host_access(address, size_t{1} << log_bytes, operation != Operation::kLoad, caller);
  }
}

uint64_t value_at(const volatile void* pointer, unsigned log_bytes) {
  switch (log_bytes) {
    case 0:
      return *static_cast<const volatile uint8_t*>(pointer);
    case 1:
      return *static_cast<const volatile uint16_t*>(pointer);
    case 2:
      return *static_cast<const volatile uint32_t*>(pointer);
    default:
      return *static_cast<const volatile uint64_t*>(pointer);
  }
}

// An access to a variable that several threads poll: how often a thread polls is no property of the
// program.
inline void watched_access(const volatile void* pointer, Operation operation, unsigned log_bytes,
                           uintptr_t frame, uintptr_t caller) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (recorder.next) {
    use_flag(address, operation);
    note(address, operation, log_bytes, frame, caller);
  } else if (!recorder.launching) {
    note_host_access(address, size_t{1} << log_bytes, operation != Operation::kLoad, caller);
    if (operation != Operation::kStore) look_by_host(caller, address, value_at(pointer, log_bytes));
  }
}

// Accesses a structure as several accesses of the largest size that the known alignment allows;
// without a known alignment by bytes, as nvcc does.
void access_range(const volatile void* pointer, size_t bytes, Operation operation, bool aligned,
                  uintptr_t frame, uintptr_t caller) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!recorder.next)
    return note_host_access(address, bytes, operation != Operation::kLoad, caller);
  unsigned log_bytes = 2;
  if ((bytes | address) % 16 == 0) log_bytes = 4;
  if ((bytes | address) % 4 != 0) log_bytes = (bytes | address) % 2 == 0;
  if (!aligned) log_bytes = 0;
  for (size_t done = 0; done < bytes; done += size_t{1} << log_bytes) {
    note(address + done, operation, log_bytes, frame, caller);
  }
}

}  // namespace

namespace cudacpu::profile {

void use_memory(const volatile void* pointer, size_t bytes, Operation operation, uintptr_t frame,
                uintptr_t caller, bool aligned) {
  if (bytes == 0) return;
  if (recorder.next) return access_range(pointer, bytes, operation, aligned, frame, caller);
  if (recorder.launching) return;
  use_by_host(reinterpret_cast<uintptr_t>(pointer), bytes, operation != Operation::kLoad, caller);
}

void use_in_bulk(const volatile void* pointer, size_t bytes, Operation operation, uintptr_t frame,
                 uintptr_t caller) {
  constexpr unsigned kLogBytes = 4;
  constexpr size_t kSectorBytes = 32, kAllBanks = 128;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const bool shared = recorder.shared.has(address);
  for (size_t at = 0; at < bytes; at += shared ? kAllBanks : kSectorBytes)
    note(address + at, operation, at == 0 && !shared ? kLogBytes : kLogBytes + kAsynchronous, frame,
         caller);
}

}  // namespace cudacpu::profile

extern "C" {

void __sanitizer_cov_trace_pc() {
  Recorder& r = recorder;
  Event* next = r.next;
  if (!next) {
    if (!r.launching) block_by_host(CALLER);
    return;
  }
  *next = event_at(r.origin, kBasicBlock, FRAME, CALLER);
  r.next = next + 1;
  if (r.next > r.limit) make_room();
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

// A volatile access may belong to a spin loop: other threads must get their turn.
#define ACCESSES(bytes, log_bytes)                                  \
  void __tsan_read##bytes(void* p) {                                \
    access(p, Operation::kLoad, log_bytes, FRAME, CALLER);          \
  }                                                                 \
  void __tsan_write##bytes(void* p) {                               \
    access(p, Operation::kStore, log_bytes, FRAME, CALLER);         \
  }                                                                 \
  void __tsan_volatile_read##bytes(void* p) {                       \
    watched_access(p, Operation::kLoad, log_bytes, FRAME, CALLER);  \
    if (recorder.launching) note_atomic();                          \
  }                                                                 \
  void __tsan_volatile_write##bytes(void* p) {                      \
    watched_access(p, Operation::kStore, log_bytes, FRAME, CALLER); \
    if (recorder.launching) note_atomic();                          \
  }
ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)
#undef ACCESSES

#define UNALIGNED(bytes)                                             \
  void __tsan_unaligned_read##bytes(void* p) {                       \
    access_range(p, bytes, Operation::kLoad, false, FRAME, CALLER);  \
  }                                                                  \
  void __tsan_unaligned_write##bytes(void* p) {                      \
    access_range(p, bytes, Operation::kStore, false, FRAME, CALLER); \
  }                                                                  \
  void __tsan_unaligned_volatile_read##bytes(void* p) {              \
    __tsan_unaligned_read##bytes(p);                                 \
  }                                                                  \
  void __tsan_unaligned_volatile_write##bytes(void* p) {             \
    __tsan_unaligned_write##bytes(p);                                \
  }
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)
#undef UNALIGNED

void __tsan_read_range(void* p, size_t bytes) {
  access_range(p, bytes, Operation::kLoad, true, FRAME, CALLER);
}
void __tsan_write_range(void* p, size_t bytes) {
  access_range(p, bytes, Operation::kStore, true, FRAME, CALLER);
}

// For copies of known length: compiler/counts/assembly.py changes the name.
void __tsan_read_bytes(void* p, size_t bytes) {
  access_range(p, bytes, Operation::kLoad, false, FRAME, CALLER);
}
void __tsan_write_bytes(void* p, size_t bytes) {
  access_range(p, bytes, Operation::kStore, false, FRAME, CALLER);
}

// ---- atomic operations: carried out by the profiler, in place of the compiler's ----

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// `HAND_OUT` lets other threads go first, because the result of an operation may be a work item.
#define CHANGE(p, log_bytes) watched_access(p, Operation::kAtomic, log_bytes, FRAME, CALLER)
#define HAND_OUT(p, log_bytes) \
  before_atomic(p);            \
  CHANGE(p, log_bytes)

// Operations without a used result have the other name: compiler/counts/assembly.py changes the
// name.
#define FETCH(bits, T, log_bytes, name)                               \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int) {       \
    HAND_OUT(p, log_bytes);                                           \
    return __atomic_##name(p, value, __ATOMIC_SEQ_CST);               \
  }                                                                   \
  void __cudacpu_atomic##bits##_##name(volatile T* p, T value, int) { \
    CHANGE(p, log_bytes);                                             \
    __atomic_##name(p, value, __ATOMIC_SEQ_CST);                      \
  }

#define COMPARE(bits, T, log_bytes, name)                                           \
  int __tsan_atomic##bits##_##name(volatile T* p, T* expected, T value, int, int) { \
    HAND_OUT(p, log_bytes);                                                         \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, \
                                       __ATOMIC_SEQ_CST);                           \
  }

#define ATOMICS(bits, T, log_bytes)                                                              \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                       \
    watched_access(p, Operation::kLoad, log_bytes, FRAME, CALLER);                               \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                \
    watched_access(p, Operation::kStore, log_bytes, FRAME, CALLER);                              \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                              \
  T __tsan_atomic##bits##_exchange(volatile T* p, T value, int) {                                \
    HAND_OUT(p, log_bytes);                                                                      \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                              \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {   \
    HAND_OUT(p, log_bytes);                                                                      \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                             \
  }                                                                                              \
  COMPARE(bits, T, log_bytes, compare_exchange_strong)                                           \
  COMPARE(bits, T, log_bytes, compare_exchange_weak)                                             \
  FETCH(bits, T, log_bytes, fetch_add)                                                           \
  FETCH(bits, T, log_bytes, fetch_sub)                                                           \
  FETCH(bits, T, log_bytes, fetch_and)                                                           \
  FETCH(bits, T, log_bytes, fetch_or)                                                            \
  FETCH(bits, T, log_bytes, fetch_xor)                                                           \
  FETCH(bits, T, log_bytes, fetch_nand)
ATOMICS(8, uint8_t, 0)
ATOMICS(16, uint16_t, 1)
ATOMICS(32, uint32_t, 2)
ATOMICS(64, uint64_t, 3)
#undef ATOMICS
#undef COMPARE
#undef FETCH
#undef HAND_OUT
#undef CHANGE

}  // extern "C"
