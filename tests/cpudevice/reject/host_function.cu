// A kernel cannot call a function of the host.
// needs: clang
// reject: tests/cpudevice/reject/host_function.cu:@a:
// reject: host_only
int host_only(int x) {
  return x;
}
__global__ void k(int* out) {
  *out = host_only(1);  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
