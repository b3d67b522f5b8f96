// What an assembler of the host would take is refused in a lambda of the device as well.
// flags: --no-check
// reject: tests/cpudevice/reject/assembly.cu:@a: error: the CPU device does not know the assembly 'q.a'
template <class F>
__global__ void apply_kernel(F f) {
  f();
}
int main() {
  asm volatile("nop");  // of the host
  auto device = [] __device__() {
    asm volatile("q.a: nop");  // @a
  };
  apply_kernel<<<1, 1>>>(device);
}
