// Kernels that run in lock-step (compiler/lockstep), each beside the same work on the host.
// test_lockstep.py checks that they do.
// expect: thread 0 before
// expect: thread 1 before
// expect: thread 0 after
// expect: thread 1 after
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kBlock = 96;
constexpr int kBlocks = 5;

// Uniform variables change in a loop, declared alone and in the head; 'continue' at the end.
__global__ void scan(const int* in, int* out) {
  __shared__ int sums[2][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  int from = 0;
  sums[from][t] = in[i];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    const int to = 1 - from;
    sums[to][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
    from = to;
    __syncthreads();
    if (t % 2) continue;
    sums[1 - from][t] = -1;
  }
  __syncthreads();
  out[i] = sums[from][t];
}

// Variables across barriers: several types, an array, and an `i` beside the `i` of an inner loop,
// which lives between two barriers only.
struct Pair {
  short low;
  double high;
};
__device__ int weight(const int& x, int by) {
  return x * by + static_cast<int>(threadIdx.x);
}
__global__ void keeps(const int* in, int* out, int rounds) {
  __shared__ int ring[kBlock];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int parts[3] = {in[i], 0, 1};
  Pair pair{static_cast<short>(in[i] % 100), 0.5};
  const int* const __restrict__ mine = in + i;
  bool odd = threadIdx.x & 1;
  for (int round = 0; round < rounds; ++round) {
    ring[threadIdx.x] = parts[round % 3];
    __syncthreads();
    const int right = ring[(threadIdx.x + 1) % kBlock];
    for (int i = 0; i < 3; ++i)
      parts[i] += weight(right, i);
    __syncthreads();
    if (odd) pair.high += right;
    odd = !odd;
  }
  out[i] = parts[0] + parts[1] + parts[2] + pair.low + static_cast<int>(pair.high) + *mine;
}

// Barriers under uniform conditions, jumps of the whole block, changes of arguments.
__global__ void choices(const int* in, int* out, int n, int mode) {
  __shared__ int swap[kBlock];
  if (blockIdx.x * kBlock >= static_cast<unsigned>(n)) return;
  in += blockIdx.x * kBlock;
  out += blockIdx.x * kBlock;
  int value = in[threadIdx.x];
  int round = 0;
  while (true) {
    if (round == mode) break;
    if (blockIdx.x % 2 == 0) {
      swap[threadIdx.x] = value;
      __syncthreads();
      value = swap[kBlock - 1 - threadIdx.x] + round;
      __syncthreads();
    } else if (mode > 2) {
      swap[threadIdx.x] = value;
      __syncthreads();
      value += swap[threadIdx.x / 2];
      __syncthreads();
    } else {
      --value;
    }
    ++round;
  }
  if (threadIdx.x >= 90) return;
  out[threadIdx.x] = value;
}

// Three dimensions, dynamic shared memory, a template's parameters, atomics.
template <typename T, int kFactor>
__global__ void __launch_bounds__(64) volume(T* out, int* counts) {
  extern __shared__ int bytes[];
  T* cells = reinterpret_cast<T*>(bytes);
  const int id = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  cells[id] = static_cast<T>(id * kFactor);
  __syncthreads();
  const T turned = cells[blockDim.x * blockDim.y * blockDim.z - 1 - id];
  atomicAdd(&counts[id % 4], 1);
  __syncthreads();
  out[blockIdx.x * 64 + id] = turned;
}

// Variables with the same name in nested blocks, all alive across barriers.
__global__ void __launch_bounds__(kBlock) names(const int* in, int* out) {
  __shared__ int swap[kBlock];
  int i = threadIdx.x;
  swap[i] = in[i];
  __syncthreads();
  {
    int j = i + 1;
    int i = swap[kBlock - j];
    __syncthreads();
    swap[j - 1] = i;
    {
      int i = 2 * j;
      __syncthreads();
      out[j - 1] = i;
    }
    __syncthreads();
    out[j - 1] += i;
  }
  {
    __shared__ int i;
    i = 7;
    __syncthreads();
    swap[threadIdx.x] += i;
  }
  __syncthreads();
  out[i] += 1000 * swap[i];
}

// Threads end before barriers of other threads, at the beginning and in a loop; results of
// atomics, which no loop waits for.
__global__ void ends(const int* in, int* const out, int n) {
  __shared__ int sums[kBlock], left;
  const int t = threadIdx.x;
  if (t >= n) return;
  if (t == 0) left = 0;
  sums[t] = in[t];
  __syncthreads();
  for (int half = kBlock; half > 0; half /= 2) {
    if (t >= half) {
      out[t] = sums[t];
      return;
    }
    __syncthreads();
    if (t + half < n) sums[t] += sums[t + half];
    const int before = atomicAdd(&left, 1);
    __threadfence();
    __syncthreads();
    if (before < 0) return;
  }
  out[t] = sums[t] + 1000 * left;
}

// Each thread changes a private copy of the arguments; barriers for some of the threads only.
template <typename T>
__global__ void moves(const T* in, T* out, int n, const int* const steps) {
  __shared__ T cells[kBlock];
  in += threadIdx.x;
  out += threadIdx.x;
  n -= threadIdx.x;
  cells[threadIdx.x] = *in;
  if (n > 0) {
    T sum = 0;
    for (int round = 0; round < 3; ++round) {
      __syncthreads();
      sum += cells[kBlock - 1 - threadIdx.x] + steps[round];
      __syncthreads();
      cells[threadIdx.x] += n--;
    }
    *out = sum;
  } else {
    *out = -n;
  }
  *out += 1000 * n;
}

__global__ void prints() {
  printf("thread %d before\n", threadIdx.x);
  __syncthreads();
  printf("thread %d after\n", threadIdx.x);
}

std::vector<int> scan_on_host(const int* in) {
  std::vector<int> out(kBlock * kBlocks);
  for (int i = 0; i < kBlock * kBlocks; ++i)
    out[i] = in[i] + (i % kBlock ? out[i - 1] : 0);
  return out;
}

std::vector<int> keep_on_host(const int* in, int rounds) {
  std::vector<int> out(kBlock * kBlocks);
  for (int first = 0; first < kBlock * kBlocks; first += kBlock) {
    int parts[kBlock][3];
    double high[kBlock];
    for (int t = 0; t < kBlock; ++t) {
      parts[t][0] = in[first + t];
      parts[t][1] = 0;
      parts[t][2] = 1;
      high[t] = 0.5;
    }
    for (int round = 0; round < rounds; ++round) {
      int ring[kBlock];
      for (int t = 0; t < kBlock; ++t)
        ring[t] = parts[t][round % 3];
      for (int t = 0; t < kBlock; ++t) {
        const int right = ring[(t + 1) % kBlock];
        for (int k = 0; k < 3; ++k)
          parts[t][k] += right * k + t;
        if ((t + round) % 2) high[t] += right;
      }
    }
    for (int t = 0; t < kBlock; ++t) {
      const int i = first + t;
      out[i] =
          parts[t][0] + parts[t][1] + parts[t][2] + in[i] % 100 + static_cast<int>(high[t]) + in[i];
    }
  }
  return out;
}

std::vector<int> choose_on_host(const int* in, int blocks, int mode) {
  std::vector<int> out(kBlock * kBlocks, -7);
  for (int b = 0; b < blocks; ++b) {
    std::vector<int> value(in + b * kBlock, in + (b + 1) * kBlock);
    for (int round = 0; round < mode; ++round) {
      const std::vector<int> before = value;
      for (int t = 0; t < kBlock; ++t) {
        if (b % 2 == 0) {
          value[t] = before[kBlock - 1 - t] + round;
        } else if (mode > 2) {
          value[t] += before[t / 2];
        } else {
          --value[t];
        }
      }
    }
    for (int t = 0; t < 90; ++t)
      out[b * kBlock + t] = value[t];
  }
  return out;
}

std::vector<int> end_on_host(const int* in, int n) {
  std::vector<int> sums(in, in + kBlock), out(kBlock, -7);
  int left = 0, running = n;
  for (int half = kBlock; half > 0; half /= 2) {
    for (; running > half; --running)
      out[running - 1] = sums[running - 1];
    left += running;
    for (int t = 0; t < running && t + half < n; ++t)
      sums[t] += sums[t + half];
  }
  out[0] = sums[0] + 1000 * left;
  return out;
}

std::vector<int> move_on_host(const int* in, int n) {
  std::vector<int> cells(in, in + kBlock), left(kBlock), sums(kBlock);
  for (int t = 0; t < kBlock; ++t) {
    left[t] = n - t;
    if (left[t] <= 0) sums[t] = -left[t];
  }
  for (int round = 0; round < 3; ++round) {
    for (int t = 0; t < kBlock && t < n; ++t)
      sums[t] += cells[kBlock - 1 - t] + in[round];
    for (int t = 0; t < kBlock && t < n; ++t)
      cells[t] += left[t]--;
  }
  for (int t = 0; t < kBlock; ++t)
    sums[t] += 1000 * left[t];
  return sums;
}

bool same(const int* device, const std::vector<int>& host) {
  CHECK_OK(cudaDeviceSynchronize());
  for (size_t i = 0; i < host.size(); ++i) {
    if (device[i] != host[i]) {
      printf("%zu: %d instead of %d\n", i, device[i], host[i]);
      return false;
    }
  }
  return true;
}

int main() {
  constexpr int kAll = kBlock * kBlocks;
  int *in, *out, *counts;
  CHECK_OK(cudaMallocManaged(&in, kAll * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kAll * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&counts, 4 * sizeof(int)));
  for (int i = 0; i < kAll; ++i)
    in[i] = i * 7919 % 1000;
  scan<<<kBlocks, kBlock>>>(in, out);
  CHECK(same(out, scan_on_host(in)));
  for (int rounds : {0, 1, 4}) {
    keeps<<<kBlocks, kBlock>>>(in, out, rounds);
    CHECK(same(out, keep_on_host(in, rounds)));
  }
  for (int mode : {0, 2, 3}) {
    for (int i = 0; i < kAll; ++i)
      out[i] = -7;
    choices<<<kBlocks, kBlock>>>(in, out, 3 * kBlock, mode);
    CHECK(same(out, choose_on_host(in, 3, mode)));
  }
  volume<int, 3><<<4, dim3(4, 2, 8), 64 * sizeof(int)>>>(out, counts);
  std::vector<int> turned(4 * 64);
  for (int i = 0; i < 4 * 64; ++i)
    turned[i] = (63 - i % 64) * 3;
  CHECK(same(out, turned));
  CHECK(same(counts, {64, 64, 64, 64}));
  names<<<1, kBlock>>>(in, out);
  std::vector<int> named(kBlock);
  for (int i = 0; i < kBlock; ++i)
    named[i] = 2 * (i + 1) + in[kBlock - 1 - i] + 1000 * (in[kBlock - 1 - i] + 7);
  CHECK(same(out, named));
  for (int n : {1, 50, kBlock}) {
    for (int i = 0; i < kBlock; ++i)
      out[i] = -7;
    ends<<<1, kBlock>>>(in, out, n);
    CHECK(same(out, end_on_host(in, n)));
  }
  for (int n : {0, 50, 2 * kBlock}) {
    moves<<<1, kBlock>>>(in, out, n, in);
    CHECK(same(out, move_on_host(in, n)));
  }
  prints<<<1, 2>>>();
  CHECK_OK(cudaDeviceSynchronize());
}
