// A launch that takes too long, in a program with separate instances of the templates that the
// library's report uses.
// stops: late.cu:9: stopped after 1 seconds
// environment: CUDACPU_TIMEOUT=1
#include <string>
#include <vector>

__global__ void forever(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main() {
  std::vector<std::string> words(3, std::string(100, 'a'));
  words.push_back(words.front());
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  forever<<<1, 1>>>(flag);
  return cudaDeviceSynchronize() == cudaSuccess || words.size() != 4;
}
