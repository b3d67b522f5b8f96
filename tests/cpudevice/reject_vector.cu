// A kernel cannot use std::vector.
// needs: clang
// reject: tests/cpudevice/reject_vector.cu:6:
#include <vector>
__global__ void k() {
  std::vector<int> v;
  v.push_back(1);
}
int main() {
  k<<<1, 1>>>();
}
