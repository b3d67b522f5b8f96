// A case of exclusive_scan.
//
//   build/cpu/scan/exclusive_scan --n 1000000 --seed 7
//   --values 10  inputs lie in [0, 10); 0: all 32 bits, sums wrap around; 1: zeros only
//   --offset 1   both arrays begin 1 int behind an address for every vector type
#include "fill.h"
#include "input.h"
#include "problem.h"
#include "scan.h"

namespace {

class ExclusiveScanProblem : public Problem {
 public:
  ExclusiveScanProblem(int n, unsigned values, size_t offset)
      : n_(n),
        values_(values),
        memory_(offset + n),
        input_(memory_.data() + offset),
        result_(n, offset),
        workspace_(workspace_bytes(n)) {}

  void prepare(uint64_t seed) override {
    fill_random(input_, n_, input_seed(seed), values_);
    result_.poison();
    workspace_.reset();
  }
  void call() override { exclusive_scan(input_, n_, result_.data(), workspace_); }
  std::vector<ConstRegion> inputs() override { return {{"input", {input_, n_ * sizeof(int)}}}; }
  std::vector<Region> outputs() override { return {result_.region()}; }
  // A read and a write of an int per element.
  double bytes_moved() const override { return 8.0 * n_; }

 private:
  int n_;
  unsigned values_;
  DeviceArray<int> memory_;
  int* input_;
  GuardedDeviceArray<int> result_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<ExclusiveScanProblem>(options.count("n", kDefaultSize),
                                                options.count("values", kDefaultValues),
                                                options.count("offset", 0));
}
