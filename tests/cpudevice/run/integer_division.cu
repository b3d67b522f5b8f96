// Division by zero, and division with overflow: the thread goes on, as on a GPU.
// expect: right
#include <climits>
#include <cstdio>

template <typename T>
__global__ void divide_kernel(T* out, const T* divisors, T least) {
  const int i = static_cast<int>(threadIdx.x);
  const T x = i == 2 ? least : 9;
  out[2 * i] = x / divisors[i];
  __syncthreads();
  out[2 * i + 1] = x % divisors[i];
}

template <typename T>
bool check(T least) {
  T *out, *divisors;
  cudaMallocManaged(&out, 6 * sizeof(T));
  cudaMallocManaged(&divisors, 3 * sizeof(T));
  divisors[0] = 3;
  divisors[1] = 0;
  divisors[2] = static_cast<T>(-1);
  divide_kernel<<<1, 3>>>(out, divisors, least);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  right = right && out[0] == 3 && out[1] == 0 && out[2] == static_cast<T>(-1);
  right = right && out[4] == least && out[5] == 0;
  cudaFree(out);
  cudaFree(divisors);
  return right;
}

// The watchdog may interrupt a thread just after a division by zero, and let others run.
__global__ void divide_often_kernel(unsigned* out, const unsigned* divisor) {
  unsigned x = threadIdx.x + 1;
  __syncwarp();
  for (int i = 0; i < 4000; ++i)
    x = __shfl_xor_sync(0xffffffffu, x, 1) / divisor[0] % divisor[0] - i;
  out[threadIdx.x] = x;
}

bool check_often() {
  unsigned *out, *divisor;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  cudaMallocManaged(&divisor, sizeof(unsigned));
  *divisor = 0;
  divide_often_kernel<<<1, 64>>>(out, divisor);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 64; ++i)
    right = right && out[i] == 0xffffffffu - 3999;
  cudaFree(out);
  cudaFree(divisor);
  return right;
}

int main() {
  // Of unsigned numbers, 0 / -1 is no overflow.
  const bool right =
      check(INT_MIN) && check(LLONG_MIN) && check(0u) && check(0ull) && check_often();
  puts(right ? "right" : "wrong");
}
