"""No function of CUDA's mathematics is free while instructions are counted."""

from __future__ import annotations

import pytest
from device_profiles import profiled_kernels

from cpudevice.compiler.counts.prices import NOTHING, price_of_call

OF_FLOAT = """
acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif cyl_bessel_i0f cyl_bessel_i1f
erfcf erfcinvf erfcxf erff erfinvf exp10f exp2f expf expm1f floorf j0f j1f lgammaf log10f log1pf
log2f logbf logf nearbyintf normcdff normcdfinvf rcbrtf rintf roundf rsqrtf sinf sinhf sinpif sqrtf
tanf tanhf tgammaf truncf y0f y1f __cosf __exp10f __expf __log10f __log2f __logf __sinf __tanf
__saturatef __frcp_rn __frcp_ru __fsqrt_rn __fsqrt_rd __frsqrt_rn
"""
OF_TWO_FLOATS = """
atan2f fdimf fdividef fmaxf fminf fmodf hypotf nextafterf powf remainderf rhypotf __powf __fdividef
__fadd_rz __fsub_ru __fmul_rz __fdiv_rn __fdiv_ru
"""
OF_DOUBLE = """
acos acosh asin asinh atan atanh cbrt cos cosh cospi cyl_bessel_i0 erfc erfcinv erfcx erf erfinv
exp10 exp2 exp expm1 floor j0 lgamma log10 log1p log2 logb log normcdf normcdfinv rcbrt rint round
rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 __dsqrt_rz __drcp_rd
"""
OF_INT = "__brev __clz __ffs __popc __brevll __clzll __popcll"
# Each is a single instruction for a pair of halves, or for an integer.
PTX = {
    "fused": "fma.rn.f16x2 %0, %1, %1, %1;",
    "sum": "add.bf16x2 %0, %1, %1;",
    "product": "mul24.lo.u32 %0, %1, %1;",
    "byte": "cvt.sat.u8.s32 %0, %1;",
    "permuted": "prmt.b32 %0, %1, %1, 0x3210;",
}
# {kernel: its statement}
KERNELS = {
    "float_base": "out[i] = in[i];",
    "double_base": "((double*)out)[i] = ((const double*)in)[i];",
    **{f"of_{name}": f"out[i] = {name}(in[i]);" for name in OF_FLOAT.split()},
    **{f"two_{name}": f"out[i] = {name}(in[i], in[i + 32]);" for name in OF_TWO_FLOATS.split()},
    **{
        f"double_{name}": f"((double*)out)[i] = {name}(((const double*)in)[i]);"
        for name in OF_DOUBLE.split()
    },
    **{f"int_{name}": f"out[i] = {name}(__float_as_int(in[i]));" for name in OF_INT.split()},
    "both": "out[i] = in[i] + in[i + 32];",
    "ptx_base": "unsigned x = ((const unsigned*)in)[i]; ((unsigned*)out)[i] = x;",
    **{
        f"ptx_{name}": f'unsigned x = ((const unsigned*)in)[i], y; asm volatile("{text}" : "=r"(y) '
        ': "r"(x)); ((unsigned*)out)[i] = y;'
        for name, text in PTX.items()
    },
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory) -> dict[str, int]:
    """Returns the instructions other than memory and control, by kernel."""
    text = "".join(
        f"__global__ void {name}(const float* in, float* out) {{\n"
        f"  const int i = threadIdx.x;\n  {statement}\n}}\n"
        for name, statement in KERNELS.items()
    )
    launches = "".join(f"  {name}<<<1, 32>>>(data, data + 1024);\n" for name in KERNELS)
    main = f"int main() {{\n  float* data;\n  cudaMalloc(&data, 8192);\n{launches}}}\n"
    kernels = profiled_kernels(text + main, tmp_path_factory.mktemp("prices"))
    units = ("int", "fp32", "fp64", "special")
    return {
        name: sum(kernel["instructions"][unit] for unit in units)
        for name, kernel in kernels.items()
    }


def test_no_function_is_free(counted: dict[str, int]) -> None:
    base = {"two": counted["both"] - 1, "double": counted["double_base"]}
    base["ptx"] = counted["ptx_base"]
    of_float = counted["float_base"]
    free = [
        name
        for name in set(KERNELS) - {"float_base", "double_base", "ptx_base"}
        if counted[name] <= base.get(name.split("_")[0], of_float)
    ]
    assert not free


@pytest.mark.parametrize("name", PTX)
def test_an_instruction_of_ptx_is_one(counted: dict[str, int], name: str) -> None:
    assert counted[f"ptx_{name}"] == counted["ptx_base"] + 1


def test_a_dear_function_costs_more_than_a_cheap_one(counted: dict[str, int]) -> None:
    assert counted["of_asinhf"] > counted["of_sqrtf"] > counted["of_floorf"]
    assert counted["two___fdiv_rn"] > counted["two___fdividef"] > counted["two_fmaxf"]


@pytest.mark.parametrize("name", ["__mulsc3", "__muldc3", "__divsc3", "__divdc3"])
def test_what_the_compiler_calls_for_complex_numbers_is_not_free(name: str) -> None:
    assert price_of_call(name) != NOTHING
