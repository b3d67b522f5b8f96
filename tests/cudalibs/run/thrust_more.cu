// Thrust: vectors with an own allocator, complex numbers, placeholders, random numbers,
// searches, sets, and algorithms that leave elements out.
// expect: done
#include <thrust/advance.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/device_malloc_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <cmath>
#include <iterator>
#include <list>
#include <sstream>
#include <vector>

#include "../../cpudevice/run/check.h"

using namespace thrust::placeholders;
using Ints = thrust::device_vector<int>;

std::vector<int> values(const Ints& v) {
  const thrust::host_vector<int> h = v;
  return {h.begin(), h.end()};
}

// Counts allocations, and leaves new elements unchanged.
int allocated = 0;
template <typename T>
struct CountingAllocator : thrust::device_malloc_allocator<T> {
  using Base = thrust::device_malloc_allocator<T>;
  using pointer = typename Base::pointer;
  pointer allocate(size_t n) {
    ++allocated;
    return Base::allocate(n);
  }
  void deallocate(pointer p, size_t n) {
    --allocated;
    Base::deallocate(p, n);
  }
  __host__ __device__ void construct(T*) {}
};

template <template <typename, typename> class Vector, typename T, typename Allocator>
size_t size_of(const Vector<T, Allocator>& v) {
  return v.size();
}

void check_vectors() {
  {
    thrust::device_vector<int, CountingAllocator<int>> counted(5);
    counted.resize(9, 3);
    CHECK(allocated == 1 && counted[8] == 3 && size_of(counted) == 9);
    const thrust::device_vector<int> other = counted;
    CHECK(other.size() == 9 && other[8] == 3);
  }
  CHECK(allocated == 0);
  thrust::universal_vector<int> shared(3, 7);
  thrust::transform(thrust::device, shared.begin(), shared.end(), shared.begin(), _1 + 1);
  CHECK(shared[2] == 8);
  const std::list<int> list{1, 2, 4};
  Ints v(list.begin(), list.end());
  v.insert(v.begin() + 2, 3);
  v.push_back(5);
  CHECK((values(v) == std::vector<int>{1, 2, 3, 4, 5}));
  CHECK(*v.rbegin() == 5 && thrust::distance(v.begin(), v.end()) == 5);
  Ints::iterator place = v.begin();
  thrust::advance(place, 3);
  CHECK(*place == 4 && *thrust::next(place) == 5 && *thrust::prev(place) == 3);
  thrust::device_vector<bool> flags(3, true);
  CHECK(flags[2]);
}

__global__ void complex_kernel(thrust::complex<float>* z) {
  *z = thrust::exp(thrust::complex<float>(0, 3.14159265f)) + 1.0f;
}

void check_complex() {
  using Complex = thrust::complex<double>;
  const Complex a(3, 4), b(1, -2);
  CHECK(a * b == Complex(11, -2) && abs(a * b / b - a) < 1e-14 && abs(a) == 5 && norm(b) == 5);
  CHECK(a - 1 == Complex(2, 4) && 2.0 * b == Complex(2, -4) && conj(a).imag() == -4);
  CHECK(abs(thrust::sqrt(a) - Complex(2, 1)) < 1e-15 && sizeof(Complex) == 16);
  CHECK(abs(thrust::pow(a, 2.0) - a * a) < 1e-12 && abs(thrust::log(exp(b)) - b) < 1e-15);
  std::ostringstream text;
  text << a;
  CHECK(text.str() == "(3,4)");
  thrust::device_vector<thrust::complex<float>> z(1);
  complex_kernel<<<1, 1>>>(thrust::raw_pointer_cast(z.data()));
  const thrust::complex<float> host = z[0];
  CHECK(thrust::abs(host) < 1e-6f);
  z[0] = thrust::complex<float>(1, 2);
  const thrust::device_vector<thrust::complex<float>>& elements = z;
  text << elements[0];
  CHECK(text.str() == "(3,4)(1,2)");
}

void check_elements() {
  Ints v(6);
  thrust::sequence(v.begin(), v.end());
  thrust::transform_if(v.begin(), v.end(), v.begin(), _1 * 10, _1 % 2 == 1);
  CHECK((values(v) == std::vector<int>{0, 10, 2, 30, 4, 50}));
  thrust::replace(v.begin(), v.end(), 4, 40);
  Ints w(6);
  thrust::replace_copy_if(v.begin(), v.end(), w.begin(), _1 < 10, -1);
  CHECK((values(w) == std::vector<int>{-1, 10, -1, 30, 40, 50}));
  thrust::swap_ranges(v.begin(), v.begin() + 2, w.begin());
  CHECK(v[0] == -1 && w[0] == 0);
  thrust::reverse_copy(v.begin(), v.end(), w.begin());
  CHECK(w[0] == 50 && w[5] == -1);
  const int map[] = {2, 0, 1, 5, 4, 3}, keep[] = {1, 0, 1, 0, 0, 1};
  const Ints d_map(map, map + 6), d_keep(keep, keep + 6);
  thrust::fill(w.begin(), w.end(), 0);
  thrust::scatter_if(v.begin(), v.end(), d_map.begin(), d_keep.begin(), w.begin());
  CHECK((values(w) == std::vector<int>{0, 2, -1, 50, 0, 0}));
  CHECK(thrust::max(3, 4) == 4 && thrust::min(3, 4) == 3);
}

