// At most 64 KiB in a __constant__ variable, as nvcc has it.
// reject: tests/cpudevice/reject/constant_size.cu:@a:
// reject: the __constant__ variable scratch is larger than the 64 KiB of constant memory
__constant__ float scratch[1 << 22];  // @a
__global__ void k(float* out) {
  *out = scratch[0];
}
int main() {
  k<<<1, 1>>>(nullptr);
}
