// Thrust: vectors, iterators and algorithms on the device and on the host.
// expect: done
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "../../cpudevice/run/check.h"

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

// Counts the calls, as a generator may; the result depends on the thread alone.
struct ThreadNumber {
  int calls = 0;
  __host__ __device__ int operator()() { return calls++ + threadIdx.x + blockIdx.x * blockDim.x; }
};

// Sets the third of a tuple to the sum of the others.
struct AddUp {
  template <typename Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};

__global__ void add_kernel(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += i;
}

void test_vectors() {
  thrust::host_vector<int> h(5);
  for (int i = 0; i < 5; ++i)
    h[i] = 10 * i;
  thrust::device_vector<int> d = h;
  CHECK(d.size() == 5 && d[3] == 30);
  d[3] = 7;
  d[4] += 2;
  d.push_back(99);
  add_kernel<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), 6);
  h = d;
  CHECK(h.size() == 6 && h[3] == 10 && h[4] == 46 && h[5] == 104);
  thrust::device_vector<int> copy(d.begin() + 1, d.end() - 1);
  CHECK(copy.size() == 4 && copy.front() == 11 && copy.back() == 46);
  d.erase(d.begin(), d.begin() + 3);
  CHECK(d.size() == 3 && d[0] == 10);
  d.resize(5, -1);
  CHECK(d[3] == -1 && d != copy);
  std::vector<int> plain(d.size());
  thrust::copy(d.begin(), d.end(), plain.begin());
  CHECK(plain[4] == -1 && plain[0] == 10);
  thrust::device_ptr<int> raw = thrust::device_malloc<int>(3);
  thrust::fill(raw, raw + 3, 8);
  CHECK(raw[2] == 8);
  thrust::device_free(raw);
}

void test_elementwise() {
  constexpr int kCount = 1000;
  thrust::device_vector<float> x(kCount), y(kCount, 1.0f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2});
  CHECK(y[500] == 1001);
  thrust::transform(thrust::device, x.begin(), x.end(), x.begin(), thrust::negate<float>());
  CHECK(x[10] == -10);
  thrust::device_vector<int> a(kCount), b(kCount, 5), c(kCount);
  thrust::sequence(a.begin(), a.end(), 100, 3);
  CHECK(a[10] == 130);
  auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin()));
  thrust::for_each(first, first + kCount, AddUp());
  CHECK(c[10] == 135);
  int* raw = thrust::raw_pointer_cast(c.data());
  thrust::for_each_n(thrust::device, thrust::counting_iterator<int>(0), kCount,
                     [=] __device__(int i) { raw[i] = 2 * i; });
  CHECK(c[999] == 1998);
  thrust::device_vector<int> map(3);
  map[0] = 5, map[1] = 900, map[2] = 0;
  thrust::device_vector<int> out(3);
  thrust::gather(map.begin(), map.end(), c.begin(), out.begin());
  CHECK(out[0] == 10 && out[1] == 1800);
  auto permuted = thrust::make_permutation_iterator(c.begin(), map.begin());
  CHECK(thrust::reduce(permuted, permuted + 3) == 1810);
  thrust::generate(a.begin(), a.end(), ThreadNumber());
  CHECK(a[0] == 0 && a[700] == 700);
}

// Ranges whose ends are made each from an end of what they are made of.
void test_made_ranges() {
  thrust::device_vector<int> keys(4), values(4);
  const int unsorted[] = {2, 1, 2, 0};
  thrust::copy(unsorted, unsorted + 4, keys.begin());
  thrust::sequence(values.begin(), values.end());
  auto first = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  auto last = thrust::make_zip_iterator(thrust::make_tuple(keys.end(), values.end()));
  CHECK(last - first == 4 && first != last && first + 4 == last && first < last);
  thrust::sort(first, last);
  CHECK(keys[0] == 0 && keys[1] == 1 && keys[2] == 2 && keys[3] == 2);
  CHECK(values[0] == 3 && values[1] == 1 && values[2] == 0 && values[3] == 2);
  CHECK(thrust::reduce(thrust::make_transform_iterator(values.begin(), Square()),
                       thrust::make_transform_iterator(values.end(), Square())) == 14);
  CHECK(thrust::reduce(thrust::make_permutation_iterator(keys.begin(), values.begin()),
                       thrust::make_permutation_iterator(keys.begin(), values.end() - 1)) == 3);
}

