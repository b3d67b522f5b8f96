// A kernel needs a configuration.
// needs: clang
// reject: tests/cpudevice/reject/no_configuration.cu:@a:
__global__ void k() {}
int main() {
  k();  // @a
}
