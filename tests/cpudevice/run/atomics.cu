// Every atomic function on every type it takes, from many blocks at once.
// expect: done
#include "check.h"

constexpr int kBlocks = 64, kBlockSize = 256, kThreads = kBlocks * kBlockSize;

struct Totals {
  int sum_int, difference, low, high, bits_and, bits_or, bits_xor, swapped;
  unsigned sum_unsigned, increments, decrements, claimed;
  unsigned long long sum_long, high_long;
  long long low_long;
  float sum_float, exchanged;
  double sum_double;
  unsigned short tickets[2];
};

__global__ void atomics_kernel(Totals* t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&t->sum_int, 1);
  atomicSub(&t->difference, 2);
  atomicMin(&t->low, -i);
  atomicMax(&t->high, i);
  atomicAnd(&t->bits_and, ~(1 << i % 8));
  atomicOr(&t->bits_or, 1 << i % 31);
  atomicXor(&t->bits_xor, i);
  atomicAdd_block(&t->sum_unsigned, 3u);
  atomicInc(&t->increments, 9);  // counts modulo 10
  atomicDec(&t->decrements, 6);  // counts down modulo 7
  atomicAdd(&t->sum_long, 1ull << 33);
  atomicMax(&t->high_long, (unsigned long long)i << 32);
  atomicMin(&t->low_long, -((long long)i << 32));
  atomicAdd_system(&t->sum_float, 0.5f);
  atomicAdd(&t->sum_double, 0.25);
  const float before = atomicExch(&t->exchanged, float(i));
  CHECK(before >= 0 && before < kThreads);
  atomicExch_block(&t->swapped, i);
  if (atomicCAS(&t->claimed, 0u, 1u) == 0) CHECK(atomicAdd(&t->claimed, 10u) == 1);
  unsigned short seen = t->tickets[1], assumed;
  do {
    assumed = seen;
    seen = atomicCAS(&t->tickets[1], assumed, (unsigned short)(assumed + 1));
  } while (seen != assumed);
}

// With an order and a scope: a message from block to block, and every operation.
__global__ void ordered_kernel(int* data, int* flag, float* sum) {
  constexpr int kScope = __NV_THREAD_SCOPE_DEVICE;
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, kScope);
    return;
  }
  while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, kScope) == 0) {
  }
  CHECK(*data == 42);
  CHECK(__nv_atomic_fetch_add(data, 2, __NV_ATOMIC_RELAXED) == 42);
  CHECK(__nv_atomic_fetch_max(data, 50, __NV_ATOMIC_RELAXED) == 44);
  CHECK(__nv_atomic_fetch_min(data, 7, __NV_ATOMIC_ACQ_REL, kScope) == 50);
  __nv_atomic_or(data, 8, __NV_ATOMIC_RELAXED);
  CHECK(__nv_atomic_exchange_n(data, 3, __NV_ATOMIC_SEQ_CST) == 15);
  int expected = 4;
  CHECK(!__nv_atomic_compare_exchange_n(data, &expected, 5, false, __NV_ATOMIC_RELAXED,
                                        __NV_ATOMIC_RELAXED));
  CHECK(expected == 3);
  CHECK(__nv_atomic_compare_exchange_n(data, &expected, 5, false, __NV_ATOMIC_RELAXED,
                                       __NV_ATOMIC_RELAXED));
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, kScope);
  __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED);
}

int main() {
  int* cells;
  CHECK_OK(cudaMallocManaged(&cells, 3 * sizeof(int)));
  cells[0] = cells[1] = cells[2] = 0;
  float* sum = reinterpret_cast<float*>(cells + 2);
  ordered_kernel<<<2, 1>>>(cells, cells + 1, sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(cells[0] == 5 && *sum == 0.5f);
  Totals* t;
  CHECK_OK(cudaMallocManaged(&t, sizeof(*t)));
  *t = {};
  t->bits_and = -1;
  t->exchanged = 5;
  atomics_kernel<<<kBlocks, kBlockSize>>>(t);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(t->sum_int == kThreads && t->difference == -2 * kThreads);
  CHECK(t->low == 1 - kThreads && t->high == kThreads - 1);
  CHECK(t->bits_and == ~255 && t->bits_or == 0x7fffffff && t->bits_xor == 0);
  CHECK(t->sum_unsigned == 3u * kThreads);
  CHECK(t->increments == kThreads % 10 && t->decrements == (7 - kThreads % 7) % 7);
  CHECK(t->sum_long == (unsigned long long)kThreads << 33);
  CHECK(t->high_long == (unsigned long long)(kThreads - 1) << 32);
  CHECK(t->low_long == -((long long)(kThreads - 1) << 32));
  CHECK(t->sum_float == 0.5f * kThreads && t->sum_double == 0.25 * kThreads);
  CHECK(t->swapped >= 0 && t->swapped < kThreads && t->claimed == 11);
  CHECK(t->tickets[0] == 0 && t->tickets[1] == kThreads);
  printf("done\n");
}
