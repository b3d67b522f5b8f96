// Random numbers: Philox's published answers, the rules of offsets and subsequences, and the
// moments of the distributions; Sobol's sequences.
// expect: done
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "../../cpudevice/run/check.h"

// From the known-answer file of Random123, by the authors of the paper.
__global__ void answers_kernel() {
  curandStatePhilox4_32_10_t state;
  curand_init(0, 0, 0, &state);
  CHECK(curand(&state) == 0x6627e8d5 && curand(&state) == 0xe169c58d);
  CHECK(curand(&state) == 0xbc57ac4c && curand(&state) == 0x9b00dbd8);
  // Counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
  curand_init(0x299f31d0a4093822ull, 0x0370734413198a2eull, 0, &state);
  state.counter.y = 0x85a308d3;
  state.counter.x = 0x243f6a88;
  skipahead(0, &state);
  const uint4 four = curand4(&state);
  CHECK(four.x == 0xd16cfe09 && four.y == 0x94fdcceb && four.z == 0x5001e420 &&
        four.w == 0x24126ea1);
}

template <typename State>
__device__ void check_offsets() {
  State a, b, c;
  curand_init(5, 9, 0, &a);
  curand_init(5, 9, 13, &b);
  curand_init(5, 10, 0, &c);
  unsigned value = 0, other = curand(&c);
  bool same = true;
  for (int i = 0; i < 14; ++i) {
    value = curand(&a);
    same &= value == other;
  }
  CHECK(value == curand(&b) && !same);
}
__global__ void offsets_kernel() {
  check_offsets<curandStatePhilox4_32_10_t>();
  check_offsets<curandState>();
}

// The sums of powers of the numbers of each thread.
template <typename State>
__global__ void moments_kernel(double* sums, int draws) {
  State state;
  curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  double own[8] = {};
  for (int i = 0; i < draws; ++i) {
    const double u = curand_uniform(&state), d = curand_uniform_double(&state);
    const double n = curand_normal(&state), m = curand_normal_double(&state);
    CHECK(u > 0 && u <= 1 && d > 0 && d <= 1);
    own[0] += u, own[1] += u * u;
    own[2] += d, own[3] += d * d;
    own[4] += n, own[5] += n * n;
    own[6] += m * m, own[7] += curand_poisson(&state, 3);
  }
  for (int k = 0; k < 8; ++k)
    atomicAdd(&sums[k], own[k] / draws);
}

template <typename State>
void test_moments() {
  double* sums;
  CHECK_OK(cudaMallocManaged(&sums, 8 * sizeof(double)));
  for (int k = 0; k < 8; ++k)
    sums[k] = 0;
  constexpr int kThreads = 512;
  moments_kernel<State><<<kThreads / 64, 64>>>(sums, 200);
  CHECK_OK(cudaDeviceSynchronize());
  const double expected[8] = {0.5, 1 / 3.0, 0.5, 1 / 3.0, 0, 1, 1, 3};
  for (int k = 0; k < 8; ++k) {
    const double mean = sums[k] / kThreads;
    if (!(std::fabs(mean - expected[k]) < 0.025)) printf("moment %d is %g\n", k, mean);
  }
}

void test_host_interface() {
  constexpr int kCount = 10000;
  float* x;
  CHECK_OK(cudaMallocManaged(&x, kCount * sizeof(float)));
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator, x, kCount) == CURAND_STATUS_SUCCESS);
  double sum = 0;
  for (int i = 0; i < kCount; ++i)
    sum += x[i];
  CHECK(std::fabs(sum / kCount - 0.5) < 0.02);
  const float first = x[0];
  CHECK(curandGenerateUniform(generator, x, kCount) == CURAND_STATUS_SUCCESS);
  CHECK(x[0] != first);  // the sequence goes on
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_NOT_INITIALIZED);
}

// Sobol's sequence: in each dimension, 2^k numbers fall into 2^k intervals, one each. The first two
// dimensions begin as in Joe and Kuo's own program.
__global__ void sobol_kernel(curandDirectionVectors32_t* narrow, curandDirectionVectors64_t* wide) {
  curandStateSobol32_t first, second, ahead;
  curandStateSobol64_t long_one;
  curand_init(narrow[0], 0, &first);
  curand_init(narrow[1], 0, &second);
  curand_init(narrow[1], 3, &ahead);
  curand_init(wide[1], 1, &long_one);
  const unsigned x[8] = {0, 4, 6, 2, 3, 7, 5, 1}, y[8] = {0, 4, 2, 6, 3, 7, 1, 5};
  for (int i = 0; i < 8; ++i) {
    const unsigned next = curand(&second);
    CHECK(curand(&first) == x[i] << 29 && next == y[i] << 29);
    if (i >= 3) CHECK(curand(&ahead) == next);
    if (i >= 1) CHECK(curand(&long_one) == static_cast<unsigned long long>(next) << 32);
  }
  skipahead(7u, &first);
  CHECK(curand_uniform(&first) > 0.06f);
  curand_init(narrow[0], 1, &first);
  CHECK(fabsf(curand_normal(&first)) < 1e-6f);  // of about one half
}

void test_quasi_random() {
  constexpr int kCount = 1024, kDimensions = 20;
  curandDirectionVectors32_t *narrow, *d_narrow;
  curandDirectionVectors64_t *wide, *d_wide;
  CHECK(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
        CURAND_STATUS_SUCCESS);
  CHECK(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
        CURAND_STATUS_SUCCESS);
  CHECK_OK(cudaMalloc(&d_narrow, 2 * sizeof *narrow));
  CHECK_OK(cudaMalloc(&d_wide, 2 * sizeof *wide));
  CHECK_OK(cudaMemcpy(d_narrow, narrow, 2 * sizeof *narrow, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(d_wide, wide, 2 * sizeof *wide, cudaMemcpyHostToDevice));
  sobol_kernel<<<1, 1>>>(d_narrow, d_wide);
  float* x;
  CHECK_OK(cudaMallocManaged(&x, kCount * kDimensions * sizeof(float)));
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetQuasiRandomGeneratorDimensions(generator, kDimensions) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT) ==
        CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(generator, x, 7) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateUniform(generator, x, kCount * kDimensions) == CURAND_STATUS_SUCCESS);
  for (int d = 0; d < kDimensions; ++d) {
    int seen[kCount] = {};
    for (int i = 0; i < kCount; ++i)
      ++seen[static_cast<int>(x[d * kCount + i] * kCount)];
    for (int count : seen)
      if (count != 1) printf("dimension %d\n", d);
  }
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
}

int main() {
  answers_kernel<<<1, 1>>>();
  offsets_kernel<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  test_moments<curandState>();
  test_moments<curandStatePhilox4_32_10_t>();
  test_host_interface();
  test_quasi_random();
  printf("done\n");
}
