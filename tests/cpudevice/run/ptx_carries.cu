// The carry flag of PTX between asm statements, as in libraries for long integers: sums,
// differences and products of 256 bits, also while time slices end between two statements
// expect: done
#include "check.h"

constexpr int kWords = 8;

#define OF_TWO_WORDS(name, instruction)                                  \
  __device__ unsigned name(unsigned a, unsigned b) {                     \
    unsigned r;                                                          \
    asm volatile(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); \
    return r;                                                            \
  }
OF_TWO_WORDS(add_cc, "add.cc.u32")
OF_TWO_WORDS(addc_cc, "addc.cc.u32")
OF_TWO_WORDS(addc, "addc.u32")
OF_TWO_WORDS(sub_cc, "sub.cc.u32")
OF_TWO_WORDS(subc_cc, "subc.cc.u32")
__device__ unsigned mad_lo_cc(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ unsigned madc_hi(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

struct Long {
  unsigned word[kWords];
};

__device__ Long sum(const Long& a, const Long& b, unsigned* carry) {
  Long r;
  r.word[0] = add_cc(a.word[0], b.word[0]);
  for (int i = 1; i < kWords; ++i)
    r.word[i] = addc_cc(a.word[i], b.word[i]);
  *carry = addc(0, 0);
  return r;
}
__device__ Long difference(const Long& a, const Long& b) {
  Long r;
  r.word[0] = sub_cc(a.word[0], b.word[0]);
  for (int i = 1; i < kWords; ++i)
    r.word[i] = subc_cc(a.word[i], b.word[i]);
  return r;
}

__global__ void kernel(int rounds, unsigned* wrong) {
  unsigned state = 1 + threadIdx.x + blockIdx.x * blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    Long a, b;
    unsigned long long plain = 0;
    bool right = true;
    for (int i = 0; i < kWords; ++i) {
      a.word[i] = state = state * 1664525 + 1013904223;
      b.word[i] = state & 0x10000 ? ~a.word[i] : (state = state * 1664525 + 1013904223);
    }
    unsigned carry;
    const Long c = sum(a, b, &carry), d = difference(c, b);
    for (int i = 0; i < kWords; ++i) {
      plain += (unsigned long long)a.word[i] + b.word[i];
      right = right && c.word[i] == (unsigned)plain && d.word[i] == a.word[i];
      plain >>= 32;
    }
    right = right && carry == plain;
    // A product of 64 bits and a third number.
    const unsigned low = mad_lo_cc(a.word[0], b.word[0], a.word[1]);
    const unsigned high = madc_hi(a.word[0], b.word[0], 0);
    const unsigned long long product = (unsigned long long)a.word[0] * b.word[0] + a.word[1];
    right = right && low == (unsigned)product && high == product >> 32;
    if (!right) atomicAdd(wrong, 1);
  }
}

int main() {
  unsigned* wrong;
  CHECK_OK(cudaMallocManaged(&wrong, sizeof *wrong));
  *wrong = 0;
  kernel<<<4, 64>>>(2000, wrong);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*wrong == 0);
  CHECK_OK(cudaFree(wrong));
  printf("done\n");
}
