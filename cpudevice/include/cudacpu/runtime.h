// The functions of the CPU device's run-time library that the CUDA headers and translated code
// call.
//
// The whole header is internal to the CPU device: student code names only the four built-in
// variables. src/scheduler implements most functions. launch.h holds the templates of translated
// code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../vector_types.h"
#include "attributes.h"
#include "diagnostics.h"
#include "stack_switch.h"

// The built-in variables.
//
// Real objects, a set per OS thread, because a student may declare `dim3 blockDim(16, 16)` of his
// own. __thread and not thread_local: no initialisation wrapper is called at each use;
// initial-exec: no call even in a shared library. The semantic check needs Clang's view instead:
// constants for device code alone.
#if CUDACPU_CHECKING
extern const CUDACPU_DEVICE uint3 threadIdx, blockIdx;
extern const CUDACPU_DEVICE dim3 blockDim, gridDim;
#else
#define CUDACPU_TLS __attribute__((tls_model("initial-exec")))
extern __thread uint3 threadIdx CUDACPU_TLS;
extern __thread uint3 blockIdx CUDACPU_TLS;
extern __thread dim3 blockDim CUDACPU_TLS;
extern __thread dim3 gridDim CUDACPU_TLS;
#endif

// Clang must not merge two calls on different paths, because the place of a call decides which
// lanes meet.
#ifdef __clang__
#define CUDACPU_CONVERGENT __attribute__((convergent, nomerge))
#else
#define CUDACPU_CONVERGENT
#endif

