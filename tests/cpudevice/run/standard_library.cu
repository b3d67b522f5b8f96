// cuda::std in kernels; kernels may call the standard library's own functions only in C++20.
// expect: PASS
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/functional>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <cstdio>

namespace {

__managed__ int failures = 0;

__host__ __device__ void check(bool holds, int line) {
  if (holds) return;
  failures += 1;
  printf("line %d\n", line);
}
#define CHECK(condition) check(condition, __LINE__)

__host__ __device__ void values() {
  int a = 1, b = 2;
  cuda::std::swap(a, b);
  CHECK(a == 2 && b == 1);
  CHECK(cuda::std::exchange(a, 7) == 2 && a == 7);
  CHECK(cuda::std::invoke(cuda::std::multiplies<int>{}, a, 3) == 21);

  cuda::std::tuple<int, float> pair(1, 2.f);
  pair = cuda::std::make_tuple(3, 4.f);
  int first;
  float second;
  cuda::std::tie(first, second) = pair;
  CHECK(first == 3 && second == 4 && cuda::std::get<1>(pair) == 4);
  CHECK(cuda::std::apply([](int x, float y) { return x + static_cast<int>(y); }, pair) == 7);
  auto [x, y] = pair;
  CHECK(x == 3 && y == 4);

  cuda::std::array<int, 4> four{1, 2, 3, 4};
  cuda::std::array<int, 4> fives{};
  fives.fill(5);
  four.swap(fives);
  CHECK(four[3] == 5 && fives.back() == 4 && four != fives);
  auto [p, q, r, s] = fives;
  CHECK(p + q + r + s == 10 && cuda::std::get<2>(fives) == 3);
  cuda::std::span<const int> view(fives.data(), fives.size());
  CHECK(view.size() == 4 && view.back() == 4);
}

__host__ __device__ void alternatives() {
  cuda::std::optional<int> maybe;
  CHECK(!maybe && maybe.value_or(4) == 4);
  maybe = 3;
  CHECK(maybe && *maybe == 3);
  maybe = cuda::std::nullopt;
  CHECK(!maybe.has_value());
  maybe.emplace(8);
  cuda::std::optional<int> other = maybe;
  other.swap(maybe);
  CHECK(*other == 8 && maybe == other);
  maybe.reset();
  CHECK(maybe != other);

  cuda::std::variant<int, float> number = 2.5f;
  CHECK(number.index() == 1 && cuda::std::get<float>(number) == 2.5f);
  number = 3;
  CHECK(cuda::std::holds_alternative<int>(number) && cuda::std::get<0>(number) == 3);
  cuda::std::variant<int, float> factor = 1.5f;
  const auto product = [](auto a, auto b) { return static_cast<float>(a * b); };
  CHECK(cuda::std::visit(product, number, factor) == 4.5f);
  CHECK(cuda::std::visit([](auto a) { return a > 2; }, number));
}

__global__ void kernel(int* data) {
  values();
  alternatives();
  data[1] = 42;
  const auto start = cuda::std::chrono::system_clock::now();
  CHECK(cuda::std::chrono::system_clock::now() >= start && start.time_since_epoch().count() > 0);
}

}  // namespace

int main() {
  values();
  alternatives();
  int* data;
  cudaMallocManaged(&data, 2 * sizeof(int));
  kernel<<<1, 1>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess || data[1] != 42) failures += 1;
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  cudaFree(data);
}
