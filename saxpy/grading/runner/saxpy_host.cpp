// A case of saxpy on host memory, and the limit of the link between host and device.
//
//   build/cpu/saxpy/saxpy_host --n 1000000 --seed 7
#include <algorithm>

#include "fill.h"
#include "input.h"
#include "problem.h"
#include "saxpy.h"

namespace {

// The time in ms that the link takes per element: 8 bytes to the device and 4 bytes to the host at
// the same time, from pinned memory, the best of several tries. Measured once per process; 0 on
// the CPU device, which has no link.
double link_ms_per_element() {
#ifdef __CUDACPU__
  return 0;
#else
  constexpr size_t kElements = 1 << 24;
  constexpr size_t kUp = 2 * kElements * sizeof(float);
  constexpr size_t kDown = kElements * sizeof(float);
  DeviceArray<char> device(kUp + kDown);
  char* host = nullptr;
  CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&host), kUp + kDown));
  // Blocking streams: the events in the default stream wait for both copies.
  cudaStream_t up;
  cudaStream_t down;
  cudaEvent_t start;
  cudaEvent_t stop;
  CUDA_CHECK(cudaStreamCreate(&up));
  CUDA_CHECK(cudaStreamCreate(&down));
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  float best_ms = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    CUDA_CHECK(cudaEventRecord(start));
    CUDA_CHECK(cudaMemcpyAsync(device.data(), host, kUp, cudaMemcpyHostToDevice, up));
    CUDA_CHECK(
        cudaMemcpyAsync(host + kUp, device.data() + kUp, kDown, cudaMemcpyDeviceToHost, down));
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    best_ms = repeat == 0 ? ms : std::min(best_ms, ms);
  }
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaStreamDestroy(up));
  CUDA_CHECK(cudaStreamDestroy(down));
  CUDA_CHECK(cudaFreeHost(host));
  return static_cast<double>(best_ms) / kElements;
#endif
}

class SaxpyHostProblem : public Problem {
 public:
  explicit SaxpyHostProblem(int n) : n_(n), x_(n), y_(n), result_(n) {}

  void prepare(uint64_t seed) override {
    scale_ = scale_of(seed);
    fill(x_, x_seed(seed));
    fill(y_, y_seed(seed));
    prepare_again(seed);
  }
  void prepare_again(uint64_t) override { result_.poison(); }
  void call() override { saxpy_host(n_, scale_, x_.data(), y_.data(), result_.data()); }
  std::vector<ConstRegion> inputs() override {
    const size_t bytes = n_ * sizeof(float);
    return {{"x", {x_.data(), bytes}}, {"y", {y_.data(), bytes}}};
  }
  std::vector<Region> outputs() override { return {result_.region()}; }
  // Per element, two floats cross the link to the device, and a float crosses to the host.
  double bytes_moved() const override { return 12.0 * n_; }
  double limit_ms() override {
    static const double ms_per_element = link_ms_per_element();
    return ms_per_element * n_;
  }

 private:
  // The inputs are made on the device, which is much faster than one host thread, and copied.
  static void fill(std::vector<float>& array, uint64_t seed) {
    DeviceArray<float> device(array.size());
    fill_random(device.data(), device.size(), seed);
    CUDA_CHECK(cudaMemcpy(array.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost));
  }

  int n_;
  float scale_ = 0;
  std::vector<float> x_;
  std::vector<float> y_;
  GuardedHostArray<float> result_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<SaxpyHostProblem>(options.count("n", kDefaultSize));
}
