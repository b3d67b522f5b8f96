// verdict: =ok speed=0.8..1
// Tuples, structured bindings, an optional and a variant on the host; a binding in the kernel.
#include "saxpy.h"

#include <optional>
#include <tuple>
#include <variant>

#include "cuda_check.h"

namespace {

struct Pair {
  float first, second;
};

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto [a, b] = Pair{x[i], y[i]};
  result[i] = scale * a + b;
}

std::optional<int> block_size(std::variant<int, float> wish) {
  if (const int* wanted = std::get_if<int>(&wish)) return *wanted;
  return std::nullopt;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const auto [threads, shared] = std::make_tuple(block_size(256).value_or(128), size_t{0});
  saxpy_kernel<<<ceil_div(n, threads), threads, shared>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}
