// verdict: =crash,host_device,cuda_error,wrong
// A string of the C++ library is made of device memory.
#include "saxpy.h"

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
  const std::string bytes(reinterpret_cast<const char*>(x), n * sizeof(float));
  answer.assign(reinterpret_cast<const float*>(bytes.data()),
                reinterpret_cast<const float*>(bytes.data()) + n);
  CUDA_CHECK(cudaMemcpy(result, answer.data(), n * sizeof(float), cudaMemcpyHostToDevice));
}
