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
// A barrier of the whole block, or of `count` threads, at one of 16 numbered barriers: bar.sync of
// PTX.
CUDACPU_DEVICE inline void __barrier_sync(unsigned number) {
  cudacpu::named_barrier(number, 0, true, "__barrier_sync()");
}
CUDACPU_DEVICE inline void __barrier_sync_count(unsigned number, unsigned count) {
  cudacpu::named_barrier(number, count, true, "__barrier_sync_count()");
}
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
// Called by translated code in place of the four functions, with a number for each call in the
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

// A block runs on a single OS thread: only the compiler could reorder accesses within a block.
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

// Programmatic dependent launches. A kernel begins when the previous kernel in its stream has
// ended, so nothing is left to wait for, and no other kernel could begin earlier.
CUDACPU_DEVICE inline void cudaGridDependencySynchronize() {}
CUDACPU_DEVICE inline void cudaTriggerProgrammaticLaunchCompletion() {}

// Clusters of blocks.

namespace cudacpu {

// Returns the block's number in its cluster, x first.
CUDACPU_DEVICE inline unsigned rank_in_cluster() {
  const ClusterPlace place = place_in_cluster();
  return place.block.x + place.size.x * (place.block.y + place.size.y * place.block.z);
}

// A cluster of one block has the block's barrier, which has no first half.
CUDACPU_DEVICE inline void cluster_sync(const char* what) {
  if (has_clusters()) {
    cluster_barrier(what);
  } else {
    block_barrier(what);
  }
}
CUDACPU_DEVICE inline void cluster_arrive() {
  if (has_clusters()) arrive_in_cluster();
}
CUDACPU_DEVICE inline void cluster_wait(const char* what) {
  if (has_clusters()) {
    wait_for_cluster(what);
  } else {
    block_barrier(what);
  }
}

}  // namespace cudacpu

CUDACPU_DEVICE inline void __cluster_barrier_arrive() {
  cudacpu::cluster_arrive();
}
CUDACPU_DEVICE inline void __cluster_barrier_arrive_relaxed() {
  cudacpu::cluster_arrive();
}
CUDACPU_DEVICE inline void __cluster_barrier_wait() {
  cudacpu::cluster_wait("__cluster_barrier_wait()");
}
CUDACPU_DEVICE inline bool __clusterDimIsSpecified() {
  return cudacpu::has_clusters();
}
CUDACPU_DEVICE inline dim3 __clusterDim() {
  return cudacpu::place_in_cluster().size;
}
CUDACPU_DEVICE inline dim3 __clusterRelativeBlockIdx() {
  const uint3 block = cudacpu::place_in_cluster().block;
  return {block.x, block.y, block.z};
}
CUDACPU_DEVICE inline unsigned int __clusterRelativeBlockRank() {
  return cudacpu::rank_in_cluster();
}
CUDACPU_DEVICE inline unsigned int __clusterSizeInBlocks() {
  const dim3 size = cudacpu::place_in_cluster().size;
  return size.x * size.y * size.z;
}
CUDACPU_DEVICE inline dim3 __clusterGridDimInClusters() {
  const dim3 size = cudacpu::place_in_cluster().size;
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}
CUDACPU_DEVICE inline dim3 __clusterIdx() {
  const dim3 size = cudacpu::place_in_cluster().size;
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
CUDACPU_DEVICE inline void* __cluster_map_shared_rank(const void* pointer, unsigned int rank) {
  return cudacpu::shared_of_block(pointer, rank);
}
CUDACPU_DEVICE inline unsigned int __cluster_query_shared_rank(const void* pointer) {
  return static_cast<unsigned>(cudacpu::block_of_shared(pointer));
}
CUDACPU_DEVICE inline unsigned int __isClusterShared(const void* pointer) {
  return cudacpu::block_of_shared(pointer) >= 0;
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

namespace cudacpu {
// `exit` of PTX: the calling thread has ended, wherever in the kernel the call is.
[[noreturn]] CUDACPU_DEVICE inline void exit_thread() {
#if defined(__CUDACPU_SANITIZE__) && !CUDACPU_CHECKING
  observe::returning();
#endif
  throw_thread_exit();
}
}  // namespace cudacpu

// A thread that reads a clock again and again is waiting, and the others wait at the same time.
namespace cudacpu {
CUDACPU_DEVICE inline void note_clock() {
  constexpr int kWeight = 64;  // of an atomic: see note_atomic()
  note_atomic(kWeight);
}
// A loop that does nothing but ask is waiting, too: compiler/translate.py adds the call.
CUDACPU_DEVICE inline void note_poll() {
  constexpr int kWeight = 8;
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
// Called by translated code in place of clock().
inline clock_t __cudacpu_clock() {
  return cudacpu::in_kernel() ? static_cast<clock_t>(clock64()) : clock();
}
#endif

#if !CUDACPU_CHECKING
// Called by translated code in place of PTX that reads special registers.
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
