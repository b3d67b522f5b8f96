// Arithmetic with stated rounding, conversions and bit casts.
// expect: done
#include "check.h"

__global__ void directed_kernel(float third, float one, float three, float tiny) {
  // 1/3 lies between two floats: down and up give the neighbours, to nearest gives the upper.
  CHECK(__fdiv_ru(one, three) == nextafterf(__fdiv_rd(one, three), 1));
  CHECK(__fdiv_rz(one, three) == __fdiv_rd(one, three) && __fdiv_rn(one, three) == third);
  CHECK(__fdiv_rz(-one, three) == __fdiv_ru(-one, three));
  CHECK(__fadd_ru(one, tiny) == nextafterf(1, 2) && __fadd_rd(one, tiny) == 1 &&
        __fadd_rn(one, tiny) == 1);
  CHECK(__fadd_rd(one, -tiny) == nextafterf(1, 0) && __fadd_rz(-one, tiny) == -nextafterf(1, 0));
  CHECK(__fsub_ru(one, tiny) == 1 && __fsub_rd(one, tiny) == nextafterf(1, 0));
  CHECK(__fmul_ru(third, third) == nextafterf(__fmul_rd(third, third), 1));
  CHECK(__frcp_ru(three) > __frcp_rd(three) && __frcp_rn(4) == 0.25f);
  CHECK(__fsqrt_ru(2) == nextafterf(__fsqrt_rd(2), 2) && __fsqrt_rz(2) == __fsqrt_rd(2));
  CHECK(__fmaf_ru(one, one, tiny) == nextafterf(1, 2) && __fmaf_rd(one, one, tiny) == 1);
  CHECK(__dadd_ru(1, 1e-30) > 1 && __dadd_rd(1, 1e-30) == 1 && __dmul_rn(2, 3) == 6);
  CHECK(__ddiv_ru(1, 3) > __ddiv_rd(1, 3) && __dsqrt_ru(2) > __dsqrt_rz(2) &&
        __drcp_rd(3) < __drcp_ru(3));
  CHECK(__fma_ru(1, 1, 1e-30) > 1 && __fma_rz(1, 1, 1e-30) == 1 && __dsub_rd(1, 1e-30) < 1);
  CHECK(one + tiny == one);  // the mode was put back
}

__global__ void conversions_kernel(float half, double big, float nan) {
  CHECK(__float2int_rn(2 + half) == 2 && __float2int_rn(3 + half) == 4 &&
        __float2int_rz(-2 - half) == -2);
  CHECK(__float2int_ru(2 + half) == 3 && __float2int_rd(-2 - half) == -3 &&
        __double2int_rn(1.5) == 2);
  // Out of range saturates.
  CHECK(__float2int_rz(1e10f) == 2147483647 && __float2int_rz(-1e10f) == -2147483647 - 1);
  CHECK(__float2uint_rz(-1.0f) == 0 && __float2uint_rn(1e10f) == 0xffffffffu &&
        __float2int_rn(nan) == 0);
  CHECK(__double2ll_rz(big) == 0x7fffffffffffffffll && __double2ull_rz(-big) == 0);
  CHECK(__double2uint_ru(0.1) == 1 && __float2ll_rd(-0.5f) == -1 && __float2ull_rz(3.9f) == 3);
  CHECK(__int2float_rn(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
  CHECK(__uint2float_rd(0xffffffffu) == 4294967040.0f &&
        __uint2float_ru(0xffffffffu) == 4294967296.0f);
  CHECK(__ll2float_rz(-16777217) == -16777216.0f &&
        __ull2double_rd(0xffffffffffffffffull) < 18446744073709551616.0);
  CHECK(__ll2double_rn(1ll << 60) == 1152921504606846976.0 && __int2double_rn(-7) == -7);
  CHECK(__double2float_ru(0.1) > __double2float_rd(0.1) && __double2float_rn(0.5) == 0.5f);
}

__global__ void bits_kernel(float x, double y) {
  CHECK(__float_as_int(x) == 0x3f800000 && __int_as_float(0x3f800000) == x);
  CHECK(__float_as_uint(-x) == 0xbf800000u && __uint_as_float(0x7f800000u) > 1e38f);
  CHECK(__double_as_longlong(y) == 0x4000000000000000ll &&
        __longlong_as_double(0x4000000000000000ll) == y);
  CHECK(__double2hiint(-y) == int(0xc0000000u) && __double2loint(y) == 0);
  CHECK(__hiloint2double(__double2hiint(0.1), __double2loint(0.1)) == 0.1);
}

int main() {
  directed_kernel<<<1, 1>>>(1.0f / 3, 1, 3, 1e-20f);
  conversions_kernel<<<1, 1>>>(0.5f, 1e30, nanf(""));
  bits_kernel<<<1, 1>>>(1.0f, 2.0);
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}
