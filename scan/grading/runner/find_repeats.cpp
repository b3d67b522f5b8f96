// A case of find_repeats.
//
//   build/cpu/scan/find_repeats --n 1000000 --seed 7
//   --values 10  inputs lie in [0, 10): 1 in 10 is a repeat; 0: all 32 bits; 1: zeros only
//   --offset 1   both arrays begin 1 int behind an address for every vector type
#include "fill.h"
#include "input.h"
#include "problem.h"
#include "scan.h"

namespace {

class FindRepeatsProblem : public Problem {
 public:
  FindRepeatsProblem(int n, unsigned values, size_t offset)
      : n_(n),
        values_(values),
        memory_(offset + n),
        input_(memory_.data() + offset),
        count_(1),
        output_(n, offset),
        workspace_(workspace_bytes(n)) {}

  void prepare(uint64_t seed) override {
    fill_random(input_, n_, input_seed(seed), values_);
    count_.poison();
    output_.poison();
    workspace_.reset();
  }
  void call() override { *count_.data() = find_repeats(input_, n_, output_.data(), workspace_); }
  std::vector<ConstRegion> inputs() override { return {{"input", {input_, n_ * sizeof(int)}}}; }
  std::vector<Region> outputs() override { return {count_.region(), output_.region()}; }
  // A read per element, and a write for each expected repeat.
  double bytes_moved() const override { return 4.0 * n_ + (values_ ? 4.0 * n_ / values_ : 0); }

 private:
  int n_;
  unsigned values_;
  DeviceArray<int> memory_;
  int* input_;
  GuardedHostArray<int> count_;
  GuardedDeviceArray<int> output_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<FindRepeatsProblem>(options.count("n", kDefaultSize),
                                              options.count("values", kDefaultValues),
                                              options.count("offset", 0));
}
