// A kernel cannot use std::vector.
// needs: clang
// reject: tests/cpudevice/reject/vector.cu:@a:
#include <vector>
__global__ void k() {
  std::vector<int> v;  // @a
  v.push_back(1);
}
int main() {
  k<<<1, 1>>>();
}
