// Thrust: function objects with changing state, and algorithms with a predicate, a
// comparison, a stencil or a start of the program's own.
// expect: done
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/detail/par.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <vector>

#include "../../cpudevice/run/check.h"

using Ints = thrust::device_vector<int>;
using Values = std::vector<int>;

Ints ints(const Values& values) {
  return Ints(values.begin(), values.end());
}
Values values(const Ints& v) {
  const thrust::host_vector<int> h = v;
  return Values(h.begin(), h.end());
}

// None of their call operators is const.
struct Counting {
  int calls = 0;
};
struct Odd : Counting {
  __host__ __device__ bool operator()(int x) { return ++calls > 0 && x % 2 != 0; }
};
struct Twice : Counting {
  __host__ __device__ int operator()(int x) { return ++calls > 0 ? 2 * x : 0; }
};
struct Add : Counting {
  __host__ __device__ int operator()(int a, int b) { return ++calls > 0 ? a + b : 0; }
};
struct Greater : Counting {
  __host__ __device__ bool operator()(int a, int b) { return ++calls > 0 && a > b; }
};
struct SameTens : Counting {
  __host__ __device__ bool operator()(int a, int b) { return ++calls > 0 && a / 10 == b / 10; }
};

void changing_functions() {
  const Ints v = ints({1, 2, 3, 4, 5});
  CHECK(thrust::transform_reduce(v.begin(), v.end(), Twice(), 0, Add()) == 30);
  CHECK(thrust::inner_product(v.begin(), v.end(), v.begin(), 0, Add(), Add()) == 30);
  CHECK(thrust::count_if(v.begin(), v.end(), Odd()) == 3);
  CHECK(thrust::any_of(v.begin(), v.end(), Odd()) == true);
  CHECK(thrust::all_of(v.begin(), v.end(), Odd()) == false);
  Ints out(5);
  thrust::transform_inclusive_scan(v.begin(), v.end(), out.begin(), Twice(), Add());
  CHECK(values(out) == Values({2, 6, 12, 20, 30}));
  thrust::transform_exclusive_scan(v.begin(), v.end(), out.begin(), Twice(), 1, Add());
  CHECK(values(out) == Values({1, 3, 7, 13, 21}));
  const auto twice = thrust::make_transform_iterator(v.begin(), Twice());
  thrust::copy(twice, twice + 5, out.begin());
  CHECK(values(out) == Values({2, 4, 6, 8, 10}));
  Ints keys = ints({1, 5, 3}), with = ints({10, 50, 30});
  thrust::stable_sort_by_key(keys.begin(), keys.end(), with.begin(), Greater());
  CHECK(values(with) == Values({50, 30, 10}));
}

void predicates_and_comparisons() {
  const Ints v = ints({11, 12, 25, 21, 13});
  Ints x = v, out(5);
  x.erase(thrust::unique(x.begin(), x.end(), SameTens()), x.end());
  CHECK(values(x) == Values({11, 25, 13}));
  CHECK(thrust::unique_copy(v.begin(), v.end(), out.begin(), SameTens()) - out.begin() == 3);
  CHECK(thrust::unique_count(v.begin(), v.end(), SameTens()) == 3);
  CHECK(thrust::unique_count(v.begin(), v.end()) == 5);
  Ints keys = v, with = ints({1, 2, 3, 4, 5});
  const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), with.begin(), SameTens());
  CHECK(ends.first - keys.begin() == 3);
  CHECK(values(Ints(with.begin(), ends.second)) == Values({1, 3, 5}));
  const Ints near = ints({18, 19, 29, 30, 13});
  CHECK(thrust::equal(v.begin(), v.begin() + 3, near.begin(), SameTens()) == true);
  CHECK(thrust::equal(v.begin(), v.end(), near.begin(), SameTens()) == false);
  CHECK(thrust::mismatch(v.begin(), v.end(), near.begin(), SameTens()).first - v.begin() == 3);
  const Ints falling = ints({9, 7, 7, 3, 5});
  const auto begin = falling.begin(), end = begin + 4;
  CHECK(thrust::lower_bound(begin, end, 7, Greater()) - begin == 1);
  CHECK(thrust::upper_bound(begin, end, 7, Greater()) - begin == 3);
  CHECK(thrust::binary_search(begin, end, 3, Greater()) == true);
  CHECK(thrust::equal_range(begin, end, 7, Greater()).second - begin == 3);
  CHECK(thrust::is_sorted_until(begin, begin + 5, Greater()) - begin == 4);
  thrust::inclusive_scan_by_key(v.begin(), v.end(), with.begin(), out.begin(), SameTens());
  const Ints ones(5, 1);
  thrust::inclusive_scan_by_key(v.begin(), v.end(), ones.begin(), out.begin(), SameTens());
  CHECK(values(out) == Values({1, 2, 1, 2, 1}));
  thrust::exclusive_scan_by_key(v.begin(), v.end(), ones.begin(), out.begin(), 5, SameTens());
  CHECK(values(out) == Values({5, 6, 5, 6, 5}));
  Ints sums(5);
  thrust::reduce_by_key(v.begin(), v.end(), ones.begin(), out.begin(), sums.begin(), SameTens());
  CHECK(values(Ints(sums.begin(), sums.begin() + 3)) == Values({2, 2, 1}));
}

void stencils_and_starts() {
  const Ints v = ints({1, 2, 3, 4, 5}), stencil = ints({0, 1, 1, 0, 1});
  Ints x = v, out(5), rest(5);
  thrust::replace_if(x.begin(), x.end(), stencil.begin(), Odd(), 9);
  CHECK(values(x) == Values({1, 9, 9, 4, 9}));
  thrust::replace_copy_if(v.begin(), v.end(), stencil.begin(), out.begin(), Odd(), 8);
  CHECK(values(out) == Values({1, 8, 8, 4, 8}));
  x = v;
  CHECK(thrust::remove_if(x.begin(), x.end(), stencil.begin(), Odd()) - x.begin() == 2);
  CHECK(values(Ints(x.begin(), x.begin() + 2)) == Values({1, 4}));
  x = v;
  thrust::stable_partition(x.begin(), x.end(), stencil.begin(), Odd());
  CHECK(values(x) == Values({2, 3, 5, 1, 4}));
  x = v;
  CHECK(thrust::partition(x.begin(), x.end(), stencil.begin(), Odd()) - x.begin() == 3);
  thrust::stable_partition_copy(v.begin(), v.end(), stencil.begin(), out.begin(), rest.begin(),
                                Odd());
  CHECK(values(Ints(out.begin(), out.begin() + 3)) == Values({2, 3, 5}));
  CHECK(values(Ints(rest.begin(), rest.begin() + 2)) == Values({1, 4}));
  thrust::inclusive_scan(v.begin(), v.end(), out.begin(), 10, Add());
  CHECK(values(out) == Values({11, 13, 16, 20, 25}));
  thrust::transform_inclusive_scan(v.begin(), v.end(), out.begin(), Twice(), 10, Add());
  CHECK(values(out) == Values({12, 16, 22, 30, 40}));
}

int main() {
  changing_functions();
  predicates_and_comparisons();
  stencils_and_starts();
  printf("done\n");
}
