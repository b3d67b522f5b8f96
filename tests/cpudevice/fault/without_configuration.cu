// Without the check by Clang, a kernel called like a function says so when it runs.
// flags: --no-check
// expect: error cudaErrorInvalidConfiguration
// stderr: kernel lonely (tests/cpudevice/fault/without_configuration.cu:@a) was called without <<<grid, block>>>
#include <cstdio>

__global__ void lonely() {  // @a
  printf("never\n");
}

int main() {
  lonely();
  printf("error %s\n", cudaGetErrorName(cudaGetLastError()));
}
