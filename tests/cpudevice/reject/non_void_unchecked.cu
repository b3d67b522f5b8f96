// A kernel returns nothing, which the translator knows too.
// flags: --no-check
// reject: tests/cpudevice/reject/non_void_unchecked.cu:@a: error: kernel 'k' must return void
__global__ int k() {  // @a
  return 1;
}
int main() {
  k<<<1, 1>>>();
}
