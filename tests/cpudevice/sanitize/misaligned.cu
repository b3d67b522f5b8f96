// A vector at a misaligned address.
// finding: misaligned @a
#include "launch.h"

__global__ void kernel(float* data) {
  *reinterpret_cast<float4*>(data + 1 + threadIdx.x * 4) = make_float4(1, 2, 3, 4);  // @a
}

int main() {
  float* data = zeros<float>(16);
  kernel<<<1, 2>>>(data);
  finish(data);
}
