// What a header of Thrust brings along of the standard library and of cuda::std, and the version.
// expect: 1 2 3
#include <thrust/sort.h>

static_assert(THRUST_MAJOR_VERSION == 3 && CCCL_MAJOR_VERSION == 3, "of CUDA 13");

int main() {
  const std::unique_ptr<int[]> keys(new int[3]{3, 1, 2});
  thrust::sort(keys.get(), keys.get() + 3);
  std::atomic<int> least(static_cast<int>(FLT_MIN) + keys[0]);
  const cuda::std::tuple<int, int> ends{keys[0], keys[2]};
  if (cuda::maximum<>{}(cuda::std::get<0>(ends), cuda::std::identity{}(2)) != 2) return 1;
  std::cout << least << ' ' << keys[1] << ' ' << keys[2] << std::endl;
}
