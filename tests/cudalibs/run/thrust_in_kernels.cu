// Thrust's algorithms in a kernel: each runs in the calling thread, under either policy.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include "../../cpudevice/run/check.h"

constexpr int kCount = 100;

struct Double {
  __host__ __device__ void operator()(int& x) const { x *= 2; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct IsSmall {
  __host__ __device__ bool operator()(int x) const { return x < 10; }
};

template <typename Policy>
__device__ void search(const Policy& policy, int* x) {
  thrust::sequence(policy, x, x + kCount);
  thrust::reverse(policy, x, x + kCount);
  CHECK(x[0] == kCount - 1);
  CHECK(thrust::find(policy, x, x + kCount, 5) == x + kCount - 6);
  thrust::sort(policy, x, x + kCount);
  CHECK(thrust::find_if(policy, x, x + kCount, IsEven()) == x);
  CHECK(thrust::lower_bound(policy, x, x + kCount, 7) == x + 7);
  CHECK(thrust::binary_search(policy, x, x + kCount, 7));
  CHECK(*thrust::max_element(policy, x, x + kCount) == kCount - 1);
  CHECK(thrust::count_if(policy, x, x + kCount, IsSmall()) == 10);
}

template <typename Policy>
__device__ void combine(const Policy& policy, int* x, int* y) {
  CHECK(thrust::reduce(policy, x, x + kCount) == 4950);
  CHECK(thrust::transform_reduce(policy, x, x + kCount, thrust::negate<int>(), 0,
                                 thrust::plus<int>()) == -4950);
  thrust::exclusive_scan(policy, x, x + kCount, y);
  CHECK(y[kCount - 1] == 4950 - 99);
  thrust::copy(policy, x, x + kCount, y);
  CHECK(thrust::equal(policy, x, x + kCount, y));
  CHECK(thrust::inner_product(policy, x, x + kCount, y, 0) == 328350);
}

template <typename Policy>
__device__ void leave_out(const Policy& policy, int* x, int* y) {
  thrust::for_each(policy, x, x + kCount, Double());
  CHECK(thrust::all_of(policy, x, x + kCount, IsEven()));
  y[1] = 0;
  CHECK(thrust::unique(policy, y, y + kCount) == y + kCount - 1);
  CHECK(thrust::remove(policy, y, y + kCount - 1, 50) == y + kCount - 2);
  CHECK(thrust::partition(policy, x, x + kCount, IsSmall()) == x + 5);
}

__global__ void kernel(int* x, int* y) {
  search(thrust::seq, x);
  combine(thrust::seq, x, y);
  leave_out(thrust::seq, x, y);
  search(thrust::device, x);
  combine(thrust::device, x, y);
  leave_out(thrust::device, x, y);
}

int main() {
  int *x, *y;
  CHECK_OK(cudaMalloc(&x, kCount * sizeof(int)));
  CHECK_OK(cudaMalloc(&y, kCount * sizeof(int)));
  kernel<<<1, 1>>>(x, y);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaFree(x));
  CHECK_OK(cudaFree(y));
}
