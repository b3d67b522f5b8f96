// Switches from one stack to another.
//
// A switch takes a few instructions, inlined into the kernel: the compiler saves only the registers
// in use, and since no call or return stands between two threads, the processor's prediction of
// return addresses stays right.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudacpu {

// Where a computation was interrupted: the stack pointer, with everything else saved on the stack.
using StackPointer = void*;

// The two words at a StackPointer: the caller's frame pointer and the address where the caller
// continues. The instructions that load and store pairs of registers determine the words' order.
#if defined(__x86_64__)
constexpr size_t kAddressWord = 0, kFrameWord = 1;
#elif defined(__aarch64__)
constexpr size_t kFrameWord = 0, kAddressWord = 1;
#else
#error "the CPU device knows x86-64 and arm64"
#endif

// The additional registers of a program compiled for AVX-512.
#if defined(__AVX512F__)
#define CUDACPU_MORE_REGISTERS                                                                  \
  "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",     \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
      "k7",
#else
#define CUDACPU_MORE_REGISTERS
#endif

// Saves the current state in *save and continues with `to`; does nothing if `to` is null. The
// branch is hidden from the compiler, which could copy or merge a visible branch, so that a profile
// would count the branch as the program's. Nor does the compiler know that memory changes: see
// switch_stack().
inline __attribute__((always_inline)) void switch_registers(StackPointer* save, StackPointer to) {
#if defined(__x86_64__)
  // A function that waits also calls the run-time library; only a function that calls nothing may
  // keep data below the stack pointer.
  asm volatile(
      "testq %1, %1\n\t"
      "jz 2f\n\t"
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n"
      "2:\n\t"
      : "+D"(save), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", CUDACPU_MORE_REGISTERS "cc");
#else
  // The list of clobbered registers may not name x29, the frame pointer. x30, the return address,
  // is 0 where a stack begins, so unwinding ends there.
  register StackPointer* saved asm("x0") = save;
  register StackPointer next asm("x1") = to;
  asm volatile(
      "cbz %1, 1f\n\t"
      "adr x16, 1f\n\t"
      "stp x29, x16, [sp, #-16]!\n\t"
      "mov x17, sp\n\t"
      "str x17, [%0]\n\t"
      "mov sp, %1\n\t"
      "ldp x29, x16, [sp], #16\n\t"
      "mov x30, xzr\n\t"
      "br x16\n"
      "1:\n\t"
      : "+r"(saved), "+r"(next)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
        "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
        "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
        "v26", "v27", "v28", "v29", "v30", "v31", "cc");
#endif
}

// switch_registers() for code that uses memory before and after, without calls between.
inline __attribute__((always_inline)) void switch_stack(StackPointer* save, StackPointer to) {
  asm volatile("" : : : "memory");
  switch_registers(save, to);
  asm volatile("" : : : "memory");
}

}  // namespace cudacpu
