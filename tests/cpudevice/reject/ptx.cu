// Inline PTX that the CPU device does not know is refused with a sentence that names it.
// flags: --no-check
// reject: tests/cpudevice/reject/ptx.cu:@a: error: the CPU device does not know the assembly 'tcgen05.ld.sync.aligned'
__global__ void k(unsigned* out) {
  asm("mov.u32 %0, 5; tcgen05.ld.sync.aligned;" : "=r"(*out));  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
