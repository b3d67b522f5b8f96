// A kernel returns nothing.
// reject: tests/cpudevice/reject/non_void.cu:@a:
__global__ int k() {  // @a
  return 1;
}
int main() {
  k<<<1, 1>>>();
}
