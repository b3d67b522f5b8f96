// Kernels whose threads take turns in loops (compiler/lockstep/strips.py), each beside the same
// code on the host, thread after thread. test_lockstep.py makes sure that all kernels of the file
// are cut.
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int kThreads = 96;
constexpr int kBlocks = 5;
constexpr int kAll = kThreads * kBlocks;

// The body of thread `me`, for the device and for the host.
#define ON_BOTH(name, ...)                                      \
  __global__ void name(const int* in, int* out, int n) {        \
    const int me = blockIdx.x * blockDim.x + threadIdx.x;       \
    __VA_ARGS__                                                 \
  }                                                             \
  void name##_on_host(int me, const int* in, int* out, int n) { \
    __VA_ARGS__                                                 \
  }

ON_BOTH(columns, {
  int sum = 0;
  for (int row = 0; row < n; ++row)
    sum += in[row * kAll % 1000 + me % 7];
  out[me] = sum;
})

// A few threads of each block are left, and have more rounds in a turn.
ON_BOTH(few, {
  int sum = 0;
  if (me % 32 == 5) {
    for (int row = 0; row < n; ++row)
      sum = sum * 3 + in[row * kAll % 1000 + me % 7];
  }
  out[me] = sum;
})

// Conditions about which threads disagree, with loops in all branches and behind the branches.
ON_BOTH(branches, {
  int sum = me;
  if (me % 5 == 0) return;
  if (me % 3 == 0) {
    for (int i = 0; i < n; i++) {
      sum += in[(me + i) % 1000];
    }
    if (me % 2 == 0) {
      int more = sum % 10;
      for (int i = n; i > 0; --i)
        more += in[i % 1000] * i;
      sum -= more;
    }
  } else if (me % 3 == 1) {
    for (int i = 0; i < me; ++i)
      sum ^= in[i % 1000] + i;
    sum *= 3;
  } else {
    sum += in[me % 1000];
  }
  for (int i = me; i < n + me; i += 2)
    sum += in[i % 1000] % 3;
  out[me] = sum;
})

// Jumps of all kinds out of a loop that is cut.
ON_BOTH(jumps, {
  int found = -1;
  int steps = 0;
  for (int i = 0; i < n; ++i) {
    ++steps;
    if (in[(i * 31 + me) % 1000] % 2) continue;
    if (in[(i + me) % 1000] == me) {
      found = i;
      break;
    }
    switch (in[i % 1000] % 4) {
      case 1:
        steps += 2;
        break;
      case 3:
        steps -= 1;
        break;
      default:
        break;
    }
    if (steps > 150 && me % 4 == 0) {
      out[me] = -steps;
      return;
    }
  }
  while (steps > 3 && in[steps % 1000] != 5) {
    steps -= 3;
  }
  out[me] = found * 1000 + steps;
})

// Only the inner loops of nested loops are cut; each round of an outer loop declares variables.
ON_BOTH(nested, {
  int total = 0;
  int parts[4] = {1, 2, 3, 4};
  unsigned char small;
  small = static_cast<unsigned char>(me);
  const int* line = in + me % 50;
  for (int j = me % 3; j < 5; ++j) {
    long long sum = j;
    const bool odd = j % 2 == 1;
    total += 1;
    if (odd) {
      for (int i = 0; i < n; ++i)
        sum += line[i % 900] * i;
    }
    int k = 0;
    while (k < n - j) {
      parts[k % 4] += line[k % 900];
      k += 1 + static_cast<int>(odd);
    }
    small = static_cast<unsigned char>(small * 3 + k);
    total += static_cast<int>(sum % 1000);
    ++line;
  }
  out[me] = total + parts[0] - parts[1] * parts[2] + parts[3] + small;
})

