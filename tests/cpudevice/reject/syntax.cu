// The compiler's own error, at the student's line.
// flags: --no-check
// reject: tests/cpudevice/reject/syntax.cu:@a:
__global__ void k(int* out) {
  __shared__ int a[32];

  out[0] = a[0] + undeclared;  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
