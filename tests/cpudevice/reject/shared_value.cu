// A __shared__ variable has no initial value.
// flags: --no-check
// reject: tests/cpudevice/reject/shared_value.cu:@a: error: a __shared__ variable cannot have an initial value
__global__ void k(int* out) {
  __shared__ int a = 1;  // @a
  *out = a;
}
int main() {
  k<<<1, 1>>>(nullptr);
}
