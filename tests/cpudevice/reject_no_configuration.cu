// A kernel needs a configuration.
// needs: clang
// reject: tests/cpudevice/reject_no_configuration.cu:@a:
__global__ void k() {}
int main() {
  k();  // @a
}
