// cuRAND's host interface: arrays of pseudo-random and quasi-random numbers, made on the host.
#define __CUDACC__ 1  // for what curand_kernel.h has for kernels
#include "curand.h"

#include <vector>

#include "common/core.h"
#include "curand/sobol.h"
#include "curand_kernel.h"

struct curandGenerator_st {
  bool on_host;
  curandRngType_t type;
  unsigned long long seed, offset;
  cudaStream_t stream;
  unsigned dimensions;

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
};

namespace {

cudacpu::Handles<curandGenerator_st>& generators() {
  static auto* handles = new cudacpu::Handles<curandGenerator_st>;
  return *handles;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  if (type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) {
    cudacpu::explain("curandCreateGenerator: the CPU device has no scrambled Sobol sequences");
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!generator || type > CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  *generator = generators().add({on_host, type, 0, 0, nullptr, 1});
  return CURAND_STATUS_SUCCESS;
}

// All numbers of a dimension come before the numbers of the next dimension.
template <typename State, typename T, typename Vectors, typename Numbers>
void fill_dimensions(const curandGenerator_st& g, std::vector<T>& made, Vectors* vectors,
                     Numbers numbers) {
  const size_t each = made.size() / g.dimensions;
  for (size_t i = 0; i < made.size(); ++i) {
    static thread_local State state;
    if (i % each == 0) curand_init(vectors[i / each], g.offset, &state);
    made[i] = numbers(&state);
  }
}

// Calls `numbers(state)` `count` times; the next call continues after the used numbers.
template <typename T, typename Numbers>
curandStatus_t fill(curandGenerator_t g, T* out, size_t count, Numbers numbers) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  std::vector<T> made(count);
  if (g->is_quasi()) {
    if (count % g->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (g->type == CURAND_RNG_QUASI_SOBOL64) {
      fill_dimensions<curandStateSobol64_t>(*g, made, cudacpu::sobol_directions_64(), numbers);
    } else {
      fill_dimensions<curandStateSobol32_t>(*g, made, cudacpu::sobol_directions_32(), numbers);
    }
    g->offset += count / g->dimensions;
  } else {
    curandStatePhilox4_32_10_t state;
    curand_init(g->seed, 0, g->offset, &state);
    for (T& value : made)
      value = numbers(&state);
    g->offset += count * (sizeof(T) / sizeof(unsigned));
  }
  const auto kind = g->on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  const cudaError_t error = cudaMemcpyAsync(out, made.data(), count * sizeof(T), kind, g->stream);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

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

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t ordering) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  const bool is_quasi = ordering == CURAND_ORDERING_QUASI_DEFAULT;
  return is_quasi == g->is_quasi() ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  if (!generators().has(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!g->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > cudacpu::kSobolDimensions) {
    cudacpu::explain("curandSetQuasiRandomGeneratorDimensions: the CPU device has %u dimensions",
                     cudacpu::kSobolDimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  g->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = cudacpu::sobol_directions_32();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = cudacpu::sobol_directions_64();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* out, size_t count) {
  if (generators().has(g) && g->type == CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return fill(g, out, count, [](auto* state) { return static_cast<unsigned>(curand(state)); });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* out, size_t count) {
  if (generators().has(g) && g->type != CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return fill(g, out, count, [](auto* state) -> unsigned long long { return curand(state); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t count) {
  return fill(g, out, count, [](auto* state) { return curand_uniform(state); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t count) {
  return fill(g, out, count, [](auto* state) { return curand_uniform_double(state); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t count, float mean,
                                    float deviation) {
  return fill(g, out, count, [=](auto* state) { return mean + deviation * curand_normal(state); });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t count,
                                          double mean, double deviation) {
  return fill(g, out, count,
              [=](auto* state) { return mean + deviation * curand_normal_double(state); });
}
