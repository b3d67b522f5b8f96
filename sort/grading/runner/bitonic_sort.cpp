// A case of bitonic_sort: random, structured or special keys.
//
//   build/cpu/sort/bitonic_sort --n 1000000 --input special --seed 7
#include "fill.h"
#include "float_input.h"
#include "problem.h"
#include "sort.h"

namespace {

class BitonicSortProblem : public Problem {
 public:
  BitonicSortProblem(int n, Input input)
      : n_(n), input_(input), keys_(n), indices_(n), workspace_(workspace_bytes(n)) {}

  void prepare(uint64_t seed) override {
    keys_.poison();
    indices_.poison();
    if (input_ == Input::kRandom) {
      fill_random(keys_.data(), n_, key_seed(seed));
    } else {
      std::vector<uint32_t> keys(n_);
      for (int i = 0; i < n_; ++i)
        keys[i] = key_bits(input_, seed, n_, i);
      CUDA_CHECK(cudaMemcpy(keys_.data(), keys.data(), n_ * sizeof(float), cudaMemcpyDefault));
    }
    fill_sequence(indices_.data(), n_, value_factor(seed), value_offset(seed));
    workspace_.reset();
  }
  void call() override { bitonic_sort(keys_.data(), indices_.data(), n_, workspace_); }
  std::vector<Region> outputs() override { return {keys_.region(), indices_.region()}; }
  // Each pair is read once and written once.
  double bytes_moved() const override { return 16.0 * n_; }

 private:
  int n_;
  Input input_;
  GuardedDeviceArray<float> keys_;
  GuardedDeviceArray<unsigned> indices_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<BitonicSortProblem>(options.count("n", kDefaultSize), input_of(options));
}
