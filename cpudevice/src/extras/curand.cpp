// cuRAND's host interface: arrays of pseudo-random numbers, made on the host.
#define __CUDACC__ 1  // for what curand_kernel.h has for kernels
#include "curand.h"

#include <vector>

#include "base/call.h"
#include "base/handles.h"
#include "curand_kernel.h"

struct curandGenerator_st {
  bool on_host;
  unsigned long long seed, offset;
  cudaStream_t stream;
};

namespace {

cudacpu::Handles<curandGenerator_st>& generators() {
  static auto* handles = new cudacpu::Handles<curandGenerator_st>;
  return *handles;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (!generator || type >= CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
  *generator = generators().add({on_host, 0, 0, nullptr});
  return CURAND_STATUS_SUCCESS;
}

// Calls `numbers(state)` `count` times; the next call continues after the numbers that it took.
template <typename T, typename Numbers>
curandStatus_t fill(curandGenerator_t g, T* out, size_t count, Numbers numbers) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  curandStatePhilox4_32_10_t state;
  curand_init(g->seed, 0, g->offset, &state);
  std::vector<T> made(count);
  for (T& value : made)
    value = numbers(&state);
  g->offset += count * (sizeof(T) / sizeof(unsigned));
  const auto kind = g->on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  const cudaError_t error = cudaMemcpyAsync(out, made.data(), count * sizeof(T), kind, g->stream);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

using State = curandStatePhilox4_32_10_t;

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  return generators().remove(g) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  g->seed = seed;
  g->offset = 0;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* out, size_t count) {
  return fill(g, out, count, [](State* state) { return curand(state); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t count) {
  return fill(g, out, count, [](State* state) { return curand_uniform(state); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t count) {
  return fill(g, out, count, [](State* state) { return curand_uniform_double(state); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t count, float mean,
                                    float deviation) {
  return fill(g, out, count, [=](State* state) { return mean + deviation * curand_normal(state); });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t count,
                                          double mean, double deviation) {
  return fill(g, out, count,
              [=](State* state) { return mean + deviation * curand_normal_double(state); });
}
