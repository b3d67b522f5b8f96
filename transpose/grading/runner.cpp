// Makes a random matrix and calls the student's transpose().
//
//   build/cpu/transpose/transpose --rows 1000 --cols 33 --seed 7
#include "fill.h"
#include "problem.h"
#include "random.h"
#include "transpose.h"

namespace {

class TransposeProblem : public Problem {
 public:
  TransposeProblem(int rows, int cols)
      : rows_(rows), cols_(cols), input_(size()), output_(size()) {}

  void prepare(uint64_t seed) override {
    fill_random(input_.data(), input_.size(), stream_seed(seed, 0));
    output_.poison();
  }
  void call() override { transpose(input_.data(), rows_, cols_, output_.data()); }
  std::vector<ConstRegion> inputs() override {
    return {{"input", {input_.data(), input_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {output_.region()}; }
  double bytes_moved() const override { return 2.0 * sizeof(float) * size(); }

 private:
  size_t size() const { return static_cast<size_t>(rows_) * cols_; }

  int rows_;
  int cols_;
  DeviceArray<float> input_;
  GuardedDeviceArray<float> output_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<TransposeProblem>(options.count("rows", 1024),
                                            options.count("cols", 1024));
}
