// A case of the stencil test.
//
//   build/cpu/stencil/stencil_test --n 1000000 --mask blocked --percent 10 --rounds 128 --seed 7
#include "fill_mask.cuh"
#include "problem.h"
#include "stencil.h"

namespace {

// Device memory as a one-dimensional texture, read element by element; 0 if it is empty.
class LinearTexture {
 public:
  LinearTexture(unsigned* data, size_t bytes) {
    if (bytes == 0) return;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
  }
  LinearTexture(const LinearTexture&) = delete;
  LinearTexture& operator=(const LinearTexture&) = delete;
  ~LinearTexture() {
    if (object_) cudaDestroyTextureObject(object_);
  }

  cudaTextureObject_t object() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};

class StencilTestProblem : public Problem {
 public:
  explicit StencilTestProblem(const MaskedCase& options)
      : case_(options),
        flags_(options.n),
        bytes_(options.n),
        words_(ceil_div(options.n, 32)),
        texture_(words_.data(), words_.bytes()),
        values_(options.n),
        workspace_(4 * static_cast<size_t>(options.n) + 4096) {}

  void prepare(uint64_t seed) override {
    values_.poison();
    workspace_.reset();
    fill_mask(case_, seed, flags_.data(), bytes_.data(), words_.data());
    fill_values(case_.n, seed, values_.data());
  }
  void call() override {
    const Stencil active = {flags_.data(), bytes_.data(), words_.data(), texture_.object()};
    stencil_test(case_.n, active, case_.rounds, values_.data(), workspace_);
  }
  std::vector<ConstRegion> inputs() override {
    return {{"active.flags", {flags_.data(), flags_.bytes()}},
            {"active.bytes", {bytes_.data(), bytes_.bytes()}},
            {"active.words", {words_.data(), words_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {values_.region()}; }
  double bytes_moved() const override { return case_.bytes_moved(); }

 private:
  MaskedCase case_;
  DeviceArray<int> flags_;
  DeviceArray<unsigned char> bytes_;
  DeviceArray<unsigned> words_;
  LinearTexture texture_;
  GuardedDeviceArray<unsigned> values_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  return std::make_unique<StencilTestProblem>(MaskedCase(options));
}
