// Several host threads launch at the same time: each sees its own results, and all threads see an
// error.
// expect: sums 1
// expect: errors 4
// stderr: kernel fails
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

__global__ void fill(int* data, int value) {
  __shared__ int s[64];
  s[threadIdx.x] = value;
  __syncthreads();
  data[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void fails() {
  __trap();
}

int main() {
  bool right[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&right, t] {
      int* data;
      cudaMallocManaged(&data, 64 * 16 * sizeof(int));
      bool all = true;
      for (int round = 0; round < 50; ++round) {
        fill<<<16, 64>>>(data, t * 100 + round);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64 * 16; ++i)
          all &= data[i] == t * 100 + round;
      }
      right[t] = all;
    });
  }
  for (auto& thread : threads)
    thread.join();
  printf("sums %d\n", right[0] && right[1] && right[2] && right[3]);
  fails<<<1, 1>>>();
  int errors = 0;
  threads.clear();
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&errors] {
      static std::mutex mutex;
      std::lock_guard<std::mutex> lock(mutex);
      errors += cudaDeviceSynchronize() == cudaErrorLaunchFailure;
    });
  }
  for (auto& thread : threads)
    thread.join();
  printf("errors %d\n", errors);
}
