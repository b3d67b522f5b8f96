// The common part of cuda_fp16.h and cuda_bf16.h. Each includes the file once, with no guard, after
// defining
//   CUDACPU_SHORT    the type of 16 bits, made from any real number, with a member __x
//   CUDACPU_SHORT2   the pair of two numbers, with members x and y
//   CUDACPU_WIDEN    a function of 16 bits to double
//   CUDACPU_NARROW   a function of double to 16 bits, rounded to the nearest
// A double has more than twice the digits, so rounding a result to double and then to 16 bits gives
// the correctly rounded result.
//
// A GPU has one instruction for most functions, so a profile looks neither inside nor at the called
// functions: compiler/counts/prices.py knows the functions by their names.

// Functions whose inside no profile counts return plain bits: the compiler's instrumentation would
// not see that a call writes a structure to memory.
#define CUDACPU_SHORT_ONE CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline
#define CUDACPU_SHORT_FEW CUDACPU_HOST_DEVICE inline
#define CUDACPU_SHORT_SEEN(T, Bits, name, parameters, arguments)                \
  CUDACPU_HOST_DEVICE inline __attribute__((always_inline)) T name parameters { \
    const Bits bits = name##_bits arguments;                                    \
    T result;                                                                   \
    __builtin_memcpy(static_cast<void*>(&result), &bits, sizeof bits);          \
    return result;                                                              \
  }
#define CUDACPU_SHORT_FUNCTION(name, parameters, arguments, expression) \
  CUDACPU_SHORT_ONE unsigned short name##_bits parameters {             \
    return CUDACPU_NARROW(expression);                                  \
  }                                                                     \
  CUDACPU_SHORT_SEEN(CUDACPU_SHORT, unsigned short, name, parameters, arguments)
// Of pairs: `low` and `high` are bits.
#define CUDACPU_PAIR_FUNCTION(name, parameters, arguments, low, high) \
  CUDACPU_SHORT_ONE unsigned name##_bits parameters {                 \
    return (low) | static_cast<unsigned>(high) << 16;                 \
  }                                                                   \
  CUDACPU_SHORT_SEEN(CUDACPU_SHORT2, unsigned, name, parameters, arguments)

