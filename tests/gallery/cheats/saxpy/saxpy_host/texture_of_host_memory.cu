// verdict: =ok case=2^26 cpu-speed=0..0.8 gpu-speed=0..1
// Kernels fetch from a texture on registered memory of the host: the bytes come over the link.
#include "saxpy.h"

#include <cstdlib>
#include <cstring>
#include <thread>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kThreads = 12;

// Calls copy(begin, end) for pieces of n elements, each in another thread.
template <class Copy>
void in_pieces(int n, Copy copy) {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    const auto edge = [&](int piece) { return static_cast<size_t>(n) * piece / kThreads; };
    threads[i] = std::thread(copy, edge(i), edge(i + 1));
  }
  for (std::thread& thread : threads)
    thread.join();
}

// A thread per element; x and then y are in the texture.
__global__ void saxpy_kernel(int n, float scale, cudaTextureObject_t inputs, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * tex1Dfetch<float>(inputs, i) + tex1Dfetch<float>(inputs, n + i);
}

// A texture of floats in linear memory.
cudaTextureObject_t make_texture(float* data, size_t bytes) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  constexpr size_t kPage = 4096;
  static float* host = nullptr;
  static float* device = nullptr;
  static int size = 0;
  const size_t count = n;
  const size_t bytes = count * sizeof(float);
  if (size < n) {
    if (host != nullptr) CUDA_CHECK(cudaHostUnregister(host));
    std::free(host);
    CUDA_CHECK(cudaFree(device));
    const size_t room = ceil_div(2 * bytes, kPage) * kPage;
    host = static_cast<float*>(std::aligned_alloc(kPage, room));
    CUDA_CHECK(cudaHostRegister(host, room, cudaHostRegisterDefault));
    CUDA_CHECK(cudaMalloc(&device, bytes));
    size = n;
  }
  in_pieces(n, [=](size_t begin, size_t end) {
    std::memcpy(host + begin, x + begin, (end - begin) * sizeof(float));
    std::memcpy(host + count + begin, y + begin, (end - begin) * sizeof(float));
  });
  const cudaTextureObject_t inputs = make_texture(host, 2 * bytes);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, inputs, device);
  CUDA_CHECK(cudaMemcpy(result, device, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaDestroyTextureObject(inputs));
}
