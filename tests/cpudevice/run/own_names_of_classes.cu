// Classes that give a name of a namespace another meaning, which g++ alone refuses.
// expect: done
#include "check.h"

template <typename T, int kCount>
struct Config {
  T values[kCount];
};

namespace outer {
namespace {
struct Kind {
  int number;
};
}  // namespace

template <typename T>
class Sums {
 public:
  using Config = ::Config<T, 3>;
  using Kind = Kind;
  __host__ __device__ static T sum(const Config& c) {
    return c.values[0] + c.values[1] + c.values[2];
  }
};

namespace second::third {
template <typename T>
struct Pair {
  T a, b;
};
struct User {
  using Pair = Pair<float>;
  Pair pair;
};
}  // namespace second::third
}  // namespace outer

class Plain {
 public:
  using Config = Config<int, 2>;
  Config config;
};

__global__ void sum_kernel(outer::Sums<int>::Config c, Plain plain, int* result) {
  *result = outer::Sums<int>::sum(c) + plain.config.values[1];
}

int main() {
  int *result, sum = 0;
  CHECK_OK(cudaMalloc(&result, sizeof(int)));
  sum_kernel<<<1, 1>>>({{1, 2, 3}}, {{{4, 5}}}, result);
  CHECK_OK(cudaMemcpy(&sum, result, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(sum == 11);
  CHECK_OK(cudaFree(result));
  const outer::Sums<int>::Kind kind = {7};
  const outer::second::third::User user = {{1, 2}};
  CHECK(kind.number == 7 && user.pair.b == 2);
  puts("done");
}
