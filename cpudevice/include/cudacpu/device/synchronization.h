// Barriers, fences, and what lets a thread wait.
#pragma once

#include "../standard.h"
#include "../turns.h"

#if CUDACPU_CHECKING
CUDACPU_DEVICE void __syncthreads();  // Clang's own
#else
inline void __syncthreads() {
  cudacpu::block_barrier("__syncthreads()");
}
#endif
CUDACPU_DEVICE inline int __syncthreads_count(int predicate) {
  return cudacpu::block_barrier_reduce(predicate, "__syncthreads_count()").count;
}
CUDACPU_DEVICE inline int __syncthreads_and(int predicate) {
  return cudacpu::block_barrier_reduce(predicate, "__syncthreads_and()").all;
}
CUDACPU_DEVICE inline int __syncthreads_or(int predicate) {
  return cudacpu::block_barrier_reduce(predicate, "__syncthreads_or()").any;
}
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
// The translator replaces the four functions by these, each with a number of its own in the
// student's text.
template <unsigned token>
inline void __cudacpu_syncthreads() {
  cudacpu::observe::barrier(token);
  __syncthreads();
}
template <unsigned token>
inline int __cudacpu_syncthreads_count(int predicate) {
  cudacpu::observe::barrier(token);
  return __syncthreads_count(predicate);
}
template <unsigned token>
inline int __cudacpu_syncthreads_and(int predicate) {
  cudacpu::observe::barrier(token);
  return __syncthreads_and(predicate);
}
template <unsigned token>
inline int __cudacpu_syncthreads_or(int predicate) {
  cudacpu::observe::barrier(token);
  return __syncthreads_or(predicate);
}
#endif
CUDACPU_DEVICE inline void __syncwarp(unsigned int mask = 0xffffffffu) {
  cudacpu::warp_barrier(mask, "__syncwarp()");
}

// A block runs on one OS thread: only the compiler could reorder within it.
CUDACPU_DEVICE inline void __threadfence_block() {
  cudacpu::note_atomic();
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  cudacpu::observe::fence(cudacpu::observe::Scope::kBlock);
#endif
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
CUDACPU_DEVICE inline void __threadfence() {
  cudacpu::note_atomic();
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  cudacpu::observe::fence(cudacpu::observe::Scope::kDevice);
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
CUDACPU_DEVICE inline void __threadfence_system() {
  __threadfence();
}

CUDACPU_DEVICE inline void __nanosleep([[maybe_unused]] unsigned int ns) {
#if defined(__CUDACPU_PROFILE__) && CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  cudacpu::observe::sleep(ns);
#endif
  cudacpu::yield();
}

[[noreturn]] CUDACPU_DEVICE inline void __trap() {
  cudacpu::kernel_trap(719, "called __trap()");  // cudaErrorLaunchFailure
}
[[noreturn]] CUDACPU_DEVICE inline void __brkpt() {
  cudacpu::kernel_trap(719, "called __brkpt() without a debugger");
}

// A thread that reads a clock again and again is waiting, and the others wait at the same time.
namespace cudacpu {
CUDACPU_DEVICE inline void note_clock() {
  constexpr int kWeight = 64;  // of an atomic: see note_atomic()
  note_atomic(kWeight);
}
}  // namespace cudacpu

// A counter that grows at a constant rate; its unit is the processor's.
CUDACPU_DEVICE inline long long int clock64() {
  cudacpu::note_clock();
#if defined(__x86_64__) && !CUDACPU_CHECKING
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__) && !CUDACPU_CHECKING
  long long ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return static_cast<long long>(clock());
#endif
}
#if !CUDACPU_CHECKING
// The translator replaces clock() by this.
inline clock_t __cudacpu_clock() {
  return cudacpu::in_kernel() ? static_cast<clock_t>(clock64()) : clock();
}
#endif

#if !CUDACPU_CHECKING
// The translator replaces PTX that reads special registers by these.
namespace cudacpu {
inline unsigned long long register_globaltimer() {  // nanoseconds
  note_clock();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1000000000ull +
         static_cast<unsigned long long>(now.tv_nsec);
}
inline long long register_clock64() {
  return clock64();
}
inline unsigned register_clock() {
  return static_cast<unsigned>(clock64());
}
inline unsigned register_laneid() {
  return lane_id();
}
inline unsigned register_warpid() {
  return linear_thread() / 32;
}
// Blocks are distributed to the multiprocessors in turn, as on an idle GPU.
inline unsigned register_smid() {
  return (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % kMultiprocessors;
}
inline unsigned register_nsmid() {
  return kMultiprocessors;
}
inline unsigned register_lanemask_eq() {
  return 1u << lane_id();
}
inline unsigned register_lanemask_lt() {
  return (1u << lane_id()) - 1;
}
inline unsigned register_lanemask_le() {
  return register_lanemask_lt() | register_lanemask_eq();
}
inline unsigned register_lanemask_ge() {
  return ~register_lanemask_lt();
}
inline unsigned register_lanemask_gt() {
  return ~register_lanemask_le();
}
}  // namespace cudacpu
#endif
