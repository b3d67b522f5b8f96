// Inline PTX is refused with a sentence.
// flags: --no-check
// reject: tests/cpudevice/reject/ptx.cu:@a: error: the CPU device cannot run inline PTX assembly
__global__ void k(unsigned* out) {
  asm("bfind.u32 %0, 5;" : "=r"(*out));  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