void test_reductions() {
  constexpr int kCount = 1000;
  thrust::device_vector<int> x(kCount);
  thrust::sequence(x.begin(), x.end());
  CHECK(thrust::reduce(x.begin(), x.end()) == 499500);
  CHECK(thrust::reduce(x.begin(), x.end(), -1, thrust::maximum<int>()) == 999);
  CHECK(thrust::transform_reduce(x.begin(), x.begin() + 10, Square(), 0, thrust::plus<int>()) ==
        285);
  CHECK(thrust::inner_product(x.begin(), x.begin() + 10, x.begin(), 1) == 286);
  CHECK(thrust::count_if(x.begin(), x.end(), IsEven()) == 500);
  CHECK(thrust::count(x.begin(), x.end(), 7) == 1);
  x[700] = 5000;
  x[300] = -3;
  CHECK(thrust::max_element(x.begin(), x.end()) - x.begin() == 700);
  CHECK(*thrust::min_element(x.begin(), x.end()) == -3);
  const auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
  CHECK(thrust::reduce(squares, squares + 4) == 30);
  CHECK(thrust::reduce(thrust::make_counting_iterator(1u), thrust::make_counting_iterator(5u)) ==
        10);
  const auto twos = thrust::make_constant_iterator(2);
  CHECK(thrust::reduce(twos, twos + 9) == 18);
  int keys[] = {1, 1, 2, 3, 3, 3}, values[] = {1, 2, 3, 4, 5, 6}, sums[3];
  const auto ends = thrust::reduce_by_key(thrust::host, keys, keys + 6, values,
                                          thrust::make_discard_iterator(), sums);
  CHECK(ends.second - sums == 3 && sums[0] == 3 && sums[1] == 3 && sums[2] == 15);
}

void test_order() {
  constexpr int kCount = 4096;
  thrust::host_vector<unsigned> h(kCount);
  thrust::default_random_engine engine(17);
  thrust::uniform_int_distribution<unsigned> numbers(0, 999);
  for (unsigned& value : h)
    value = numbers(engine);
  thrust::device_vector<unsigned> d = h, keys = h, places(kCount);
  thrust::sort(d.begin(), d.end());
  std::vector<unsigned> sorted(h.begin(), h.end());
  std::sort(sorted.begin(), sorted.end());
  CHECK(thrust::equal(d.begin(), d.end(), thrust::device_vector<unsigned>(sorted).begin()));
  thrust::sequence(places.begin(), places.end());
  thrust::sort_by_key(keys.begin(), keys.end(), places.begin(), thrust::greater<unsigned>());
  thrust::host_vector<unsigned> k = keys, p = places;
  bool right = true;
  for (int i = 0; i < kCount; ++i) {
    right &= h[p[i]] == k[i];
    if (i) right &= k[i - 1] > k[i] || (k[i - 1] == k[i] && p[i - 1] < p[i]);
  }
  CHECK(right);
  const auto end = thrust::unique(d.begin(), d.end());
  CHECK(end - d.begin() == std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  thrust::device_vector<unsigned> even(kCount);
  const auto kept = thrust::copy_if(h.begin(), h.end(), h.begin(), IsEven());
  CHECK(kept - h.begin() == thrust::count_if(keys.begin(), keys.end(), IsEven()));
  const auto left = thrust::remove_if(keys.begin(), keys.end(), IsEven());
  CHECK((left - keys.begin()) + (kept - h.begin()) == kCount);
}

void test_scans() {
  constexpr int kCount = 1000;
  thrust::device_vector<int> x(kCount, 2), y(kCount);
  thrust::inclusive_scan(x.begin(), x.end(), y.begin());
  CHECK(y[0] == 2 && y[999] == 2000);
  thrust::exclusive_scan(x.begin(), x.end(), x.begin(), 10);  // in place
  CHECK(x[0] == 10 && x[999] == 2008);
  thrust::exclusive_scan(thrust::cuda::par.on(0), y.begin(), y.end(), y.begin());
  CHECK(y[0] == 0 && y[3] == 12);
  int host[4] = {1, 2, 3, 4};
  thrust::inclusive_scan(host, host + 4, host, thrust::multiplies<int>());
  CHECK(host[3] == 24);
}

int main() {
  test_vectors();
  test_elementwise();
  test_made_ranges();
  test_reductions();
  test_order();
  test_scans();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}
