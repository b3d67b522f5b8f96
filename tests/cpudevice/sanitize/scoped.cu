// cuda::atomic, cuda::barrier, cuda::pipeline and copies of groups: a release makes known what came
// before it to a thread that acquires it, a relaxed store does not; a store reads nothing.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "launch.h"

namespace cg = cooperative_groups;
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr int kBlockSize = 256;

__global__ void stores(int* fresh, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
  if (threadIdx.x == 0) total.store(0, cuda::memory_order_relaxed);
  Flag(fresh[threadIdx.x]).store(3, cuda::memory_order_relaxed);
  __syncthreads();
  total.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  out[threadIdx.x] = total.load(cuda::memory_order_relaxed) + fresh[threadIdx.x];
}

__global__ void message(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) Flag(*flag).store(1, cuda::memory_order_release);
  } else {
    while (threadIdx.x == 0 && Flag(*flag).load(cuda::memory_order_acquire) == 0) {
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
}
// The same by nvcc's own functions.
template <int kOrder>
__device__ void built_in(int* data, int* flag, int* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // @e
    __nv_atomic_store_n(flag, 1, kOrder, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    out[0] = data[0];  // @f
  }
}
__global__ void built_in_message(int* data, int* flag, int* out) {
  built_in<__NV_ATOMIC_RELEASE>(data, flag, out);
}
__global__ void relaxed_built_in_message(int* data, int* flag, int* out) {
  built_in<__NV_ATOMIC_RELAXED>(data, flag, out);
}
__global__ void counted_message(int* data, int* flag, int* out) {
  if (threadIdx.x == 0) {
    data[0] = 5;
    Flag(*flag).fetch_add(1);  // in the default order, which is the strictest
  }
  if (threadIdx.x == 40) {
    while (Flag(*flag) == 0) {
    }
    out[0] = data[0];
  }
}
__global__ void relaxed_message(int* data, int* flag, int* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // @a
    Flag(*flag).store(1, cuda::memory_order_relaxed);
  } else {
    while (Flag(*flag).load(cuda::memory_order_relaxed) == 0) {
    }
    out[0] = data[0];  // @b
  }
}
// A release for the block alone, acquired by a thread of another block.
__global__ void narrow_message(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> narrow(*flag);
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // @c
    narrow.store(1, cuda::memory_order_release);
  } else {
    while (narrow.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data[0];  // @d
  }
}

__global__ void group_copy(const int* in, int* out, int n) {
  __shared__ int tile[kBlockSize];
  const auto block = cg::this_thread_block();
  const int first = blockIdx.x * kBlockSize;
  const int count = min(kBlockSize, n - first);
  cg::memcpy_async(block, tile, in + first, count * sizeof(int));
  cg::wait(block);
  if (threadIdx.x < count) out[first + threadIdx.x] = tile[count - 1 - threadIdx.x];
}
__global__ void barrier_copy(const int* in, int* out) {
  __shared__ int tile[kBlockSize];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[kBlockSize - 1 - threadIdx.x];
}
__global__ void two_stages(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ int tile[kStages][kBlockSize];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int batch = 0, next = 0; batch < batches; ++batch) {
    for (; next < batches && next < batch + kStages; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tile[next % kStages], in + next * kBlockSize, sizeof tile[0],
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[batch * kBlockSize + threadIdx.x] = tile[batch % kStages][kBlockSize - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

int main() {
  constexpr int n = 8 * kBlockSize;
  int *in = zeros<int>(n), *out = zeros<int>(n), *flags = zeros<int>(6);
  int* fresh;
  cudaMalloc(&fresh, 4 * kBlockSize * sizeof(int));
  stores<<<1, kBlockSize>>>(fresh, out);
  message<<<2, kBlockSize>>>(fresh + kBlockSize, flags, out);
  counted_message<<<1, 64>>>(fresh + 2 * kBlockSize, flags + 1, out);
  relaxed_message<<<2, 32>>>(fresh + 3 * kBlockSize, flags + 2, out);
  narrow_message<<<2, 32>>>(fresh + 3 * kBlockSize + 1, flags + 3, out);
  built_in_message<<<2, 32>>>(fresh + 3 * kBlockSize + 2, flags + 4, out);
  relaxed_built_in_message<<<2, 32>>>(fresh + 3 * kBlockSize + 3, flags + 5, out);
  group_copy<<<8, kBlockSize>>>(in, out, n - 24);
  barrier_copy<<<1, kBlockSize>>>(in, out);
  two_stages<<<1, kBlockSize>>>(in, out, 8);
  cudaFree(in);
  cudaFree(fresh);
  cudaFree(flags);
  finish(out);
}
