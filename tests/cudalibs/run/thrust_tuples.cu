// thrust::tuple in kernels: made, assigned, tied, compared, swapped and taken apart
// flags: --extended-lambda
// expect: done
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

#include <functional>

#include "../../cpudevice/run/check.h"

using Item = thrust::tuple<int, float>;

__device__ Item doubled(int i) {
  return thrust::make_tuple(i, 2.0f * static_cast<float>(i));
}

__global__ void tuple_kernel(int* result) {
  int a;
  float b;
  thrust::tie(a, b) = doubled(3);
  CHECK(a == 3 && b == 6);

  Item items[2], other(8, 1);
  CHECK(thrust::get<0>(items[0]) == 0 && thrust::get<1>(items[1]) == 0);
  items[0] = doubled(5);
  items[1] = thrust::tuple<short, double>(6, .5);
  other = items[0];
  CHECK(other == items[0] && items[0] < items[1] && items[0] != items[1]);
  swap(items[0], items[1]);
  CHECK(thrust::get<0>(items[0]) == 6 && thrust::get<1>(items[1]) == 10);
  thrust::get<1>(other) = 9;
  const auto [first, second] = other;
  CHECK(first == 5 && second == 9);
  other = thrust::pair<int, float>(1, 2.0f);
  CHECK(thrust::get<0>(other) == 1 && thrust::tuple_size<Item>::value == 2);
  *result = 1;
}

int main() {
  thrust::device_vector<int> result(1);
  tuple_kernel<<<1, 1>>>(result.data().get());
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(result[0] == 1);

  int here = 1;
  auto referring = thrust::make_tuple(std::ref(here), 2);
  static_cast<int&>(thrust::get<0>(referring)) = 4;
  CHECK(here == 4);

  // Calls without a namespace.
  const auto zipped =
      thrust::make_zip_iterator(make_tuple(result.begin(), thrust::counting_iterator<int>(7)));
  const auto pair_of = make_tuple(*zipped, thrust::make_zip_iterator(make_tuple(zipped, zipped)));
  CHECK(thrust::get<1>(thrust::get<0>(pair_of)) == 7);
  thrust::tuple<int, float> from(3, 1.5f), to;
  int whole;
  tie(to, whole) = thrust::make_tuple(from, 8);
  CHECK(to == from && whole == 8);

  // Tuples of references: a zipped sort assigns and swaps references.
  thrust::device_vector<int> keys(100);
  thrust::device_vector<float> values(100);
  for (int i = 0; i < 100; ++i) {
    keys[i] = 37 * i % 100;
    values[i] = static_cast<float>(i);
  }
  auto both = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  thrust::sort(both, both + 100, [] __device__(const Item& a, const Item& b) {
    return thrust::get<0>(a) > thrust::get<0>(b);
  });
  for (int i = 0; i < 100; ++i)
    CHECK(keys[i] == 99 - i && 37 * static_cast<int>(values[i]) % 100 == 99 - i);
  puts("done");
}
