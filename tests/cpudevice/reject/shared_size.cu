// At most 48 KB of static shared memory, over all variables of a kernel.
// reject: tests/cpudevice/reject/shared_size.cu:@a:
// reject: more than 48 KB of static __shared__ memory
__global__ void k(float* out) {
  __shared__ float a[8192];
  __shared__ float b[4097];  // @a
  *out = a[0] + b[0];
}
int main() {
  k<<<1, 1>>>(nullptr);
}
