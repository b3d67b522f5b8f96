// verdict: =forbidden
// A buffer of the C++ library moves the numbers, in code that is already compiled.
#include <strstream>

#include "cuda_check.h"
#include "saxpy.h"

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  std::strstream buffer;
  buffer.write(reinterpret_cast<const char*>(&scale), sizeof scale);
  buffer.read(reinterpret_cast<char*>(&scale), sizeof scale);
  CUDA_CHECK(cudaMemcpy(result, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
}
