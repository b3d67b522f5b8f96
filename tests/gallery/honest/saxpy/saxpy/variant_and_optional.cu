// verdict: =ok
// std::variant of two launchers, std::optional, std::visit and a structured binding on the host.
#include <optional>
#include <tuple>
#include <variant>
#include "cuda_check.h"
#include "saxpy.h"
namespace {
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}
struct Small {
  int threads;
};
struct Large {
  int threads;
};
std::optional<std::variant<Small, Large>> choose(int n) {
  if (n == 0) return std::nullopt;
  if (n < 1000) return Small{64};
  return Large{256};
}
}  // namespace
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (const auto choice = choose(n); choice) {
    const auto [blocks, threads] = std::visit(
        [&](auto one) { return std::make_tuple(ceil_div(n, one.threads), one.threads); }, *choice);
    saxpy_kernel<<<blocks, threads>>>(n, scale, x, y, result);
    CUDA_CHECK(cudaGetLastError());
  }
}
