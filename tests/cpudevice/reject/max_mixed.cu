// max() of a float and an int is ambiguous, as for nvcc.
// reject: tests/cpudevice/reject/max_mixed.cu:@a:
__global__ void k(float* out) {
  *out = max(1.5f, 2);  // @a
}
int main() {
  k<<<1, 1>>>(nullptr);
}