// ---- arithmetic: each operation for numbers and for pairs ----
#define CUDACPU_BINARY(name, name2, expression)                                               \
  CUDACPU_SHORT_ONE double name##_wide(CUDACPU_SHORT p, CUDACPU_SHORT q) {                    \
    const double a = CUDACPU_WIDEN(p.__x), b = CUDACPU_WIDEN(q.__x);                          \
    return expression;                                                                        \
  }                                                                                           \
  CUDACPU_SHORT_FUNCTION(name, (CUDACPU_SHORT p, CUDACPU_SHORT q), (p, q), name##_wide(p, q)) \
  CUDACPU_PAIR_FUNCTION(name2, (CUDACPU_SHORT2 p, CUDACPU_SHORT2 q), (p, q),                  \
                        name##_bits(p.x, q.x), name##_bits(p.y, q.y))
#define CUDACPU_SATURATED(x) ((x) > 0 ? (x) < 1 ? (x) : 1.0 : 0.0)
CUDACPU_BINARY(__hadd, __hadd2, a + b)
CUDACPU_BINARY(__hsub, __hsub2, a - b)
CUDACPU_BINARY(__hmul, __hmul2, a* b)
CUDACPU_BINARY(__hdiv, __h2div, a / b)
CUDACPU_BINARY(__hadd_sat, __hadd2_sat, CUDACPU_SATURATED(a + b))
CUDACPU_BINARY(__hsub_sat, __hsub2_sat, CUDACPU_SATURATED(a - b))
CUDACPU_BINARY(__hmul_sat, __hmul2_sat, CUDACPU_SATURATED(a* b))
CUDACPU_BINARY(__hadd_rn, __hadd2_rn, a + b)
CUDACPU_BINARY(__hsub_rn, __hsub2_rn, a - b)
CUDACPU_BINARY(__hmul_rn, __hmul2_rn, a* b)
CUDACPU_BINARY(__hmax, __hmax2, cudacpu::larger(a, b))
CUDACPU_BINARY(__hmin, __hmin2, cudacpu::smaller(a, b))
CUDACPU_BINARY(__hmax_nan, __hmax2_nan, cudacpu::larger_or_nan(a, b))
CUDACPU_BINARY(__hmin_nan, __hmin2_nan, cudacpu::smaller_or_nan(a, b))
#undef CUDACPU_BINARY

// A double holds the product.
#define CUDACPU_FUSED(name, name2, expression)                                                    \
  CUDACPU_SHORT_ONE double name##_wide(CUDACPU_SHORT p, CUDACPU_SHORT q, CUDACPU_SHORT r) {       \
    const double sum =                                                                            \
        cudacpu::sum_to_odd(CUDACPU_WIDEN(p.__x) * CUDACPU_WIDEN(q.__x), CUDACPU_WIDEN(r.__x));   \
    return expression;                                                                            \
  }                                                                                               \
  CUDACPU_SHORT_FUNCTION(name, (CUDACPU_SHORT p, CUDACPU_SHORT q, CUDACPU_SHORT r), (p, q, r),    \
                         name##_wide(p, q, r))                                                    \
  CUDACPU_PAIR_FUNCTION(name2, (CUDACPU_SHORT2 p, CUDACPU_SHORT2 q, CUDACPU_SHORT2 r), (p, q, r), \
                        name##_bits(p.x, q.x, r.x), name##_bits(p.y, q.y, r.y))
CUDACPU_FUSED(__hfma, __hfma2, sum)
CUDACPU_FUSED(__hfma_sat, __hfma2_sat, CUDACPU_SATURATED(sum))
CUDACPU_FUSED(__hfma_relu, __hfma2_relu, sum < 0 ? 0.0 : sum)
#undef CUDACPU_FUSED
#undef CUDACPU_SATURATED

// Host and device alike by the C library, which rounds better than 16 bits need.
#define CUDACPU_UNARY(name, name2, expression)                         \
  CUDACPU_SHORT_ONE double name##_wide(CUDACPU_SHORT p) {              \
    const double a = CUDACPU_WIDEN(p.__x);                             \
    return expression;                                                 \
  }                                                                    \
  CUDACPU_SHORT_FUNCTION(name, (CUDACPU_SHORT p), (p), name##_wide(p)) \
  CUDACPU_PAIR_FUNCTION(name2, (CUDACPU_SHORT2 p), (p), name##_bits(p.x), name##_bits(p.y))
CUDACPU_UNARY(__hneg, __hneg2, -a)
CUDACPU_UNARY(__habs, __habs2, __builtin_fabs(a))
CUDACPU_UNARY(hsqrt, h2sqrt, __builtin_sqrt(a))
CUDACPU_UNARY(hrsqrt, h2rsqrt, 1 / __builtin_sqrt(a))
CUDACPU_UNARY(hrcp, h2rcp, 1 / a)
CUDACPU_UNARY(hexp, h2exp, __builtin_exp(a))
CUDACPU_UNARY(hexp2, h2exp2, __builtin_exp2(a))
CUDACPU_UNARY(hexp10, h2exp10, __builtin_pow(10.0, a))
CUDACPU_UNARY(hlog, h2log, __builtin_log(a))
CUDACPU_UNARY(hlog2, h2log2, __builtin_log2(a))
CUDACPU_UNARY(hlog10, h2log10, __builtin_log10(a))
CUDACPU_UNARY(hsin, h2sin, __builtin_sin(a))
CUDACPU_UNARY(hcos, h2cos, __builtin_cos(a))
CUDACPU_UNARY(htanh, h2tanh, __builtin_tanh(a))
CUDACPU_UNARY(htanh_approx, h2tanh_approx, __builtin_tanh(a))
CUDACPU_UNARY(hceil, h2ceil, __builtin_ceil(a))
CUDACPU_UNARY(hfloor, h2floor, __builtin_floor(a))
CUDACPU_UNARY(htrunc, h2trunc, __builtin_trunc(a))
CUDACPU_UNARY(hrint, h2rint, __builtin_nearbyint(a))
#undef CUDACPU_UNARY

// A product of complex numbers, and a sum: x is the real part.
CUDACPU_SHORT_FEW CUDACPU_SHORT2 __hcmadd(CUDACPU_SHORT2 a, CUDACPU_SHORT2 b, CUDACPU_SHORT2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

CUDACPU_SHORT_ONE bool __hisnan(CUDACPU_SHORT h) {
  const double a = CUDACPU_WIDEN(h.__x);
  return a != a;
}
CUDACPU_PAIR_FUNCTION(__hisnan2, (CUDACPU_SHORT2 h), (h), CUDACPU_NARROW(__hisnan(h.x)),
                      CUDACPU_NARROW(__hisnan(h.y)))
CUDACPU_SHORT_ONE int __hisinf(CUDACPU_SHORT h) {
  const double a = CUDACPU_WIDEN(h.__x);
  return a == __builtin_inf() ? 1 : a == -__builtin_inf() ? -1 : 0;
}

// ---- comparisons ----
// Of numbers; of pairs as 1 or 0 for each, as a mask for each, and both. Comparisons with a u are
// true of NaN.
#define CUDACPU_COMPARISON(name, condition)                                                       \
  CUDACPU_SHORT_ONE bool __h##name(CUDACPU_SHORT p, CUDACPU_SHORT q) {                            \
    const double a = CUDACPU_WIDEN(p.__x), b = CUDACPU_WIDEN(q.__x);                              \
    return condition;                                                                             \
  }                                                                                               \
  CUDACPU_PAIR_FUNCTION(__h##name##2, (CUDACPU_SHORT2 a, CUDACPU_SHORT2 b), (a, b),               \
                        CUDACPU_NARROW(__h##name(a.x, b.x)), CUDACPU_NARROW(__h##name(a.y, b.y))) \
  CUDACPU_SHORT_ONE unsigned __h##name##2_mask(CUDACPU_SHORT2 a, CUDACPU_SHORT2 b) {              \
    return (__h##name(a.x, b.x) ? 0xFFFFu : 0) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0);         \
  }                                                                                               \
  CUDACPU_SHORT_ONE bool __hb##name##2(CUDACPU_SHORT2 a, CUDACPU_SHORT2 b) {                      \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
  }
CUDACPU_COMPARISON(eq, a == b)
CUDACPU_COMPARISON(ne, a<b || a> b)
CUDACPU_COMPARISON(lt, a < b)
CUDACPU_COMPARISON(le, a <= b)
CUDACPU_COMPARISON(gt, a > b)
CUDACPU_COMPARISON(ge, a >= b)
CUDACPU_COMPARISON(equ, !(a < b || a > b))
CUDACPU_COMPARISON(neu, a != b)
CUDACPU_COMPARISON(ltu, !(a >= b))
CUDACPU_COMPARISON(leu, !(a > b))
CUDACPU_COMPARISON(gtu, !(a <= b))
CUDACPU_COMPARISON(geu, !(a < b))
#undef CUDACPU_COMPARISON

// ---- operators ----
#define CUDACPU_OPERATOR(T, sign, name)                       \
  CUDACPU_SHORT_FEW T operator sign(const T& a, const T& b) { \
    return name(a, b);                                        \
  }                                                           \
  CUDACPU_SHORT_FEW T& operator sign##=(T& a, const T& b) {   \
    return a = name(a, b);                                    \
  }
CUDACPU_OPERATOR(CUDACPU_SHORT, +, __hadd)
CUDACPU_OPERATOR(CUDACPU_SHORT, -, __hsub)
CUDACPU_OPERATOR(CUDACPU_SHORT, *, __hmul)
CUDACPU_OPERATOR(CUDACPU_SHORT, /, __hdiv)
CUDACPU_OPERATOR(CUDACPU_SHORT2, +, __hadd2)
CUDACPU_OPERATOR(CUDACPU_SHORT2, -, __hsub2)
CUDACPU_OPERATOR(CUDACPU_SHORT2, *, __hmul2)
CUDACPU_OPERATOR(CUDACPU_SHORT2, /, __h2div)
#undef CUDACPU_OPERATOR
#define CUDACPU_OPERATOR(T, negated, one)     \
  CUDACPU_SHORT_FEW T operator+(const T& a) { \
    return a;                                 \
  }                                           \
  CUDACPU_SHORT_FEW T operator-(const T& a) { \
    return negated(a);                        \
  }                                           \
  CUDACPU_SHORT_FEW T& operator++(T& a) {     \
    return a += one;                          \
  }                                           \
  CUDACPU_SHORT_FEW T& operator--(T& a) {     \
    return a -= one;                          \
  }                                           \
  CUDACPU_SHORT_FEW T operator++(T& a, int) { \
    const T old = a;                          \
    a += one;                                 \
    return old;                               \
  }                                           \
  CUDACPU_SHORT_FEW T operator--(T& a, int) { \
    const T old = a;                          \
    a -= one;                                 \
    return old;                               \
  }
CUDACPU_OPERATOR(CUDACPU_SHORT, __hneg, CUDACPU_SHORT(1.0f))
CUDACPU_OPERATOR(CUDACPU_SHORT2, __hneg2, CUDACPU_SHORT2(CUDACPU_SHORT(1.0f), CUDACPU_SHORT(1.0f)))
#undef CUDACPU_OPERATOR
#define CUDACPU_OPERATOR(sign, name)                                                       \
  CUDACPU_SHORT_FEW bool operator sign(const CUDACPU_SHORT& a, const CUDACPU_SHORT& b) {   \
    return __h##name(a, b);                                                                \
  }                                                                                        \
  CUDACPU_SHORT_FEW bool operator sign(const CUDACPU_SHORT2& a, const CUDACPU_SHORT2& b) { \
    return __hb##name##2(a, b);                                                            \
  }
CUDACPU_OPERATOR(==, eq)
CUDACPU_OPERATOR(!=, neu)
CUDACPU_OPERATOR(<, lt)
CUDACPU_OPERATOR(<=, le)
CUDACPU_OPERATOR(>, gt)
CUDACPU_OPERATOR(>=, ge)
#undef CUDACPU_OPERATOR

// ---- between threads ----
#ifdef __CUDACC__
namespace cudacpu {
CUDACPU_DEVICE inline unsigned pair_bits(CUDACPU_SHORT2 pair) {
  return pair.x.__x | static_cast<unsigned>(pair.y.__x) << 16;
}
CUDACPU_DEVICE inline void set_bits(CUDACPU_SHORT2& pair, unsigned bits) {
  pair.x.__x = static_cast<unsigned short>(bits);
  pair.y.__x = static_cast<unsigned short>(bits >> 16);
}
}  // namespace cudacpu
#define CUDACPU_SHUFFLE(name, Second)                                                             \
  CUDACPU_DEVICE inline CUDACPU_SHORT name(unsigned int mask, CUDACPU_SHORT value, Second lane,   \
                                           int width = 32) {                                      \
    value.__x =                                                                                   \
        static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.__x), lane, width));   \
    return value;                                                                                 \
  }                                                                                               \
  CUDACPU_DEVICE inline CUDACPU_SHORT2 name(unsigned int mask, CUDACPU_SHORT2 value, Second lane, \
                                            int width = 32) {                                     \
    cudacpu::set_bits(value, name(mask, cudacpu::pair_bits(value), lane, width));                 \
    return value;                                                                                 \
  }
CUDACPU_SHUFFLE(__shfl_sync, int)
CUDACPU_SHUFFLE(__shfl_up_sync, unsigned int)
CUDACPU_SHUFFLE(__shfl_down_sync, unsigned int)
CUDACPU_SHUFFLE(__shfl_xor_sync, int)
#undef CUDACPU_SHUFFLE

CUDACPU_DEVICE inline CUDACPU_SHORT atomicAdd(CUDACPU_SHORT* p, CUDACPU_SHORT value) {
  cudacpu::note_atomic();
  CUDACPU_SHORT old;
  old.__x = cudacpu::atomic_update(&p->__x, [=](unsigned short bits) {
    CUDACPU_SHORT now;
    now.__x = bits;
    return __hadd(now, value).__x;
  });
  return old;
}
// Each number by itself, as CUDA says.
CUDACPU_DEVICE inline CUDACPU_SHORT2 atomicAdd(CUDACPU_SHORT2* p, CUDACPU_SHORT2 value) {
  const CUDACPU_SHORT low = atomicAdd(&p->x, value.x);
  return {low, atomicAdd(&p->y, value.y)};
}
#endif

#undef CUDACPU_SHORT_ONE
#undef CUDACPU_SHORT_FEW
#undef CUDACPU_SHORT_SEEN
#undef CUDACPU_SHORT_FUNCTION
#undef CUDACPU_PAIR_FUNCTION
#undef CUDACPU_SHORT
#undef CUDACPU_SHORT2
#undef CUDACPU_WIDEN
#undef CUDACPU_NARROW
