#ifndef NESTED_MATH_MULTIPLY_ADD_CUH
#define NESTED_MATH_MULTIPLY_ADD_CUH

namespace nested::math {

__host__ __device__ constexpr float multiply_add(float a, float b, float c) {
  return a * b + c;
}

}  // namespace nested::math

#endif  // NESTED_MATH_MULTIPLY_ADD_CUH
