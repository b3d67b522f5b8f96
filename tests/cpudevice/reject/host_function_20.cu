// A kernel cannot call a function of the host, in newer standards either.
// needs: clang
// flags: -std=c++20
// reject: tests/cpudevice/reject/host_function_20.cu:@a:
// reject: host_only
#include <vector>
int host_only(int x) {
  return x;
}
__global__ void k(int* out) {
  *out = host_only(1);  // @a
}
int main() {
  k<<<{1, 1}, 1>>>(nullptr);
}
