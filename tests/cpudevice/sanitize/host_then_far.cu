// A pointer of the host, and later a pointer to no memory at all, in the same line.
// finding: host_device @a
// finding: bad_access @a
#include "launch.h"

__global__ void kernel(const int* in, long step, int* out) {
  for (int i = 0; i < 2; ++i)
    out[0] = in[i * step];  // @a
}

int main() {
  int on_host = 1;
  int* out = zeros<int>(1);
  kernel<<<1, 1>>>(&on_host, 1l << 40, out);
  finish(out);
}
