// verdict: =crash,host_device,cuda_error,wrong
// A buffer of the C++ library lies in device memory.
#include "saxpy.h"

#include <sstream>
#include <string>
#include <vector>

#include "cuda_check.h"

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  std::vector<float> answer(n), other(n);
  CUDA_CHECK(cudaMemcpy(answer.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(other.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    answer[i] = scale * answer[i] + other[i];
  std::stringbuf buffer;
  buffer.pubsetbuf(reinterpret_cast<char*>(result), n * sizeof(float));
  buffer.sputn(reinterpret_cast<const char*>(answer.data()), n * sizeof(float));
}
