// What the header of CUB brings along of the standard library, and the version.
// expect: 2 keys
#include <cub/cub.cuh>

static_assert(CUB_MAJOR_VERSION == 3 && CCCL_MAJOR_VERSION == 3, "of CUDA 13");

int main() {
  const auto start = std::chrono::steady_clock::now();
  const std::map<int, int> counts{{3, 1}, {4, 2}};
  const std::set<int> keys{3, 4, 4};
  const std::optional<size_t> n = counts.size();
  if (*n == keys.size() && std::chrono::steady_clock::now() >= start)
    std::cout << keys.size() << " keys" << std::endl;
}
