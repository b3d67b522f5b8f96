// Threads use what another thread initialises before a barrier. Here the threads find the first
// value, because threads run nearly in order, and the use even orders them behind the first thread;
// but the threads could have come first.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
// finding: race @g @h
// finding: race @i @j
#include <cuda/atomic>
#include <cuda/barrier>

#include "launch.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

template <bool kRight>
__global__ void a_barrier(int* out) {
  __shared__ Barrier barrier;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);  // @b
  if (kRight) __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  barrier.arrive_and_wait();  // @a
  out[threadIdx.x] = values[63 - threadIdx.x];
}

template <bool kRight>
__global__ void an_mbarrier(int* out) {
  __shared__ unsigned long long barrier;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(address));  // @d
  if (kRight) __syncthreads();
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address) : "memory");  // @c
  unsigned ended = 0;
  while (!ended) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(address)
        : "memory");
  }
  out[threadIdx.x] = 1;
}

// The thread passes on its writes, the counter among them, by the counter itself.
template <bool kRight>
__global__ void a_counter(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // @f
  if (kRight) __syncthreads();
  __threadfence_block();
  out[atomicAdd(&count, 1)] = 1;  // @e
}

// The first value of a flag is volatile or atomic: the other warp may read before the first store.
template <bool kRight>
__global__ void a_flag(int* out) {
  __shared__ volatile int flag;
  __shared__ int value;
  if (threadIdx.x == 0) flag = 0;  // @h
  if (kRight) __syncthreads();
  if (threadIdx.x == 0) {
    value = 1;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {  // @g
    }
    out[0] = value;
  }
}

template <bool kRight>
__global__ void an_atomic(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
  __shared__ int value;
  if (threadIdx.x == 0) flag.store(0, cuda::memory_order_relaxed);  // @j
  if (kRight) __syncthreads();
  if (threadIdx.x == 0) {
    value = 1;
    flag.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (flag.load(cuda::memory_order_acquire) == 0) {  // @i
    }
    out[0] = value;
  }
}

// Threads may write the same first value, if no thread reads the value.
__global__ void set_by_all(int* unset) {
  *static_cast<volatile int*>(unset) = 1;
  cuda::atomic_ref<int, cuda::thread_scope_device>(unset[1]).store(1, cuda::memory_order_relaxed);
}

int main() {
  int* unset;
  cudaMalloc(&unset, 2 * sizeof(int));
  set_by_all<<<2, 64>>>(unset);
  finish(unset);
  int* out = zeros<int>(64);
  a_barrier<true><<<1, 64>>>(out);
  an_mbarrier<true><<<1, 64>>>(out);
  a_counter<true><<<1, 64>>>(out);
  a_flag<true><<<1, 64>>>(out);
  an_atomic<true><<<1, 64>>>(out);
  a_barrier<false><<<1, 64>>>(out);
  an_mbarrier<false><<<1, 64>>>(out);
  a_counter<false><<<1, 64>>>(out);
  a_flag<false><<<1, 64>>>(out);
  an_atomic<false><<<1, 64>>>(out);
  finish(out);
}
