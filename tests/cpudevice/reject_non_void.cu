// A kernel returns nothing.
// reject: tests/cpudevice/reject_non_void.cu:3:
__global__ int k() {
  return 1;
}
int main() {
  k<<<1, 1>>>();
}
