// A case of merge_sort: random or structured keys, values all different.
//
//   build/cpu/sort/merge_sort --n 1000000 --input few --seed 7
#include "fill.h"
#include "input.h"
#include "problem.h"
#include "sort.h"

namespace {

class MergeSortProblem : public Problem {
 public:
  MergeSortProblem(int n, Input input)
      : n_(n), input_(input), keys_(n), values_(n), workspace_(workspace_bytes(n)) {}

  void prepare(uint64_t seed) override {
    keys_.poison();
    values_.poison();
    if (input_ == Input::kRandom) {
      fill_random_bits(keys_.data(), n_, key_seed(seed));
    } else {
      std::vector<unsigned> keys(n_);
      for (int i = 0; i < n_; ++i)
        keys[i] = number_of(input_, seed, n_, i);
      CUDA_CHECK(cudaMemcpy(keys_.data(), keys.data(), n_ * sizeof(unsigned), cudaMemcpyDefault));
    }
    fill_sequence(values_.data(), n_, value_factor(seed), value_offset(seed));
    workspace_.reset();
  }
  void call() override { merge_sort(keys_.data(), values_.data(), n_, workspace_); }
  std::vector<Region> outputs() override { return {keys_.region(), values_.region()}; }
  // Each pair is read once and written once.
  double bytes_moved() const override { return 16.0 * n_; }

 private:
  int n_;
  Input input_;
  GuardedDeviceArray<unsigned> keys_;
  GuardedDeviceArray<unsigned> values_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<MergeSortProblem>(options.count("n", kDefaultSize), input_of(options));
}
