// verdict: =ok case=2^20 speed=0..1
// A move-only class template of buffers, std::exchange, std::unique_ptr with a deleter.
#include <memory>
#include <utility>
#include "cuda_check.h"
#include "saxpy.h"
namespace {
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t n) : n_(n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(T))); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), n_(other.n_) {}
  ~Buffer() { cudaFree(data_); }
  T* get() const { return data_; }
  Buffer& operator<<(const T* host) {
    CUDA_CHECK(cudaMemcpy(data_, host, n_ * sizeof(T), cudaMemcpyHostToDevice));
    return *this;
  }
  const Buffer& operator>>(T* host) const {
    CUDA_CHECK(cudaMemcpy(host, data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return *this;
  }

 private:
  T* data_ = nullptr;
  size_t n_;
};
struct Gone {
  void operator()(CUevent_st* e) const { cudaEventDestroy(e); }
};
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}
Buffer<float> filled(const float* host, int n) {
  Buffer<float> b(n);
  b << host;
  return b;
}
}  // namespace
void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  Buffer<float> dx = filled(x, n), dy = filled(y, n), dr(n);
  cudaEvent_t raw;
  CUDA_CHECK(cudaEventCreateWithFlags(&raw, cudaEventDisableTiming));
  std::unique_ptr<CUevent_st, Gone> event(raw);
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, scale, dx.get(), dy.get(), dr.get());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(event.get()));
  CUDA_CHECK(cudaEventSynchronize(event.get()));
  dr >> result;
}
