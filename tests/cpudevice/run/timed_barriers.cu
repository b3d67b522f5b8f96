// Waits at a barrier with a time limit: of cuda::barrier by token and by parity, of awbarrier
// (cuda_awbarrier.h), and of awbarrier's C functions
// flags: -arch=sm_90
#include <cuda_awbarrier.h>

#include <cuda/barrier>
#include <cuda/std/chrono>
#include <cuda/std/ratio>
#include <utility>

#include "check.h"

namespace chrono = cuda::std::chrono;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using nvcuda::experimental::awbarrier;
using Clock = chrono::high_resolution_clock;

// Thread 0 waits in each way until the time is over. Only then thread 1 arrives, and each way
// succeeds.
__global__ void too_short_kernel(int* out) {
  __shared__ Barrier barrier, never;
  __shared__ Barrier go;
  if (threadIdx.x == 0) {
    init(&barrier, 2);
    init(&never, 1);
    init(&go, 2);
  }
  __syncthreads();
  if (threadIdx.x == 1) {
    go.arrive_and_wait();
    static_cast<void>(barrier.arrive());
    return;
  }
  const auto token = barrier.arrive();
  const auto begin = Clock::now();
  const bool ends[] = {
      barrier.try_wait_for(Barrier::arrival_token(token), chrono::microseconds(200)),
      barrier.try_wait_until(Barrier::arrival_token(token), Clock::now() + chrono::microseconds(1)),
      barrier.try_wait_parity_for(false, chrono::nanoseconds(500)),
      barrier.try_wait_parity_until(false, Clock::now() - chrono::seconds(1)),
      barrier.try_wait_for(Barrier::arrival_token(token), chrono::nanoseconds(0)),
      never.try_wait_parity_for(false, chrono::duration<float, cuda::std::micro>(1.5f)),
  };
  const auto waited = Clock::now() - begin;
  for (bool ended : ends)
    CHECK(!ended);
  CHECK(waited >= chrono::microseconds(200));
  CHECK(never.try_wait_parity_for(true, chrono::nanoseconds(0)));  // the phase before the first
  go.arrive_and_wait();
  while (!barrier.try_wait_for(Barrier::arrival_token(token), chrono::milliseconds(1))) {
  }
  const auto later = Clock::now() + chrono::milliseconds(1);
  CHECK(barrier.try_wait_until(Barrier::arrival_token(token), later));
  CHECK(barrier.try_wait_parity_for(false, chrono::milliseconds(1)));
  CHECK(barrier.try_wait_parity_until(false, later));
  *out = 1;
}

// Each thread adds a value from another thread, written in the phase just ended.
__global__ void phases_kernel(int* out) {
  __shared__ awbarrier barrier;
  __shared__ int values[2][64];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int phase = 0; phase < 4; ++phase) {
    values[phase % 2][i] = phase + i;
    const awbarrier::arrival_token token = barrier.arrive();
    CHECK(token.pending_count() >= 1 && token.pending_count() <= blockDim.x);
    if (phase % 2 == 0) {
      barrier.wait(token);
    } else {
      while (!barrier.try_wait(token, 100)) {
      }
    }
    CHECK(barrier.timed_wait(token, 0) && barrier.timed_wait_parity(phase % 2, 0));
    CHECK(barrier.try_wait_parity(phase % 2, 0));
    sum += values[phase % 2][(i + 31) % 64];
  }
  if (i < 16) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();  // of 48 now
  out[i] = sum;
  CHECK(!barrier.timed_wait_parity(false, 10));
}

// The same by C functions: thread 0 waits for the others.
__global__ void functions_kernel(int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[32];
  const unsigned i = threadIdx.x;
  if (i == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  values[i] = 2 * i;
  if (i > 0) {
    if (i % 2) {
      __mbarrier_arrive(&barrier);
    } else {
      __mbarrier_arrive_and_drop(&barrier);
    }
    return;
  }
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  const unsigned pending = __mbarrier_token_pending_count(token);
  CHECK(pending >= 1 && pending <= blockDim.x);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  CHECK(__mbarrier_test_wait_parity(&barrier, false));
  CHECK(!__mbarrier_test_wait_parity(&barrier, true));
  CHECK(__mbarrier_try_wait(&barrier, token, 10) && __mbarrier_try_wait_parity(&barrier, 0, 10));
  // 15 have left: the next phase expects 17.
  CHECK(__mbarrier_token_pending_count(__mbarrier_arrive(&barrier)) == 17);
  __mbarrier_inval(&barrier);
  *out = 0;
  for (int value : values)
    *out += value;
}

int main() {
  static_assert(awbarrier::max() == 16383, "as NVIDIA's");
  CHECK(__mbarrier_maximum_count() == 16383);
  int* out = nullptr;
  CHECK_OK(cudaMallocManaged(&out, 64 * sizeof(int)));
  too_short_kernel<<<1, 2>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 1);
  phases_kernel<<<1, 64>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 16; i < 64; ++i)
    CHECK(out[i] == 6 + 4 * ((i + 31) % 64));
  functions_kernel<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 32 * 31);
  CHECK_OK(cudaFree(out));
}
