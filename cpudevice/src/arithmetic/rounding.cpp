// Arithmetic rounded up, down or towards zero: by the processor's own rounding mode, for a single
// operation.
#include "cudacpu/device/rounding.h"

#include <cfenv>

#include "cudacpu/runtime.h"

namespace {

// Sets the rounding mode during its lifetime. Changes the SSE register alone, as these functions
// never use the x87 unit: fesetround() would set both, at ten times the cost.
class RoundingMode {
 public:
#ifdef __x86_64__
  explicit RoundingMode(int mode) : before_(__builtin_ia32_stmxcsr()) {
    constexpr unsigned kRoundingBits = 0x6000;
    __builtin_ia32_ldmxcsr((before_ & ~kRoundingBits) | static_cast<unsigned>(mode) << 3);
  }
  ~RoundingMode() {
    __builtin_ia32_ldmxcsr(before_);
  }

 private:
  unsigned before_;
#else
  explicit RoundingMode(int mode) : before_(fegetround()) {
    fesetround(mode);
  }
  ~RoundingMode() {
    fesetround(before_);
  }

 private:
  int before_;
#endif
};

// Loads and stores through volatiles keep the operation between the two changes of mode.
template <int mode, typename Result, typename Operation, typename... Operands>
Result rounded(Operation operation, volatile Operands... operands) {
  cudacpu::NoPreemption guard;
  volatile Result result;
  {
    RoundingMode while_calculating(mode);
    result = operation(operands...);
  }
  return result;
}

}  // namespace

#define CUDACPU_DIRECTED_1(name, T, A, expression)                            \
  T name##_rz(A x) {                                                          \
    return rounded<FE_TOWARDZERO, T>([](A x) -> T { return expression; }, x); \
  }                                                                           \
  T name##_ru(A x) {                                                          \
    return rounded<FE_UPWARD, T>([](A x) -> T { return expression; }, x);     \
  }                                                                           \
  T name##_rd(A x) {                                                          \
    return rounded<FE_DOWNWARD, T>([](A x) -> T { return expression; }, x);   \
  }
#define CUDACPU_DIRECTED_2(name, T, expression)                                       \
  T name##_rz(T x, T y) {                                                             \
    return rounded<FE_TOWARDZERO, T>([](T x, T y) -> T { return expression; }, x, y); \
  }                                                                                   \
  T name##_ru(T x, T y) {                                                             \
    return rounded<FE_UPWARD, T>([](T x, T y) -> T { return expression; }, x, y);     \
  }                                                                                   \
  T name##_rd(T x, T y) {                                                             \
    return rounded<FE_DOWNWARD, T>([](T x, T y) -> T { return expression; }, x, y);   \
  }
#define CUDACPU_DIRECTED_FMA(name, T)                                                           \
  T name##_rz(T x, T y, T z) {                                                                  \
    return rounded<FE_TOWARDZERO, T>([](T x, T y, T z) { return std::fma(x, y, z); }, x, y, z); \
  }                                                                                             \
  T name##_ru(T x, T y, T z) {                                                                  \
    return rounded<FE_UPWARD, T>([](T x, T y, T z) { return std::fma(x, y, z); }, x, y, z);     \
  }                                                                                             \
  T name##_rd(T x, T y, T z) {                                                                  \
    return rounded<FE_DOWNWARD, T>([](T x, T y, T z) { return std::fma(x, y, z); }, x, y, z);   \
  }

CUDACPU_DIRECTED_2(__fadd, float, x + y)
CUDACPU_DIRECTED_2(__fsub, float, x - y)
CUDACPU_DIRECTED_2(__fmul, float, x* y)
CUDACPU_DIRECTED_2(__fdiv, float, x / y)
CUDACPU_DIRECTED_1(__frcp, float, float, 1.0f / x)
CUDACPU_DIRECTED_1(__fsqrt, float, float, std::sqrt(x))
CUDACPU_DIRECTED_FMA(__fmaf, float)
CUDACPU_DIRECTED_2(__dadd, double, x + y)
CUDACPU_DIRECTED_2(__dsub, double, x - y)
CUDACPU_DIRECTED_2(__dmul, double, x* y)
CUDACPU_DIRECTED_2(__ddiv, double, x / y)
CUDACPU_DIRECTED_1(__drcp, double, double, 1.0 / x)
CUDACPU_DIRECTED_1(__dsqrt, double, double, std::sqrt(x))
CUDACPU_DIRECTED_FMA(__fma, double)
CUDACPU_DIRECTED_1(__double2float, float, double, static_cast<float>(x))
CUDACPU_DIRECTED_1(__int2float, float, int, static_cast<float>(x))
CUDACPU_DIRECTED_1(__uint2float, float, unsigned int, static_cast<float>(x))
CUDACPU_DIRECTED_1(__ll2float, float, long long, static_cast<float>(x))
CUDACPU_DIRECTED_1(__ull2float, float, unsigned long long, static_cast<float>(x))
CUDACPU_DIRECTED_1(__ll2double, double, long long, static_cast<double>(x))
CUDACPU_DIRECTED_1(__ull2double, double, unsigned long long, static_cast<double>(x))
