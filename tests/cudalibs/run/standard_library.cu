// The rest of cuda::std and of cuda, in kernels: algorithms, numbers, owners and results.
// expect: PASS
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/source_location>
#include <cuda/std/span>
#include <cuda/warp>

#include <cstdio>

namespace {

__managed__ int failures = 0;

__host__ __device__ void check(bool holds, int line) {
  if (holds) return;
  failures += 1;
  printf("line %d\n", line);
}
#define CHECK(condition) check(condition, __LINE__)

__host__ __device__ void sums() {
  cuda::std::array<int, 4> four{5, 5, 5, 5}, fives{1, 2, 3, 4};
  cuda::std::span<const int> view(fives.data(), fives.size());
  CHECK(cuda::std::accumulate(view.begin(), view.end(), 0) == 10);
  cuda::std::iota(four.begin(), four.end(), 10);
  CHECK(four[3] == 13);
  cuda::std::exclusive_scan(fives.begin(), fives.end(), four.begin(), 0);
  CHECK(four[0] == 0 && four[3] == 6);
  cuda::std::inclusive_scan(fives.begin(), fives.end(), four.begin());
  CHECK(four[0] == 1 && four[3] == 10);
  cuda::std::adjacent_difference(four.begin(), four.end(), four.begin());
  CHECK(four == fives);
  CHECK(cuda::std::inner_product(four.begin(), four.end(), fives.begin(), 0) == 30);
}

struct Counted {
  __host__ __device__ explicit Counted(int* alive) : alive_(alive) { ++*alive_; }
  __host__ __device__ Counted(const Counted& other) : alive_(other.alive_) { ++*alive_; }
  __host__ __device__ ~Counted() { --*alive_; }
  int* alive_;
};

__host__ __device__ cuda::std::expected<int, float> half_of(int x) {
  if (x % 2 != 0) return cuda::std::unexpected<float>(x / 2.f);
  return x / 2;
}

__host__ __device__ void owners() {
  CHECK(half_of(6) && *half_of(6) == 3);
  CHECK(!half_of(7) && half_of(7).error() == 3.5f && half_of(7).value_or(1) == 1);

  int alive = 0;
  {
    cuda::std::unique_ptr<Counted> one(new Counted(&alive));
    cuda::std::unique_ptr<Counted> moved = cuda::std::move(one);
    CHECK(!one && moved && alive == 1);
    cuda::std::unique_ptr<int[]> many(new int[3]{1, 2, 3});
    CHECK(many[2] == 3);
  }
  CHECK(alive == 0);
}

__host__ __device__ void numbers() {
  CHECK(cuda::std::popcount(0xf0u) == 4 && cuda::std::countl_zero(1u) == 31);
  CHECK(cuda::std::countr_zero(uint8_t{8}) == 3 && cuda::std::countl_zero(uint8_t{8}) == 4);
  CHECK(cuda::std::countr_one(7u) == 3 && cuda::std::countl_one(uint16_t{0xe000}) == 3);
  CHECK(cuda::std::bit_ceil(5u) == 8 && cuda::std::bit_floor(5u) == 4);
  CHECK(cuda::std::bit_width(0u) == 0 && cuda::std::has_single_bit(64ull));
  CHECK(cuda::std::rotl(0x80000001u, 1) == 3 && cuda::std::rotr(uint8_t{1}, 1) == 0x80);
  CHECK(cuda::std::bit_cast<unsigned>(1.f) == 0x3f800000u);
  CHECK(cuda::ceil_div(5, 2) == 3 && cuda::round_up(5, 4) == 8 && cuda::round_down(5u, 4u) == 4);
  CHECK(cuda::ilog2(1023) == 9);
  CHECK(cuda::maximum<>{}(1, 2) == 2 && cuda::minimum<int>{}(1, 2) == 1);
  cuda::std::complex<float> z(3, 4);
  CHECK(cuda::std::abs(z) == 5 && (z * z).imag() == 24);
  CHECK(cuda::std::norm(z) == 25 && cuda::std::conj(z).imag() == -4);
  CHECK(cuda::std::abs(cuda::std::exp(cuda::std::log(z)) - z) < 1e-5f);
  CHECK(cuda::std::sqrt(16.f) == 4 && cuda::std::abs(-3) == 3);
  CHECK(cuda::std::numbers::pi > 3.14 && cuda::std::numbers::e_v<float> < 2.72f);
  CHECK(cuda::std::source_location::current().line() == __LINE__);
}

// Each lane but the last gets the value of the next lane.
__device__ bool shuffles() {
  const auto next = cuda::device::warp_shuffle_down(threadIdx.x % 32 * 1.0, 1);
  return next.pred == (threadIdx.x % 32 < 31) &&
         (!next.pred || next.data == threadIdx.x % 32 + 1.0);
}

__global__ void kernel(int* data) {
  CHECK(shuffles());
  if (threadIdx.x != 0) return;
  sums();
  owners();
  numbers();
  const auto twice = cuda::proclaim_return_type<int>([](int x) { return 2 * x; });
  cuda::annotated_ptr<int, cuda::access_property::persisting> kept(data);
  kept[1] = twice(21);
}

}  // namespace

int main() {
  sums();
  owners();
  numbers();
  int* data;
  cudaMallocManaged(&data, 2 * sizeof(int));
  kernel<<<1, 64>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess || data[1] != 42) failures += 1;
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  cudaFree(data);
}
