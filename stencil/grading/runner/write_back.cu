// A case of the write-back.
//
//   build/cpu/stencil/write_back --n 1000000 --mask random --percent 50 --seed 7
#include "fill_mask.cuh"
#include "problem.h"
#include "stencil.h"

namespace {

class WriteBackProblem : public Problem {
 public:
  explicit WriteBackProblem(const MaskedCase& options)
      : case_(options), words_(ceil_div(options.n, 32)), values_(options.n) {}

  void prepare(uint64_t seed) override {
    words_.poison();
    values_.poison();
    fill_mask(case_, seed, nullptr, nullptr, words_.data());
    fill_values(case_.n, seed, values_.data());
  }
  void call() override { write_back(case_.n, words_.data(), case_.rounds, values_.data()); }
  std::vector<Region> outputs() override { return {words_.region(), values_.region()}; }
  double bytes_moved() const override { return case_.bytes_moved(); }

 private:
  MaskedCase case_;
  GuardedDeviceArray<unsigned> words_;
  GuardedDeviceArray<unsigned> values_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<WriteBackProblem>(MaskedCase(options));
}
