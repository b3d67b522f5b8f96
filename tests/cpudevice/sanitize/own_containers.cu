// Program and device library have separate instances of the templates that both use, so that the
// library does not observe itself.
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

__global__ void count_kernel(unsigned* p) {
  p[threadIdx.x] = threadIdx.x;
}

int main() {
  std::vector<unsigned> numbers;
  std::map<uintptr_t, size_t> sizes;
  std::unordered_map<uintptr_t, size_t> places;
  std::vector<std::string> names;
  for (unsigned i = 0; i < 100; ++i) {
    numbers.push_back(i);
    sizes[7 * i] = places[7 * i] = i;
    names.push_back(std::to_string(i));
  }
  sizes.erase(7);
  unsigned* p;
  cudaMalloc(&p, 400);
  cudaMemcpy(p, numbers.data(), 400, cudaMemcpyHostToDevice);
  count_kernel<<<1, 100>>>(p);
  cudaMemcpy(numbers.data(), p, 400, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return numbers[99] == 99 && sizes.size() == 99 && places.size() == 100 ? 0 : 1;
}
