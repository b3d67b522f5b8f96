// Arrays that the compiler does not instrument: registers where all indices are known once the
// loops are unrolled, local memory otherwise; and constant tables, which are memory too.
#include <cuda_runtime.h>

constexpr int kRounds = 1000;

// kernel in_registers: warps=1 warp_instructions<600
__global__ void in_registers(float* values) {
  float sums[4][4] = {};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      sums[i][j] += values[i] * values[j];
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      values[4 * i + j] = sums[i][j];
  }
}

// kernel network: warps=1 warp_instructions<1500
__global__ void network(unsigned* values) {
  unsigned keys[8];
  for (int i = 0; i < 8; ++i)
    keys[i] = values[i];
  for (int stride = 4; stride > 0; stride /= 2) {
    for (int i = 0; i < 8; ++i) {
      const int j = i ^ stride;
      if (j > i && keys[i] > keys[j]) {
        const unsigned key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
      }
    }
  }
  for (int i = 0; i < 8; ++i)
    values[i] = keys[i];
}

// kernel chased: warps=1 warp_instructions>6000
__global__ void chased(unsigned* values) {
  unsigned next[64];
  for (int i = 0; i < 64; ++i)
    next[i] = i ^ values[threadIdx.x];
  unsigned at = 0;
  for (int i = 0; i < kRounds; ++i)
    at = next[(at + i) % 64];
  values[threadIdx.x] = at;
}

// kernel merged: warps=1 warp_instructions>1200
__global__ void merged(unsigned* values) {
  unsigned keys[32];
  for (int i = 0; i < 32; ++i)
    keys[i] = values[i];
  int left = 0;
  int right = 16;
  for (int i = 0; i < 32; ++i) {
    if (left < 16 && (right >= 32 || keys[left] <= keys[right])) {
      values[i] = keys[left++];
    } else {
      values[i] = keys[right++];
    }
  }
}

// kernel too_many: warps=1 warp_instructions>131072
__global__ void too_many(float* values) {
  float tile[64][64];
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j)
      tile[i][j] = values[64 * i + j];
  }
  for (int j = 0; j < 64; ++j) {
    for (int i = 0; i < 64; ++i)
      values[64 * j + i] = tile[i][j];
  }
}

// 640 names, v0000 to v1177 in octal.
// clang-format off
#define EIGHT(DO, n) DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7)
#define MORE(DO, n) \
  EIGHT(DO, n##0) EIGHT(DO, n##1) EIGHT(DO, n##2) EIGHT(DO, n##3) \
  EIGHT(DO, n##4) EIGHT(DO, n##5) EIGHT(DO, n##6) EIGHT(DO, n##7)
#define EACH(DO) \
  MORE(DO, 00) MORE(DO, 01) MORE(DO, 02) MORE(DO, 03) MORE(DO, 04) \
  MORE(DO, 05) MORE(DO, 06) MORE(DO, 07) MORE(DO, 10) MORE(DO, 11)
// clang-format on

// Four additions of each of 640 values: 2560 instructions, and 20 for most values that are kept.
// kernel scalars: warps=1 warp_instructions>50000
__global__ void scalars(unsigned* values) {
#define LOAD(n) unsigned v##n = values[0##n];
#define MIX(n)              \
  v##n = v##n * sum + v##n; \
  sum += v##n;
  EACH(LOAD)
  unsigned sum = 0;
  for (int i = 0; i < 4; ++i) {
    EACH(MIX)
  }
  values[threadIdx.x] = sum;
}

// kernel members: warps=1 warp_instructions>25000
__global__ void members(unsigned* values) {
#define DECLARE(n) unsigned v##n;
#define FILL(n) own.v##n = values[0##n];
#define MIX_OWN(n)                      \
  own.v##n = own.v##n * sum + own.v##n; \
  sum += own.v##n;
  struct {
    EACH(DECLARE)
  } own;
  EACH(FILL)
  unsigned sum = 0;
  for (int i = 0; i < 4; ++i) {
    EACH(MIX_OWN)
  }
  values[threadIdx.x] = sum;
}

__device__ const unsigned table[64] = {3, 1, 4, 1, 5, 9, 2, 6};

// kernel looked_up: warps=1 warp_instructions>6000
__global__ void looked_up(unsigned* values) {
  unsigned at = values[threadIdx.x];
  for (int i = 0; i < kRounds; ++i)
    at = table[(at + i) % 64];
  values[threadIdx.x] = at;
}

struct Table {
  unsigned entries[64];
};

// kernel passed: warps=1 warp_instructions>6000
__global__ void passed(unsigned* values, Table given) {
  unsigned at = values[threadIdx.x];
  for (int i = 0; i < kRounds; ++i)
    at = given.entries[(at + i) % 64];
  values[threadIdx.x] = at;
}

int main() {
  unsigned* values;
  cudaMalloc(&values, 4096 * sizeof(unsigned));
  cudaMemset(values, 0, 4096 * sizeof(unsigned));
  const auto floats = reinterpret_cast<float*>(values);
  in_registers<<<1, 32>>>(floats);
  network<<<1, 32>>>(values);
  chased<<<1, 32>>>(values);
  merged<<<1, 32>>>(values);
  too_many<<<1, 32>>>(floats);
  scalars<<<1, 32>>>(values);
  members<<<1, 32>>>(values);
  looked_up<<<1, 32>>>(values);
  passed<<<1, 32>>>(values, Table());
  cudaDeviceSynchronize();
}
