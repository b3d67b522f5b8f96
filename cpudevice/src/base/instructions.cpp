// Whether the processor has the instructions that a program was compiled for.
#include <unistd.h>

#include <cstdio>

#include "cudacpu/launch.h"

namespace cudacpu {

bool check_instructions() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // the call may come before the compiler's own library initialises the
                         // model
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2")) {
    fprintf(stderr,
            "This program was compiled on a machine whose processor has AVX2 and FMA instructions, "
            "and this one has none; compile it here, or with -Xcompiler -march=x86-64\n");
    _exit(1);
  }
#endif
  return true;
}

}  // namespace cudacpu
