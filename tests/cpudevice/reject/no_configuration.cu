// A kernel needs a configuration.
// needs: clang
// reject: tests/cpudevice/reject/no_configuration.cu:@a:
// reject: a kernel is launched by k<<<blocks, threads>>>(...)
__global__ void k() {}
int main() {
  k();  // @a
}
