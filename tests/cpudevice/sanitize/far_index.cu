// An index far below zero: the address is no memory at all, and not the host's.
// finding: bad_access @a
// said: writes 4 bytes at an address without memory: is the index negative or too large
// said: wrote to a host address, which is in no allocation
#include "launch.h"

__global__ void kernel(int* out, int shift) {
  out[static_cast<int>(threadIdx.x) - shift] = 1;  // @a
}

int main() {
  int* out = zeros<int>(32);
  kernel<<<1, 32>>>(out, 100'000'000);
  finish(out);
}
