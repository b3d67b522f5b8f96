// verdict: =ok speed=0..1
// Much of the C++ library, on the host, and of CUDA mathematics, in a kernel.
#include <alloca.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <cuda/std/array>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cstring>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/variant>
#include <cuda/std/version>
#include "cuda_check.h"
#include "saxpy.h"

#pragma region kernels
#define PASTE(a, b) a##b
#define STRING(a) #a
#define TWICE(x) STRING(x) STRING(x)
#pragma message("compiled")
#pragma pack(push, 1)
struct Packed {
  char a;
  int b;
};
#pragma pack(pop)
static_assert(sizeof(Packed) == 5, "packed");
struct alignas(16) Aligned {
  float x[4];
};

namespace {
constexpr int kBlockSize = 256;
int no_sanitized_input = 0;
[[deprecated("no_sanitize(thread)")]] [[maybe_unused]] int old() {
  return 1;
}
__device__ __constant__ float kOne[1] = {1.0f};

template <class F>
__global__ void each_kernel(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
__device__ __forceinline__ float weird(float x) {
  float s, c;
  sincospif(x, &s, &c);
  sincosf(x, &s, &c);
  return j0f(x) + j1f(x) + jnf(2, x) + y0f(1.0f) + normcdff(x) + rsqrtf(x + 1) + erfcinvf(0.5f) +
         cyl_bessel_i0f(x) + rhypotf(x, 1) + norm3df(x, 1, 2) + (float)normcdf((double)x) +
         (float)rsqrt(2.0) + (float)rcbrt(3.0) + sinpif(x) + fdividef(x, 2) + __fsqrt_rn(2) +
         (isnan(x) ? 1 : 0) + exp10f(x) + ldexpf(x, 2) + fmodf(x, 2) + lgammaf(x + 1) +
         __saturatef(x) + s + c + erfcxf(x) + normcdfinvf(.5f) + copysignf(x, 1) +
         nextafterf(x, 1) + ilogbf(x + 1);
}
__global__ void PASTE(saxpy, _kernel)(int n, float scale, const float* __restrict__ x,
                                      const float* __restrict__ y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n >= 0 && "positive");
  if (__builtin_expect(i < n, 1)) {
    float extra = n < 0 ? weird(x[i]) : 0.0f;
    asm volatile("" ::: "memory");
    result[i] = scale * x[i] * kOne[0] + y[i] + extra;
  }
}
#pragma endregion
double now() {
  timeval t;
  gettimeofday(&t, nullptr);
  return t.tv_sec + clock() / (double)CLOCKS_PER_SEC +
         std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
void talk(const char* format, ...) {
  va_list values;
  va_start(values, format);
  char text[100];
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
}
int host_things() {
  errno = 0;
  int a = std::stoi("12") + std::stol("3") + (int)std::stof("1.5") + (int)std::stod("2") +
          std::atoi("7") + (int)std::strtoul("9", nullptr, 0);
  std::string s = std::to_string(a) + std::to_string(1.5);
  std::ostringstream out;
  out << std::setw(5) << std::setprecision(3) << std::hex << s << std::endl;
  std::istringstream in("3 4");
  int p;
  in >> p;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> d;
  a += d(random) > 2;
  std::normal_distribution<> nd;
  a += nd(random) > 100;
  std::vector<int> v(10);
  std::iota(v.begin(), v.end(), 0);
  a += std::accumulate(v.begin(), v.end(), 0);
  std::function<int(int)> f = [&](int x) { return x + a; };
  a = f(1);
  int r = 0;
  std::from_chars(s.data(), s.data() + s.size(), r);
  char buffer[20];
  std::to_chars(buffer, buffer + 20, 12);
  std::map<std::string, int> m{{"a", 1}};
  std::unordered_map<int, int> u{{1, 2}};
  std::set<int> st{1};
  std::list<int> l{2};
  auto q = std::make_unique<int[]>(3);
  auto sp = std::make_shared<int>(4);
  std::optional<int> o = 3;
  std::variant<int, float> va = 3;
  auto [x1, y1] = std::pair{1, 2};
  a += m["a"] + u[1] + *st.begin() + l.front() + q[0] + *sp + *o + std::get<int>(va) + x1 + y1 +
       (int)std::bitset<8>(3).count() + std::gcd(4, 6) + offsetof(Packed, b);
  std::complex<float> c(1, 2);
  a += (int)std::abs(c) + (int)std::lgamma(3.0) + (std::isnan(NAN) ? 1 : 0) + (INFINITY > 1) +
       std::signbit(1.0f) + std::fpclassify(1.0f);
  try {
    if (a == -1) throw std::runtime_error("x");
  } catch (const std::exception& e) {
    std::cerr << e.what();
  }
  switch (a) {
    case 1:
      a = 2;
      [[fallthrough]];
    default:
      break;
  }
  if (a > 0) [[likely]]
    a++;
  printf("%" PRId64 " %s\n", (int64_t)a, TWICE(x));
  std::sort(v.begin(), v.end(), std::greater<>());
  std::cout << std::fixed << 1.0 << '\n';
  fflush(stdout);
  std::string_view sv = "abc";
  a += sv.size() + isalpha('a') + toupper('b') + strcmp("a", "b") +
       (strstr("abc", "b") != nullptr) + rand() % 2;
  qsort(v.data(), v.size(), sizeof(int),
        [](const void* a, const void* b) { return *(const int*)a - *(const int*)b; });
  time_t t = time(nullptr);
  a += t > 0;
  sprintf(buffer, "%d", 3);
  int z;
  sscanf("5", "%d", &z);
  int* p2 = (int*)alloca(16);
  p2[0] = 1;
  int over;
  a += __builtin_add_overflow(1, 2, &over) + __builtin_popcount(3) + INT_MAX % 2;
  cuda::std::array<int, 2> ca{1, 2};
  cuda::std::span<int> cs(ca);
  a += cs[1] + cs.size();
  return a + (UINT64_C(1) > 0);
}
}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const double start = now();
  static const int once = host_things();
  (void)once;
  (void)start;
  (void)no_sanitized_input;
  talk("%d", 1);
  dim3 grid(ceil_div(n, kBlockSize));
  saxpy_kernel<<<grid, kBlockSize>>>(n, scale, x, y, result);
  each_kernel<<<grid, kBlockSize>>>(n, [=] __device__(int i) { result[i] = scale * x[i] + y[i]; });
  auto both = [=] __host__ __device__(int i) { return scale * x[i] + y[i]; };
  each_kernel<<<grid, kBlockSize>>>(n, [=] __device__(int i) { result[i] = both(i); });
  CUDA_CHECK(cudaGetLastError());
}
