// A case of saxpy on device memory.
//
//   build/cpu/saxpy/saxpy --n 1000000 --seed 7
//   --offset 1   all three arrays begin 1 float behind an address for every vector type
//   --skew 1     y begins 1 float and result 2 floats further behind than x
#include "saxpy.h"

#include "fill.h"
#include "input.h"
#include "problem.h"

namespace {

class SaxpyProblem : public Problem {
 public:
  SaxpyProblem(int n, size_t offset, size_t skew)
      : n_(n),
        x_memory_(offset + n),
        y_memory_(offset + skew + n),
        x_(x_memory_.data() + offset),
        y_(y_memory_.data() + offset + skew),
        result_(n, offset + 2 * skew) {}

  void prepare(uint64_t seed) override {
    scale_ = scale_of(seed);
    fill_random(x_, n_, x_seed(seed));
    fill_random(y_, n_, y_seed(seed));
    result_.poison();
  }
  void call() override { saxpy(n_, scale_, x_, y_, result_.data()); }
  std::vector<ConstRegion> inputs() override {
    const size_t bytes = n_ * sizeof(float);
    return {{"x", {x_, bytes}}, {"y", {y_, bytes}}};
  }
  std::vector<Region> outputs() override { return {result_.region()}; }
  // Two reads and a write of a float per element.
  double bytes_moved() const override { return 12.0 * n_; }

 private:
  int n_;
  float scale_ = 0;
  DeviceArray<float> x_memory_;
  DeviceArray<float> y_memory_;
  float* x_;
  float* y_;
  GuardedDeviceArray<float> result_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<SaxpyProblem>(options.count("n", kDefaultSize),
                                        options.count("offset", 0), options.count("skew", 0));
}
