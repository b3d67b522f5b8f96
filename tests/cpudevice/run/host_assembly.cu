// Assembly of the host in a .cu file, with names of registers.
// expect: 1 7
#include <cstdio>

int exchange(int* place, int value) {
#ifdef __x86_64__
  int old;
  asm volatile(
      "movl %2, %%eax\n\t"
      "xchg %%eax, %0\n\t"
      "movl %%eax, %1\n\t"
      : "+m"(*place), "=r"(old)
      : "r"(value)
      : "%eax", "memory");
  return old;
#else
  const int old = *place;
  *place = value;
  return old;
#endif
}

int main() {
  int place = 1;
  const int old = exchange(&place, 7);
  printf("%d %d\n", old, place);
}
