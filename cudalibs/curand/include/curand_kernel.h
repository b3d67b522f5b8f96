// Random numbers in kernels: the generators of cuRAND's device interface that courses use.
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) gives
// cuRAND's numbers: the seed is the key, the subsequence the upper half of the counter, the offset
// the lower half. XORWOW (Marsaglia, "Xorshift RNGs", 2003) has the same recurrence as cuRAND's but
// starts elsewhere: how cuRAND makes a state of a seed is not published. Each subsequence starts at
// a place decided by a hash of (seed, subsequence), not 2^67 steps apart. Sobol's sequences follow
// from the program's direction numbers, in the order of a Gray code.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"

// The normal numbers come in pairs, of which the second is kept.
struct curandStateXORWOW {
  unsigned int v[5], d;
  float spare;
  double spare_double;
  bool has_spare, has_spare_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned int used;  // of the output
  float spare;
  double spare_double;
  bool has_spare, has_spare_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateSobol32 {
  unsigned int i, x, direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;

#ifdef __CUDACC__

namespace cudacpu {

CUDACPU_DEVICE inline uint4 philox_rounds(uint4 c, uint2 key) {
  constexpr unsigned kMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr unsigned kWeyl[2] = {0x9E3779B9, 0xBB67AE85};  // golden ratio, sqrt(3) - 1
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = static_cast<unsigned long long>(kMultipliers[0]) * c.x;
    const unsigned long long b = static_cast<unsigned long long>(kMultipliers[1]) * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned>(a)};
    key.x += kWeyl[0];
    key.y += kWeyl[1];
  }
  return c;
}

CUDACPU_DEVICE inline void add_to_counter(uint4& c, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(c.y) << 32 | c.x) + n;
  if (low < n && ++c.z == 0) ++c.w;
  c.x = static_cast<unsigned>(low);
  c.y = static_cast<unsigned>(low >> 32);
}

// Box and Muller's method: two independent normal numbers of two uniform numbers in (0, 1].
CUDACPU_DEVICE inline float2 box_muller(float u, float v) {
  const float radius = sqrtf(-2 * logf(u)), angle = 6.2831853f * v;
  return {radius * sinf(angle), radius * cosf(angle)};
}
CUDACPU_DEVICE inline double2 box_muller(double u, double v) {
  const double radius = sqrt(-2 * log(u)), angle = 6.283185307179586 * v;
  return {radius * sin(angle), radius * cos(angle)};
}

// In (0, 1].
CUDACPU_DEVICE inline float unit_float(unsigned x) {
  constexpr float kUnit = 1.0f / 4294967296.0f;
  return static_cast<float>(x) * kUnit + kUnit / 2;
}
CUDACPU_DEVICE inline double unit_double(unsigned low, unsigned high) {
  constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * kUnit + kUnit / 2;
}

}  // namespace cudacpu

// ---- Philox ----
CUDACPU_DEVICE inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long position = state->used + n;
  cudacpu::add_to_counter(state->counter, position / 4);
  state->used = static_cast<unsigned>(position % 4);
  state->output = cudacpu::philox_rounds(state->counter, state->key);
}
CUDACPU_DEVICE inline void skipahead_sequence(unsigned long long n,
                                              curandStatePhilox4_32_10_t* state) {
  const unsigned long long high =
      (static_cast<unsigned long long>(state->counter.w) << 32 | state->counter.z) + n;
  state->counter.z = static_cast<unsigned>(high);
  state->counter.w = static_cast<unsigned>(high >> 32);
  state->output = cudacpu::philox_rounds(state->counter, state->key);
}
CUDACPU_DEVICE inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                       unsigned long long offset,
                                       curandStatePhilox4_32_10_t* state) {
  *state = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
CUDACPU_DEVICE inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned outputs[4] = {state->output.x, state->output.y, state->output.z, state->output.w};
  const unsigned result = outputs[state->used];
  if (++state->used == 4) {
    state->used = 0;
    cudacpu::add_to_counter(state->counter, 1);
    state->output = cudacpu::philox_rounds(state->counter, state->key);
  }
  return result;
}
CUDACPU_DEVICE inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state);
  return {x, y, z, curand(state)};
}
CUDACPU_DEVICE inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return {cudacpu::unit_float(x.x), cudacpu::unit_float(x.y), cudacpu::unit_float(x.z),
          cudacpu::unit_float(x.w)};
}
CUDACPU_DEVICE inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float4 u = curand_uniform4(state);
  const float2 a = cudacpu::box_muller(u.x, u.y), b = cudacpu::box_muller(u.z, u.w);
  return {a.x, a.y, b.x, b.y};
}

// ---- XORWOW ----
CUDACPU_DEVICE inline unsigned int curand(curandStateXORWOW_t* state) {
  unsigned* v = state->v;
  const unsigned t = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
  state->d += 362437;
  return v[4] + state->d;
}
CUDACPU_DEVICE inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  for (; n > 0; --n)
    curand(state);
}
CUDACPU_DEVICE inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                       unsigned long long offset, curandStateXORWOW_t* state) {
  *state = {};
  const uint2 key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  const unsigned low = static_cast<unsigned>(subsequence);
  const unsigned high = static_cast<unsigned>(subsequence >> 32);
  const uint4 a = cudacpu::philox_rounds({low, high, 0, 1}, key);
  const uint4 b = cudacpu::philox_rounds({low, high, 1, 1}, key);
  const unsigned words[5] = {a.x, a.y, a.z, a.w, b.x | 1};  // not all zero
  for (int i = 0; i < 5; ++i)
    state->v[i] = words[i];
  state->d = b.y;
  skipahead(offset, state);
}

