// What a copy takes right after device memory was freed: an experiment for docs/grading.md.
//
//   freed_memory               the table, as JSON: {"cudaFree of 4 GiB": {"first": ms, ...}, ...}
//   freed_memory --hold GiB    takes memory, waits for a line of input, and ends
//
// A copy of 1 GiB runs back to back for kWatched after each event; `slow` counts the copies that
// take more than kSlow times as long as usual.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"
#include "gpu_time.h"

namespace {

constexpr size_t kGiB = size_t{1} << 30;
constexpr int kBlockSize = 256;
constexpr int kWatched = 200;  // copies
constexpr double kSlow = 1.05;

// One 16-byte vector per thread.
__global__ void copy_kernel(const uint4* input, size_t n, uint4* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = input[i];
}

class Watch {
 public:
  Watch() : input_(kGiB / sizeof(uint4)), result_(kGiB / sizeof(uint4)) {
    CUDA_CHECK(cudaMemset(input_.data(), 1, input_.bytes()));
    usual_ms_ = median_ms(51, [this] { copy(); });
  }

  // Prints what copies take after `event`.
  void print(const char* name, const std::function<void()>& event, const char* end = ",") {
    usleep(500'000);
    event();
    std::vector<double> times;
    for (int i = 0; i < kWatched; ++i)
      times.push_back(gpu_time_ms([this] { copy(); }));
    int slow = 0;
    double slow_ms = 0;
    for (const double ms : times) {
      if (ms <= kSlow * usual_ms_) continue;
      ++slow;
      slow_ms += ms;
    }
    std::printf("\"%s\": {\"first\": %.4f, \"usual\": %.4f, \"slow\": %d, \"slow for\": %.2f}%s\n",
                name, times.front(), usual_ms_, slow, slow_ms, end);
  }

 private:
  void copy() {
    const size_t n = input_.size();
    const auto blocks = static_cast<unsigned>((n + kBlockSize - 1) / kBlockSize);
    copy_kernel<<<blocks, kBlockSize>>>(input_.data(), n, result_.data());
  }

  DeviceArray<uint4> input_;
  DeviceArray<uint4> result_;
  double usual_ms_ = 0;
};

// Another process that holds memory until its input ends.
class Holder {
 public:
  Holder(const char* self, const char* gib) {
    int to[2], from[2];
    // No other child may hold the input open.
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) std::exit(1);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(to[0], 0);
      dup2(from[1], 1);
      execl(self, self, "--hold", gib, nullptr);
      _exit(1);
    }
    to_ = to[1];
    char ready = 0;
    if (read(from[0], &ready, 1) != 1) std::exit(1);
  }
  void end() {
    close(to_);
    waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
  int to_;
};

void hold(int gib) {
  DeviceArray<char> memory(gib * kGiB);
  std::putchar('r');
  std::fflush(stdout);
  std::getchar();
  _exit(0);  // without cudaFree: the driver takes it back
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--hold") == 0) hold(std::atoi(argv[2]));
  // Before the process uses the GPU: a copy of a process with a CUDA context cannot.
  Holder small(argv[0], "4"), large(argv[0], "16");
  Watch watch;
  std::printf("{");
  watch.print("nothing", [] {});
  for (const int gib : {1, 2, 4, 8, 16}) {
    DeviceArray<char> memory(gib * kGiB);
    const std::string name = "`cudaFree` of " + std::to_string(gib) + " GiB";
    watch.print(name.c_str(), [&] { memory = DeviceArray<char>(); });
  }
  watch.print("another process ends with 4 GiB", [&] { small.end(); });
  watch.print(
      "another process ends with 16 GiB", [&] { large.end(); }, "");
  std::printf("}\n");
}
