// A case of persistent.
//
//   build/cpu/stencil/persistent --n 1000000 --percent 30 --work tail --seed 7
#include "fill_mask.cuh"
#include "problem.h"
#include "stencil.h"

namespace {

// A thread per item. Elements after the last item have one round, so work changes their values.
__global__ void fill_lengths_kernel(unsigned capacity, unsigned count, Lengths lengths,
                                    uint64_t seed, int* rounds) {
  const unsigned i = blockIdx.x * kFillBlock + threadIdx.x;
  if (i < capacity) rounds[i] = i < count ? rounds_of(lengths, seed, i, count) : 1;
}

class PersistentProblem : public Problem {
 public:
  explicit PersistentProblem(const LengthsCase& options)
      : case_(options),
        count_(1),
        rounds_(options.capacity),
        values_(options.capacity),
        workspace_(static_cast<size_t>(options.capacity) + 4096) {}

  void prepare(uint64_t seed) override {
    values_.poison();
    workspace_.reset();
    fill_values(case_.capacity, seed, values_.data());
    CUDA_CHECK(cudaMemcpy(count_.data(), &case_.count, sizeof(int), cudaMemcpyHostToDevice));
    if (case_.capacity == 0) return;
    fill_lengths_kernel<<<ceil_div(case_.capacity, kFillBlock), kFillBlock>>>(
        case_.capacity, case_.count, case_.lengths, length_seed(seed), rounds_.data());
    CUDA_CHECK(cudaGetLastError());
  }
  void call() override {
    persistent(case_.capacity, count_.data(), rounds_.data(), values_.data(), workspace_);
  }
  std::vector<ConstRegion> inputs() override {
    return {{"count", {count_.data(), count_.bytes()}},
            {"rounds", {rounds_.data(), rounds_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {values_.region()}; }
  // Each item's rounds are read, and its value is read and written.
  double bytes_moved() const override { return 12.0 * case_.count; }

 private:
  LengthsCase case_;
  DeviceArray<int> count_;
  DeviceArray<int> rounds_;
  GuardedDeviceArray<unsigned> values_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<PersistentProblem>(LengthsCase(options));
}
