// Takes and frees device memory again and again until killed: the driver clears freed memory
// in the background, which slows down other uses of memory meanwhile. For test_undisturbed.py.
//
//   frees_memory <GiB> <ms between>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cuda_runtime.h"

int main(int, char** argv) {
  const size_t bytes = static_cast<size_t>(std::atoi(argv[1])) << 30;
  const std::chrono::milliseconds pause(std::atoi(argv[2]));
  for (bool first = true;; first = false) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess || cudaFree(memory) != cudaSuccess) {
      std::puts("failed");
      return 1;
    }
    if (first) {
      std::puts("frees");
      std::fflush(stdout);
    }
    std::this_thread::sleep_for(pause);
  }
}
