// How long a rung of card takes, and what the calls around the kernel take: card_gpu.py builds the
// program with each.
//
//   card_time [--size 512] [--samples 64]
//
// Prints {"render_ms": …, "cudaMalloc_us": …, "cudaMemcpy_us": …, "cudaFree_us": …}: medians of
// kCalls calls of render_card() by the GPU's clock, and, by the host's, of what a separate
// program does before and after: allocate the image, copy the image to the host, free the image.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "card.h"
#include "card_case.h"
#include "cuda_check.h"
#include "device_array.h"
#include "gpu_time.h"
#include "options.h"
#include "workspace.h"

namespace {

constexpr int kCalls = 21;
constexpr uint64_t kSeed = 7;

// The time that `call` takes on the host, in microseconds.
template <class Call>
double time_on_host(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::micro>(stop - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(std::vector<std::string>(argv + 1, argv + argc));
  const CardScene scene = card_case(options, kSeed);
  options.require_all_used();
  const size_t bytes = sizeof(float4) * scene.width * scene.height;
  std::vector<float4> on_host(static_cast<size_t>(scene.width) * scene.height);
  Workspace workspace(card_workspace_bytes(scene));
  std::vector<double> render, allocate, copy, release;
  for (int call = 0; call < kCalls; ++call) {
    float4* image = nullptr;
    workspace.reset();
    allocate.push_back(time_on_host([&] { CUDA_CHECK(cudaMalloc(&image, bytes)); }));
    render.push_back(gpu_time_ms([&] { render_card(scene, image, workspace); }));
    copy.push_back(time_on_host(
        [&] { CUDA_CHECK(cudaMemcpy(on_host.data(), image, bytes, cudaMemcpyDeviceToHost)); }));
    release.push_back(time_on_host([&] { CUDA_CHECK(cudaFree(image)); }));
  }
  std::printf(
      "{\"render_ms\": %.4f, \"cudaMalloc_us\": %.1f, \"cudaMemcpy_us\": %.1f, \"cudaFree_us\": "
      "%.1f, \"first_cudaMalloc_us\": %.1f}\n",
      median(render), median(allocate), median(copy), median(release), allocate.front());
}
