// Leaving one stack for another.
//
// On x86-64 in a few instructions, inlined into the kernel: the compiler saves only the registers
// that are in use, and since no call or return stands between two threads, the processor's
// prediction of return addresses stays right. Elsewhere, or with -DCUDACPU_BOOST_CONTEXT, by
// Boost.Context.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) && !defined(CUDACPU_BOOST_CONTEXT)
#define CUDACPU_BOOST_CONTEXT
#endif

namespace cudacpu {

// Where a computation was interrupted: its stack pointer, with everything else saved on that stack.
using StackPointer = void*;

#ifdef CUDACPU_BOOST_CONTEXT

// Saves the current state in *save and continues with `to`.
void switch_stack(StackPointer* save, StackPointer to);

#else

inline __attribute__((always_inline)) void switch_stack(StackPointer* save, StackPointer to) {
  // A function that waits also calls the run-time library; only a function that calls nothing may
  // keep data below the stack pointer.
  asm volatile(
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      : "+D"(save), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}

#endif

}  // namespace cudacpu
