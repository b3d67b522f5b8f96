// Every atomic function on every type that it has, from many blocks at once.
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

int main() {
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