// ---- Sobol ----
namespace cudacpu {

template <typename State, typename Word>
CUDACPU_DEVICE inline void sobol_start(const Word* directions, Word offset, State* state) {
  state->i = offset;
  state->x = 0;
  const Word gray = offset ^ offset >> 1;
  for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit) {
    state->direction_vectors[bit] = directions[bit];
    if (gray >> bit & 1) state->x ^= directions[bit];
  }
}
// Returns the number and goes on to the next number, which differs by one direction.
template <typename State>
CUDACPU_DEVICE inline auto sobol_next(State* state) {
  const auto result = state->x;
  unsigned zero = 0;  // the lowest bit that is 0
  while (state->i >> zero & 1)
    ++zero;
  if (zero < sizeof(result) * 8) state->x ^= state->direction_vectors[zero];
  ++state->i;
  return result;
}

}  // namespace cudacpu

CUDACPU_DEVICE inline void curand_init(curandDirectionVectors32_t directions, unsigned int offset,
                                       curandStateSobol32_t* state) {
  cudacpu::sobol_start(directions, offset, state);
}
CUDACPU_DEVICE inline void curand_init(curandDirectionVectors64_t directions,
                                       unsigned long long offset, curandStateSobol64_t* state) {
  cudacpu::sobol_start(directions, offset, state);
}
CUDACPU_DEVICE inline void skipahead(unsigned int n, curandStateSobol32_t* state) {
  cudacpu::sobol_start(state->direction_vectors, state->i + n, state);
}
CUDACPU_DEVICE inline void skipahead(unsigned long long n, curandStateSobol64_t* state) {
  cudacpu::sobol_start(state->direction_vectors, state->i + n, state);
}
CUDACPU_DEVICE inline unsigned int curand(curandStateSobol32_t* state) {
  return cudacpu::sobol_next(state);
}
CUDACPU_DEVICE inline unsigned long long curand(curandStateSobol64_t* state) {
  return cudacpu::sobol_next(state);
}
CUDACPU_DEVICE inline double curand_uniform_double(curandStateSobol32_t* state) {
  constexpr double kUnit = 1.0 / 4294967296.0;
  return curand(state) * kUnit + kUnit / 2;
}
CUDACPU_DEVICE inline double curand_uniform_double(curandStateSobol64_t* state) {
  constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(curand(state) >> 11) * kUnit + kUnit / 2;
}
CUDACPU_DEVICE inline float curand_uniform(curandStateSobol64_t* state) {
  return cudacpu::unit_float(static_cast<unsigned>(curand(state) >> 32));
}
// Two successive numbers of a Sobol sequence are not independent, so normal numbers are computed
// one by one.
#define CUDACPU_SOBOL(State)                                        \
  CUDACPU_DEVICE inline double curand_normal_double(State* state) { \
    return normcdfinv(curand_uniform_double(state));                \
  }                                                                 \
  CUDACPU_DEVICE inline float curand_normal(State* state) {         \
    return static_cast<float>(curand_normal_double(state));         \
  }
CUDACPU_SOBOL(curandStateSobol32_t)
CUDACPU_SOBOL(curandStateSobol64_t)
#undef CUDACPU_SOBOL

// ---- distributions ----
template <typename State>
CUDACPU_DEVICE inline float curand_uniform(State* state) {
  return cudacpu::unit_float(curand(state));
}
template <typename State>
CUDACPU_DEVICE inline double curand_uniform_double(State* state) {
  const unsigned low = curand(state);
  return cudacpu::unit_double(low, curand(state));
}
template <typename State>
CUDACPU_DEVICE inline float2 curand_normal2(State* state) {
  const float u = curand_uniform(state);
  return cudacpu::box_muller(u, curand_uniform(state));
}
template <typename State>
CUDACPU_DEVICE inline float curand_normal(State* state) {
  state->has_spare = !state->has_spare;
  if (!state->has_spare) return state->spare;
  const float2 pair = curand_normal2(state);
  state->spare = pair.y;
  return pair.x;
}
template <typename State>
CUDACPU_DEVICE inline double2 curand_normal2_double(State* state) {
  const double u = curand_uniform_double(state);
  return cudacpu::box_muller(u, curand_uniform_double(state));
}
template <typename State>
CUDACPU_DEVICE inline double curand_normal_double(State* state) {
  state->has_spare_double = !state->has_spare_double;
  if (!state->has_spare_double) return state->spare_double;
  const double2 pair = curand_normal2_double(state);
  state->spare_double = pair.y;
  return pair.x;
}
template <typename State>
CUDACPU_DEVICE inline float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State>
CUDACPU_DEVICE inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
// Counts how many exponential waiting times fit into a time of length lambda.
template <typename State>
CUDACPU_DEVICE inline unsigned int curand_poisson(State* state, double lambda) {
  unsigned count = 0;
  for (double time = -log(curand_uniform_double(state)); time < lambda; ++count)
    time -= log(curand_uniform_double(state));
  return count;
}

#endif
#endif
