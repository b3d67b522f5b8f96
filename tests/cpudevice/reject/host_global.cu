// A kernel cannot use a global variable of the host.
// needs: clang
// reject: tests/cpudevice/reject/host_global.cu:@a:
int counter;
__global__ void k(int* out) {
  *out = counter;  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
