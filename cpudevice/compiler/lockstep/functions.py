"""The functions of CUDA that a thread may call in lock-step, by name."""

import re

# Of the C library; their names end in f for floats.
MATHEMATICS = {
    "fabs", "fmin", "fmax", "fma", "sqrt", "rsqrt", "cbrt", "rcbrt", "hypot", "rhypot", "exp",
    "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sin", "cos", "tan",
    "sincos", "sinpi", "cospi", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "erf", "erfc", "erfinv", "erfcinv", "normcdf", "normcdfinv", "lgamma",
    "tgamma", "j0", "j1", "y0", "y1", "floor", "ceil", "round", "trunc", "rint", "nearbyint",
    "lround", "lrint", "fmod", "remainder", "modf", "frexp", "ldexp", "scalbn", "fdim", "copysign",
    "norm3d", "norm4d",
}  # fmt: skip
# Of CUDA for float and double: __fmul_rn, __dmul_rn.
ROUNDED = {
    f"{name}_{mode}" for name in ("add", "sub", "mul", "div", "maf", "ma", "rcp", "sqrt")
    for mode in ("rn", "rz", "ru", "rd")
}  # fmt: skip
OF_HALVES = {
    "add", "sub", "mul", "div", "fma", "neg", "abs", "max", "min", "eq", "ne", "lt", "le", "gt",
    "ge", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "rcp", "trunc", "floor", "ceil", "rint",
}  # fmt: skip
# Functions of CUDA that neither wait nor call the program. The program may have its own of that
# name: see Calls.is_of_cuda.
HARMLESS = {
    "printf", "__assert_fail", "__ldg", "__ldcg", "__ldcs", "__stcg", "__stcs", "__stwt",
    "min", "max", "abs", "labs", "llabs", "isnan", "isinf", "isfinite", "signbit",
    "__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__sinf", "__cosf", "__sincosf",
    "__tanf", "__powf", "__fdividef", "__saturatef",
    "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll",
    "__mul24", "__umul24", "__mulhi", "__umulhi", "__mul64hi", "__umul64hi", "__sad", "__usad",
    "__hadd", "__uhadd", "__rhadd", "__urhadd", "__byte_perm", "__funnelshift_l",
    "__funnelshift_r", "__dp4a", "__dp2a_lo", "__dp2a_hi",
    "__float_as_int", "__int_as_float", "__float_as_uint", "__uint_as_float",
    "__double_as_longlong", "__longlong_as_double", "__builtin_inff", "__builtin_inf",
    "__half2float", "__float2half", "__float2half_rn", "__half22float2", "__float22half2_rn",
    "__float2half2_rn", "__half2half2", "__halves2half2", "__low2half", "__high2half",
    "__low2float", "__high2float", "__bfloat162float", "__float2bfloat16",
    "tex1D", "tex1Dfetch", "tex2D", "tex2DLod", "tex2DLayered", "tex3D", "surf1Dread",
    "surf1Dwrite", "surf2Dread", "surf2Dwrite", "surf3Dread", "surf3Dwrite",
    "curand_init", "curand", "curand4", "curand_uniform", "curand_uniform2", "curand_uniform4",
    "curand_uniform_double", "curand_normal", "curand_normal2", "curand_normal4",
    "curand_normal_double", "curand_log_normal", "curand_poisson", "skipahead",
    *(name + ending for name in MATHEMATICS for ending in ("", "f")),
    *(f"__{kind}{name}" for kind in "fd" for name in ROUNDED),
    *(f"__h{name}{ending}" for name in OF_HALVES for ending in ("", "2")),
}  # fmt: skip
MAKES_VECTOR = re.compile(r"make_[a-z]+\d$")
# A thread cannot wait by one of these if the result is not used or decides about no loop.
ATOMIC = re.compile(r"atomic(Add|Sub|Min|Max|And|Or|Xor|Exch|CAS|Inc|Dec)(_block|_system)?$")
BETWEEN_THREADS = re.compile(rf"{ATOMIC.pattern}|__threadfence(_block|_system)?$")
