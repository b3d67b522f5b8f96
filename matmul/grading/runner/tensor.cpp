// Makes two random matrices of bf16 numbers and calls the student's tensor().
//
//   build/cpu/matmul/tensor --m 100 --n 33 --k 64 --seed 7
#include "fill.h"
#include "matmul.h"
#include "peak.h"
#include "problem.h"
#include "random.h"

namespace {

class TensorProblem : public Problem {
 public:
  TensorProblem(int m, int n, int k)
      : m_(m), n_(n), k_(k), a_(size(m, k)), b_(size(k, n)), c_(size(m, n)) {}

  void prepare(uint64_t seed) override {
    fill_random(a_.data(), a_.size(), stream_seed(seed, 0));
    fill_random(b_.data(), b_.size(), stream_seed(seed, 1));
    c_.poison();
  }
  void call() override { tensor(m_, n_, k_, a_.data(), b_.data(), c_.data()); }
  std::vector<ConstRegion> inputs() override {
    return {{"a", {a_.data(), a_.bytes()}}, {"b", {b_.data(), b_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {c_.region()}; }
  // Each matrix once.
  double bytes_moved() const override {
    return 1.0 * a_.bytes() + b_.bytes() + sizeof(float) * c_.size();
  }
  double limit_ms() override { return peak_ms(Unit::kTensorCores, 1.0 * m_ * n_ * k_); }
  const char* limit() const override { return "peak"; }

 private:
  static size_t size(int rows, int cols) { return static_cast<size_t>(rows) * cols; }

  int m_;
  int n_;
  int k_;
  DeviceArray<__nv_bfloat16> a_;
  DeviceArray<__nv_bfloat16> b_;
  GuardedDeviceArray<float> c_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<TensorProblem>(options.count("m", 256), options.count("n", 256),
                                         options.count("k", 256));
}
