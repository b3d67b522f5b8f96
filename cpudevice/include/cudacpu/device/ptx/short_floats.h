// Arithmetic of 16 bits in PTX: of half and of bfloat16, alone and in pairs.
//
// A double has more than twice the digits, so rounding to odd in double and then to 16 bits gives
// the correctly rounded result. A pair takes one instruction, like a single number.
#pragma once

#include "../atomics.h"
#include "cudacpu/numbers/half_bits.h"

// A profile looks into none of the parts.
#define CUDACPU_PTX_PART CUDACPU_DEVICE CUDACPU_UNSEEN static

namespace cudacpu {
namespace ptx {

struct Half {
  CUDACPU_PTX_PART double wide(unsigned short bits) { return double_from_half(bits); }
  CUDACPU_PTX_PART unsigned short narrow(double x) { return half_from_double(x); }
};
struct Bfloat16 {
  CUDACPU_PTX_PART double wide(unsigned short bits) { return double_from_bfloat16(bits); }
  CUDACPU_PTX_PART unsigned short narrow(double x) { return bfloat16_from_double(x); }
};

// What is done with the numbers as doubles.
struct Sum {
  CUDACPU_PTX_PART double of(double a, double b) { return sum_to_odd(a, b); }
};
struct Difference {
  CUDACPU_PTX_PART double of(double a, double b) { return sum_to_odd(a, -b); }
};
struct Product {
  CUDACPU_PTX_PART double of(double a, double b) { return a * b; }
};
struct Fused {
  CUDACPU_PTX_PART double of(double a, double b, double c) { return sum_to_odd(a * b, c); }
};
struct Minimum {
  CUDACPU_PTX_PART double of(double a, double b) { return smaller(a, b); }
};
struct Maximum {
  CUDACPU_PTX_PART double of(double a, double b) { return larger(a, b); }
};
struct MinimumNan {
  CUDACPU_PTX_PART double of(double a, double b) { return smaller_or_nan(a, b); }
};
struct MaximumNan {
  CUDACPU_PTX_PART double of(double a, double b) { return larger_or_nan(a, b); }
};
struct Negated {
  CUDACPU_PTX_PART double of(double a) { return -a; }
};
struct Absolute {
  CUDACPU_PTX_PART double of(double a) { return __builtin_fabs(a); }
};

// Operations on the result: NaN becomes 0 in a saturated result, and stays NaN in a rectified
// result.
struct Plain {
  CUDACPU_PTX_PART double of(double a) { return a; }
};
struct Saturated {
  CUDACPU_PTX_PART double of(double a) { return a > 0 ? a < 1 ? a : 1 : 0; }
};
struct Rectified {
  CUDACPU_PTX_PART double of(double a) { return a < 0 ? 0 : a; }
};

template <typename Format, typename Operation, typename Last, typename... Bits>
CUDACPU_DEVICE CUDACPU_UNSEEN inline unsigned short short_float(Bits... values) {
  return Format::narrow(
      Last::of(Operation::of(Format::wide(static_cast<unsigned short>(values))...)));
}
// `Bits` is unsigned short for single numbers and unsigned for pairs.
template <typename Format, typename Operation, typename Last, typename Bits, typename... Others>
CUDACPU_DEVICE CUDACPU_UNSEEN inline Bits short_floats(Bits first, Others... others) {
  const Bits low = short_float<Format, Operation, Last>(first, others...);
  if constexpr (sizeof(Bits) == 2)
    return low;
  else
    return low |
           static_cast<Bits>(short_float<Format, Operation, Last>(first >> 16, (others >> 16)...))
               << 16;
}

// A number for a comparison: float has room for all of them.
template <typename Format>
CUDACPU_DEVICE CUDACPU_UNSEEN inline float to_compare(unsigned bits) {
  return static_cast<float>(Format::wide(static_cast<unsigned short>(bits)));
}

// Adds to a number, or to a pair of numbers; returns the old value.
template <typename Format, typename Bits>
CUDACPU_DEVICE CUDACPU_INLINED Bits atomic_sum(void* p, Bits value) {
  note_atomic();
  return atomic_update(static_cast<Bits*>(p), [=](Bits old) -> Bits {
    return short_floats<Format, Sum, Plain>(old, value);
  });
}

}  // namespace ptx
}  // namespace cudacpu

#undef CUDACPU_PTX_PART
