// Makes a random array and calls the student's backwards().
//
//   build/cpu/backwards/backwards --n 1000 --seed 7
#include "backwards.h"
#include "fill.h"
#include "problem.h"
#include "random.h"

namespace {

class BackwardsProblem : public Problem {
 public:
  explicit BackwardsProblem(int n) : n_(n), input_(n), output_(n) {}

  void prepare(uint64_t seed) override {
    fill_random(input_.data(), n_, stream_seed(seed, 0), 0);
    output_.poison();
  }
  void call() override { backwards(input_.data(), n_, output_.data()); }
  std::vector<ConstRegion> inputs() override {
    return {{"input", {input_.data(), input_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {output_.region()}; }
  // A read and a write of an int per element.
  double bytes_moved() const override { return 2.0 * sizeof(int) * n_; }

 private:
  int n_;
  DeviceArray<int> input_;
  GuardedDeviceArray<int> output_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<BackwardsProblem>(options.count("n", 1 << 20));
}
