// cuda::atomic, cuda::atomic_ref, cuda::std::atomic_flag, cuda::barrier, cuda::pipeline and
// memcpy_async.
// expect: done
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>

#include "check.h"

namespace cg = cooperative_groups;

struct Counters {
  cuda::atomic<int, cuda::thread_scope_device> sum, flag;
  cuda::atomic<unsigned, cuda::thread_scope_system> bits;
  float total;
  int least;
};

// One thread of each block adds to the sum, under a lock.
__device__ cuda::std::atomic_flag lock;
__global__ void flags_kernel(int* sum) {
  __shared__ cuda::std::atomic_flag taken;
  if (threadIdx.x == 0) taken.clear();
  __syncthreads();
  if (taken.test_and_set()) return;
  while (lock.test_and_set(cuda::std::memory_order_acquire)) {
  }
  CHECK(lock.test());
  *sum += 1;
  lock.clear(cuda::std::memory_order_release);
}

__global__ void atomics_kernel(Counters* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c->sum.fetch_add(i, cuda::memory_order_relaxed);
  c->bits.fetch_or(1u << (i % 32));
  cuda::atomic_ref<float, cuda::thread_scope_device>(c->total).fetch_add(0.5f);
  cuda::atomic_ref<int>(c->least).fetch_min(-i);
  int expected = 7;
  if (i == 5) CHECK(!c->flag.compare_exchange_strong(expected, 1) && expected == 0);
}

// A message from the last thread to the first of a block, by a flag.
__global__ void message_kernel(int* message, cuda::atomic<int, cuda::thread_scope_block>* flag,
                               int* out) {
  if (threadIdx.x == blockDim.x - 1) {
    *message = 42;
    flag->store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (flag->load(cuda::memory_order_acquire) == 0) {
    }
    *out = *message;
  }
}

// Arrival and waiting apart, several phases: each thread sees what all have written before.
__global__ void phases_kernel(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ int values[2][64];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int phase = 0; phase < 4; ++phase) {
    values[phase % 2][i] = phase + i;
    Barrier::arrival_token token = barrier.arrive();
    sum += 1;  // work in between
    barrier.wait(std::move(token));
    sum += values[phase % 2][(i + 31) % 64];
  }
  if (i < 16) return barrier.arrive_and_drop();
  barrier.arrive_and_wait();  // of 48 now
  barrier.arrive_and_wait();
  out[i] = sum;
}

__global__ void copies_kernel(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ int staged[kStages][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const unsigned n = blockDim.x, i = threadIdx.x;
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + kStages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, staged[fetch % kStages], in + fetch * n,
                         cuda::aligned_size_t<16>(n * sizeof(int)), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[compute * n + i] = staged[compute % kStages][n - 1 - i];
    pipeline.consumer_release();
  }
}

// The first warp fetches, the others compute.
__global__ void roles_kernel(const int* in, int* out, int batches) {
  __shared__ int staged[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool fetches = threadIdx.x < 32;
  const auto role = fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(block, &state, role);
  for (int b = 0; b < batches; ++b) {
    if (fetches) {
      pipeline.producer_acquire();
      for (int k = threadIdx.x; k < 64; k += 32)
        cuda::memcpy_async(&staged[b % 2][k], in + b * 64 + k, sizeof(int), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      const unsigned i = threadIdx.x - 32;
      out[b * 64 + i] = staged[b % 2][63 - i];
      pipeline.consumer_release();
    }
  }
}

int main() {
  Counters* c;
  CHECK_OK(cudaMallocManaged(&c, sizeof(*c)));
  c->sum = 0;
  c->flag = 0;
  c->bits = 0u;
  c->total = 0;
  c->least = 0;
  atomics_kernel<<<8, 64>>>(c);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(c->sum == 512 * 511 / 2 && c->bits == ~0u && c->total == 256 && c->least == -511);
  CHECK(++c->sum == 130817 && (c->sum += 3) == 130820);
  // As the host reads an object changed by a kernel.
  volatile auto* watched = &c->sum;
  CHECK(watched->load(cuda::memory_order_acquire) == 130820 && (*watched = 4) == 4);
  CHECK(++*watched == 5 && (*watched -= 2) == 3 && (*watched)-- == 3 && *watched == 2);

  int *in, *out;
  constexpr int kCount = 1280;
  CHECK_OK(cudaMallocManaged(&in, kCount * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kCount * sizeof(int)));
  cuda::atomic<int, cuda::thread_scope_block>* flag;
  CHECK_OK(cudaMallocManaged(&flag, sizeof(*flag)));
  *flag = 0;
  message_kernel<<<1, 96>>>(in, flag, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 42);

  out[0] = 0;
  flags_kernel<<<100, 64>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 100);

  phases_kernel<<<1, 64>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 16; i < 64; ++i)
    CHECK(out[i] == 4 + 6 + 4 * ((i + 31) % 64));

  for (int i = 0; i < kCount; ++i)
    in[i] = 3 * i;
  copies_kernel<<<1, 128>>>(in, out, 10);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i)
    CHECK(out[i] == 3 * (i / 128 * 128 + 127 - i % 128));
  roles_kernel<<<1, 96>>>(in, out, 20);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i)
    CHECK(out[i] == 3 * (i / 64 * 64 + 63 - i % 64));
  printf("done\n");
}
