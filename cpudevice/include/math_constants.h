// CUDA's names for mathematical constants: each in double and in single precision (_F) where CUDA
// has both. Each is the nearest number of its type.
#ifndef __MATH_CONSTANTS_H__
#define __MATH_CONSTANTS_H__

// ---- pi ----
#define CUDART_PI 3.1415926535897931
#define CUDART_PI_F 3.14159274f
#define CUDART_PIO2 1.5707963267948966
#define CUDART_PIO2_F 1.57079637f
#define CUDART_PIO4 0.78539816339744828
#define CUDART_PIO4_F 0.785398185f
#define CUDART_3PIO4 2.3561944901923448
#define CUDART_3PIO4_F 2.3561945f
#define CUDART_2_OVER_PI 0.63661977236758138
#define CUDART_2_OVER_PI_F 0.636619747f
#define CUDART_SQRT_2PI 2.5066282746310007
#define CUDART_SQRT_2_OVER_PI 0.79788456080286541
#define CUDART_SQRT_2_OVER_PI_F 0.797884583f
#define CUDART_LNPI 1.1447298858494002
#define CUDART_LNPI_F 1.14472985f

// ---- logarithms: L2 to the base 2, LG to the base 10, LN natural; of 2, of ten (T), of e ----
#define CUDART_LN2 0.69314718055994529
#define CUDART_LN2_F 0.693147182f
#define CUDART_LNT 2.3025850929940459
#define CUDART_LNT_F 2.30258512f
#define CUDART_LG2 0.3010299956639812
#define CUDART_LG2_F 0.30103001f
#define CUDART_LGE 0.43429448190325182
#define CUDART_LGE_F 0.434294492f
#define CUDART_L2E 1.4426950408889634
#define CUDART_L2E_F 1.44269502f
#define CUDART_L2T 3.3219280948873622
#define CUDART_L2T_F 3.32192802f

// ---- roots and thirds ----
#define CUDART_SQRT_TWO 1.4142135623730951
#define CUDART_SQRT_TWO_F 1.41421354f
#define CUDART_SQRT_HALF 0.70710678118654757
#define CUDART_SQRT_HALF_F 0.707106769f
// In two parts, whose sum is nearer than the nearest float.
#define CUDART_SQRT_HALF_HI_F 0.707106769f
#define CUDART_SQRT_HALF_LO_F 1.21016175e-08f
#define CUDART_THIRD 0.33333333333333331
#define CUDART_THIRD_F 0.333333343f
#define CUDART_TWOTHIRD 0.66666666666666663

// ---- powers of two ----
#define CUDART_TWO_TO_23 0x1p23
#define CUDART_TWO_TO_23_F 0x1p23f
#define CUDART_TWO_TO_24 0x1p24
#define CUDART_TWO_TO_24_F 0x1p24f
#define CUDART_TWO_TO_31 0x1p31
#define CUDART_TWO_TO_31_F 0x1p31f
#define CUDART_TWO_TO_32 0x1p32
#define CUDART_TWO_TO_32_F 0x1p32f
#define CUDART_TWO_TO_52 0x1p52
#define CUDART_TWO_TO_53 0x1p53
#define CUDART_TWO_TO_54 0x1p54
#define CUDART_TWO_TO_126_F 0x1p126f
#define CUDART_TWO_TO_M54 0x1p-54
#define CUDART_TWO_TO_M126_F 0x1p-126f
#define CUDART_TWO_TO_M1022 0x1p-1022

// ---- the ends of the range ----
#define CUDART_ONE 1.0
#define CUDART_ONE_F 1.0f
#define CUDART_ZERO 0.0
#define CUDART_ZERO_F 0.0f
#define CUDART_NEG_ZERO -0.0
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_MIN_DENORM 0x1p-1074
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep127f
#define CUDART_NORM_HUGE_F 0x1.fffffep127f
#define CUDART_INF __builtin_inf()
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN __builtin_nan("")
#define CUDART_NAN_F __builtin_nanf("")

#endif