// Heads of other forms.
ON_BOTH(heads, {
  int i;
  int sum = 0;
  float scale = 0.5f;
  double factor = 2;
  const int* last = 0;
  const std::size_t ones = 1;
  for (i = me % 10; i < n; ++i)
    sum += in[i % 1000];
  for (; i > 3;) {
    sum -= in[i % 1000];
    i -= 3;
  }
  for (int low = 0, high = n; low < high; ++low, --high) {
    scale = scale * 0.5f + static_cast<float>(in[low % 1000]);
    factor += in[high % 1000] * 0.25;
  }
  for (const int *p = in, *end = in + n % 900; p != end; ++p) {
    sum ^= p[0];
    if (!last) last = p + n % 7;
  }
  if (last) sum += *last * static_cast<int>(ones);
  out[me] = sum + i + static_cast<int>(scale) + static_cast<int>(factor);
})

// Shared memory of each thread's own, of both kinds, without a barrier.
__global__ void shared(const int* in, int* out, int n) {
  extern __shared__ int sums[];
  __shared__ int rounds[kThreads];
  const unsigned t = threadIdx.x;
  sums[t] = rounds[t] = 0;
  for (int i = t; i < n; ++i) {
    sums[t] += in[i % 1000];
    ++rounds[t];
  }
  out[blockIdx.x * kThreads + t] = sums[t] + 1000 * rounds[t];
}
void shared_on_host(int me, const int* in, int* out, int n) {
  int sum = 0, rounds = 0;
  for (int i = me % kThreads; i < n; ++i, ++rounds)
    sum += in[i % 1000];
  out[me] = sum + 1000 * rounds;
}

// A type of the template, two dimensions, loops after each other, a loop of known length.
template <typename T>
__global__ void product(const T* a, const T* b, T* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  T sum{0}, corner = 1, twice = {2};
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  for (int k = 0; k < 4; ++k)
    corner += a[k];
  for (int k = 0; k < 100; ++k)
    corner += b[(k + col) % n] + twice;
  c[row * n + col] = sum + corner;
}

template <typename T>
bool products_are_right(int n) {
  T *a, *b, *c;
  CHECK_OK(cudaMallocManaged(&a, n * n * sizeof(T)));
  CHECK_OK(cudaMallocManaged(&b, n * n * sizeof(T)));
  CHECK_OK(cudaMallocManaged(&c, n * n * sizeof(T)));
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<T>(i % 7);
    b[i] = static_cast<T>(i % 5);
  }
  product<<<dim3((n + 15) / 16, (n + 7) / 8), dim3(16, 8)>>>(a, b, c, n);
  CHECK_OK(cudaDeviceSynchronize());
  bool right = true;
  for (int row = 0; row < n; ++row) {
    for (int col = 0; col < n; ++col) {
      T expected = static_cast<T>(1 + a[0] + a[1] + a[2] + a[3]);
      for (int k = 0; k < n; ++k)
        expected += a[row * n + k] * b[k * n + col];
      for (int k = 0; k < 100; ++k)
        expected += b[(k + col) % n] + 2;
      right = right && c[row * n + col] == expected;
    }
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return right;
}

template <typename Kernel, typename Host>
bool same(Kernel kernel, Host host, const int* in, int* out) {
  for (int n : {0, 1, 7, 8, 9, 16, 17, 200, 700}) {
    std::vector<int> expected(kAll, -7);
    for (int i = 0; i < kAll; ++i) {
      out[i] = -7;
      host(i, in, expected.data(), n);
    }
    kernel<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(in, out, n);
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < kAll; ++i) {
      if (out[i] != expected[i]) {
        printf("n %d, thread %d: %d instead of %d\n", n, i, out[i], expected[i]);
        return false;
      }
    }
  }
  return true;
}

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, 1024 * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kAll * sizeof(int)));
  for (int i = 0; i < 1024; ++i)
    in[i] = i * 7919 % 1000;
  CHECK(same(columns, columns_on_host, in, out));
  CHECK(same(few, few_on_host, in, out));
  CHECK(same(branches, branches_on_host, in, out));
  CHECK(same(jumps, jumps_on_host, in, out));
  CHECK(same(nested, nested_on_host, in, out));
  CHECK(same(heads, heads_on_host, in, out));
  CHECK(same(shared, shared_on_host, in, out));
  for (int n : {5, 40, 100}) {
    CHECK(products_are_right<int>(n));
    CHECK(products_are_right<float>(n));
    CHECK(products_are_right<double>(n));
  }
}