namespace cudacpu {

struct Worker;
struct Thread;
struct Meeting;
struct WarpView;

// The current block and thread.
//
// Other data of the running code; small, because a library that dlopen loads has little static TLS.
struct Context {
  Worker* worker;           // null on a host thread outside kernels
  Thread* thread;           // null until the CUDA thread first has to wait
  Thread* last_to_barrier;  // the threads before may wait in the quick way: see turns.h
  Thread* last_to_end;      // the threads before may end in the quick way
  Thread* last_to_meet;     // the threads before may join `meeting`; all three may be null
  char* shared;             // the block's shared memory: the kernel's static variables
  char* dynamic_shared;     // extern __shared__
  char* function_shared;    // __shared__ variables of device functions and of namespace scope
  unsigned dynamic_shared_bytes;
  unsigned meeting_mask;  // of `meeting`
  Meeting* meeting;
  WarpView* meeting_view;
  int busy;          // the run-time library itself runs: time slicing keeps off
  int atomics_left;  // left before note_atomic() looks whether the thread is spinning
  bool carry;        // PTX's flag, between two asm statements of a thread
};
#if !CUDACPU_CHECKING
extern __thread Context context CUDACPU_TLS;

// Blocks time slicing, or allows it. The compiler moves nothing across, because a signal handler
// may read the flag between any two instructions.
inline __attribute__((always_inline)) void set_busy(int busy) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const_cast<volatile int&>(context.busy) = busy;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Whether the OS thread is running device code.
inline bool in_kernel() {
  return context.worker != nullptr;
}

CUDACPU_UNSEEN inline unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
CUDACPU_UNSEEN inline unsigned lane_id() {
  return linear_thread() % 32;
}
inline __attribute__((always_inline)) bool& carry_flag() {
  return context.carry;
}
#else
CUDACPU_DEVICE bool& carry_flag();
CUDACPU_HOST_DEVICE bool in_kernel();
CUDACPU_DEVICE unsigned linear_thread();
CUDACPU_DEVICE unsigned lane_id();
#endif

// Barriers and warps.
//
// `what` is the call in the student's words, for the report of a deadlock: "__syncthreads()". The
// text must outlive the launch. The report's line is the return address of these functions: call
// them from inline functions only.
struct BarrierResult {
  int count, all, any;  // how many threads passed a non-zero predicate; did all; did any
};

// A barrier among the live threads of the block; exited threads count as arrived.
CUDACPU_DEVICE void block_barrier(const char* what);
CUDACPU_DEVICE BarrierResult block_barrier_reduce(int predicate, const char* what);

// Barrier `number`, 0 to 15, of the block, for `count` threads: a multiple of 32, or 0 for the
// whole block. The thread waits for the others if `waits`; otherwise the thread only counts as
// arrived.
CUDACPU_DEVICE void named_barrier(unsigned number, unsigned count, bool waits, const char* what);

// A barrier among all live threads of a cooperative launch. Ends an ordinary launch with an error.
CUDACPU_DEVICE void grid_barrier(const char* what);
// Whether the running kernel was launched cooperatively.
CUDACPU_DEVICE bool grid_is_cooperative();

// The blocks of a cluster, which are alive at the same time: of the running block's cluster, which
// is the block alone if the launch has no clusters.
struct ClusterPlace {
  dim3 size;    // blocks
  uint3 block;  // the running block's place in the cluster
};
CUDACPU_DEVICE ClusterPlace place_in_cluster();
CUDACPU_DEVICE bool has_clusters();
// A barrier among the live threads of a cluster, also in two parts. Only in launches with clusters.
CUDACPU_DEVICE void cluster_barrier(const char* what);
CUDACPU_DEVICE void arrive_in_cluster();
CUDACPU_DEVICE void wait_for_cluster(const char* what);
// The address of the same variable in the shared memory of another block of the cluster; and the
// block whose shared memory holds an address, or -1.
CUDACPU_DEVICE void* shared_of_block(const void* pointer, unsigned rank);
CUDACPU_DEVICE int block_of_shared(const void* pointer);

// The lanes named in `mask` meet; each leaves `value` and gets a view of all, valid until the
// lane's next warp call. Meetings are keyed by the whole mask. An exited lane counts as arrived and
// is absent from `present`.
struct WarpView {
  uint64_t value[32];
  uint32_t present;
  uint32_t nonzero;  // the lanes with a value other than 0, and perhaps absent lanes
};
CUDACPU_DEVICE const WarpView& warp_exchange(unsigned mask, uint64_t value, const char* what);
CUDACPU_DEVICE void warp_barrier(unsigned mask, const char* what);
// Returns the lanes that are at the same call when nothing else in the warp can run:
// __activemask().
CUDACPU_DEVICE CUDACPU_CONVERGENT unsigned active_mask();
// Waits until nothing else in the warp can run, as if the lanes executed one instruction at a time:
// for programs that rely on lanes in step (compiler/warp_synchronous.py).
CUDACPU_DEVICE CUDACPU_CONVERGENT void warp_step();
template <typename T>
CUDACPU_DEVICE inline T in_step(T value) {
  warp_step();
  return value;
}

#if !CUDACPU_CHECKING
// How a thread waits: a library function records the arrival and returns where to switch; the
// switch itself is inlined. `to` is null if the thread may continue at once.
struct Departure {
  StackPointer* save;
  StackPointer to;
};
CUDACPU_CONVERGENT Departure arrive_at_barrier(const char* what);
CUDACPU_CONVERGENT Departure arrive_at_barrier_reduce(int predicate, const char* what);
BarrierResult barrier_result();
CUDACPU_CONVERGENT Departure arrive_in_warp(unsigned mask, uint64_t value, const char* what,
                                            const WarpView** view);

// turns.h has the functions above.
#endif

// Lets the other threads of the block run: __nanosleep and the like.
CUDACPU_DEVICE void yield();
CUDACPU_DEVICE void many_atomics();
// To be called by each atomic and fence (cheap): a thread that executes hundreds in a row may be
// spinning, and then the others run in between.
#if CUDACPU_CHECKING
CUDACPU_DEVICE void note_atomic(int weight = 1);
#else
CUDACPU_UNINSTRUMENTED inline void note_atomic(int weight = 1) {
  if ((context.atomics_left -= weight) < 0) many_atomics();
}
#endif

// During its lifetime, the time-slicing of threads that spin on a volatile leaves the OS thread
// alone: for run-time functions that take a lock and may be called from a kernel.
#if !CUDACPU_CHECKING
class NoPreemption {
 public:
  NoPreemption() { set_busy(context.busy + 1); }
  ~NoPreemption() { set_busy(context.busy - 1); }
  NoPreemption(const NoPreemption&) = delete;
  NoPreemption& operator=(const NoPreemption&) = delete;
};
#endif

// Faults.
//
// Ends the launch from device code with a sticky error. The report names kernel, block, thread and
// line, and then says `sentence`, for example "called __trap()". Outside a kernel the process
// aborts.
[[noreturn]] CUDACPU_HOST_DEVICE void kernel_trap(int cuda_error, const char* sentence);

// Ends the calling thread: exit_thread() of device/synchronization.h. The kernel's body catches a
// ThreadExit if the file holds `exit` in PTX (compiler/syntax/kernels.py).
struct ThreadExit {};
[[noreturn]] CUDACPU_DEVICE void throw_thread_exit();

// Launches.
//
// The properties of a kernel (an instantiation, for a template). Constant-initialised;
// static_shared is summed before main(), so that the occupancy API knows the sum before the first
// launch.
struct KernelInfo {
  const char* name;
  const char* file;
  int line;
  int max_threads;             // of a block: 1024, or less by __launch_bounds__
  int min_blocks;              // __launch_bounds__' second number, 0 if none
  uint3 cluster;               // __cluster_dims__, zeros if none
  bool may_wait_for_host;      // in a loop that reads memory
  size_t static_shared;        // bytes of __shared__ variables
  size_t static_shared_align;  // at least 16: dynamic shared memory begins behind it
  size_t max_dynamic_shared;   // cudaFuncAttributeMaxDynamicSharedMemorySize, 0: 48 KB less
                               // static_shared
  int carveout;                // cudaFuncAttributePreferredSharedMemoryCarveout
  bool large_clusters;         // cudaFuncAttributeNonPortableClusterSizeAllowed
  const void*
      entry;  // the kernel's loop over threads: in the same loaded file as the student's code
};

// A host pointer to a kernel, as cudaLaunchKernel and the occupancy API take it. launch.h makes the
// handle from a typed kernel pointer; call_with_arguments calls the kernel with the arguments at
// which CUDA's `void** args` points.
struct KernelHandle {
  KernelInfo* info;
  void (*call_with_arguments)(void (*kernel)(), void** arguments);
  void (*kernel)();
};

struct LaunchConfiguration {
  dim3 grid, block;
  size_t shared_bytes;
  void* stream;
  bool cooperative;
  uint3 cluster = {0, 0, 0};  // blocks; zeros: as the kernel says
};

// __device__, __constant__ and __managed__ variables.
//
// Registered by the translated code when the program or library is loaded; never destroyed.
struct DeviceVariable {
  const void* address;
  size_t bytes;
  const char* name;
  const char* kind;  // "__device__", "__constant__" or "__managed__"
  DeviceVariable* next;

  DeviceVariable(const void* address, size_t bytes, const char* name, const char* kind);
};

// The largest sum of bytes of a program's __constant__ variables, as on a GPU.
constexpr size_t kConstantLimit = 64 * 1024;

// Limits of the simulated device, checked at each launch.
constexpr size_t kStaticSharedLimit = 48 * 1024;
constexpr size_t kSharedOptInLimit = 227 * 1024;
constexpr size_t kReservedShared = 1024;  // of each block's, by the system
constexpr int kMultiprocessors = 8;
constexpr int kMultiprocessorsOfWholeGpu = 132;  // of the H200 of which the device is a slice
constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kBlocksPerMultiprocessor = 32;
constexpr unsigned kPortableCluster = 8, kMostCluster = 16;  // blocks of a cluster

}  // namespace cudacpu
