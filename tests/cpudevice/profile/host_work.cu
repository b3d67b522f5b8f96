// Computation of the host, in host memory and in registers, is work. How often a thread polls a
// flag is no work: the number differs from run to run.
#include <atomic>
#include <cstdio>
#include <thread>

constexpr int kRounds = 100000;
float memory[1000];

// Two pieces of work with a call of CUDA between, and a thread that waits for the first piece.
// host host_work: times=2 instructions>400000
// host host_work: times=2 instructions<4000000
int main() {
  std::atomic<bool> done{false};
  std::thread waiting([&] {
    while (!done) {
    }
  });
  for (int i = 0; i < kRounds; ++i)
    memory[i % 1000] += 1.0f;
  done = true;
  waiting.join();
  cudaDeviceSynchronize();
  unsigned state = 1;
  for (int i = 0; i < kRounds; ++i)
    state = state * 1664525u + (state >> 7);
  std::printf("%u\n", state);
  // Too little to be distinguished from what a call costs anyway.
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i)
    memory[i] = 0;
  return 0;
}