void check_searches_and_sets() {
  const Ints sorted = {1, 3, 3, 5}, wanted = {0, 3, 6}, other = {2, 3, 5, 7};
  Ints places(3), merged(8), found(8);
  thrust::lower_bound(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), places.begin());
  CHECK((values(places) == std::vector<int>{0, 1, 4}));
  thrust::upper_bound(thrust::device, sorted.begin(), sorted.end(), wanted.begin(), wanted.end(),
                      places.begin());
  CHECK((values(places) == std::vector<int>{0, 3, 4}));
  CHECK(thrust::binary_search(sorted.begin(), sorted.end(), 5) &&
        !thrust::binary_search(sorted.begin(), sorted.end(), 4));
  CHECK(*thrust::lower_bound(sorted.begin(), sorted.end(), 4) == 5);
  thrust::merge(sorted.begin(), sorted.end(), other.begin(), other.end(), merged.begin());
  CHECK((values(merged) == std::vector<int>{1, 2, 3, 3, 3, 5, 5, 7}));
  auto end = thrust::set_intersection(sorted.begin(), sorted.end(), other.begin(), other.end(),
                                      found.begin());
  CHECK(end - found.begin() == 2 && found[0] == 3 && found[1] == 5);
  end = thrust::set_difference(sorted.begin(), sorted.end(), other.begin(), other.end(),
                               found.begin());
  CHECK(end - found.begin() == 2 && found[0] == 1 && found[1] == 3);
}

void check_selections() {
  Ints v = {5, 2, 7, 4, 6}, even(5), odd(5);
  const auto ends =
      thrust::partition_copy(v.begin(), v.end(), even.begin(), odd.begin(), _1 % 2 == 0);
  CHECK(ends.first - even.begin() == 3 && ends.second - odd.begin() == 2 && odd[1] == 7);
  const auto middle = thrust::stable_partition(v.begin(), v.end(), _1 % 2 == 0);
  CHECK(middle - v.begin() == 3 && (values(v) == std::vector<int>{2, 4, 6, 5, 7}));
  CHECK(thrust::remove_copy(v.begin(), v.end(), even.begin(), 6) - even.begin() == 4);
  Ints keys = {1, 1, 2, 2, 2}, x = {1, 2, 3, 4, 5}, sums(5);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), x.begin(), sums.begin());
  CHECK((values(sums) == std::vector<int>{0, 1, 0, 3, 7}));
  const auto left = thrust::unique_by_key(keys.begin(), keys.end(), x.begin());
  CHECK(left.first - keys.begin() == 2 && x[1] == 3);
  thrust::sort(v.rbegin(), v.rend());
  CHECK((values(v) == std::vector<int>{7, 6, 5, 4, 2}));
}

void check_random() {
  thrust::minstd_rand0 old(1);
  old.discard(9999);
  CHECK(old() == 1043618065);  // the standard's
  thrust::default_random_engine engine(3);
  Ints v(100);
  thrust::sequence(v.begin(), v.end());
  thrust::shuffle(v.begin(), v.end(), engine);
  CHECK(!thrust::is_sorted(v.begin(), v.end()) && engine != thrust::default_random_engine(3));
  thrust::sort(v.begin(), v.end());
  CHECK(v[0] == 0 && v[99] == 99 && thrust::unique(v.begin(), v.end()) == v.end());
  thrust::normal_distribution<float> normal(5, 2);
  thrust::taus88 numbers(7);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = normal(numbers) - 5;
    sum += x;
    squares += x * x;
  }
  CHECK(fabs(sum / 20000) < .05 && fabs(squares / 20000 - 4) < .2);
}

void check_streams() {
  thrust::device_vector<float> on_device(3);
  thrust::sequence(on_device.begin(), on_device.end());
  const thrust::host_vector<float> on_host(on_device);
  std::ostringstream text;
  thrust::copy(on_device.begin(), on_device.end(), std::ostream_iterator<float>(text, " "));
  thrust::copy(on_host.begin(), on_host.end(), std::ostream_iterator<float>(text, ","));
  CHECK(text.str() == "0 1 2 0,1,2,");
  // Between host and device with another type, by pointers too.
  const unsigned counts[3] = {3, 1, 2};
  thrust::copy(counts, counts + 3, on_device.begin());
  long rounded[3];
  thrust::copy(on_device.begin(), on_device.end(), rounded);
  CHECK(rounded[0] == 3 && rounded[1] == 1 && rounded[2] == 2);
  thrust::sequence(on_device.begin(), on_device.end());
  std::vector<float> copied;
  thrust::copy_n(on_device.begin() + 1, 2, std::back_inserter(copied));
  CHECK(copied.size() == 2 && copied[1] == 2);
}

int main() {
  check_streams();
  check_vectors();
  check_complex();
  check_elements();
  check_searches_and_sets();
  check_selections();
  check_random();
  puts("done");
}
