"""PTX for integers: arithmetic, sums of several words, and operations on bits."""

from __future__ import annotations

import re
from itertools import product

from .registers import Registers
from .rules import Rules
from .types import INTEGER, TYPES, P

RULES = Rules()
rule, simple = RULES.rule, RULES.simple

# ---- arithmetic ----------------------------------------------------------------------------------
for _name, _sign in (("add", "+"), ("sub", "-")):
    simple(
        rf"{_name}\.(?P<t>{INTEGER})",
        "{u}",
        ("{u}", "{u}"),
        f"static_cast<{{U}}>({{a}} {_sign} {{b}})",
    )
simple(rf"mul\.lo\.(?P<t>{INTEGER})", "{u}", ("{u}", "{u}"), "static_cast<{U}>({a} * 1u * {b})")
simple(r"mul\.hi\.(?P<t>[us](?:32|64))", "{t}", ("{t}", "{t}"), f"{P}high({{a}}, {{b}})")
simple(
    rf"mad\.lo\.(?P<t>{INTEGER})",
    "{u}",
    ("{u}", "{u}", "{u}"),
    "static_cast<{U}>({a} * 1u * {b} + {c})",
)
simple(r"mad\.hi\.(?P<t>[us](?:32|64))", "{u}", ("{t}", "{t}", "{u}"),
       f"static_cast<{{U}}>(static_cast<{{U}}>({P}high({{a}}, {{b}})) + {{c}})")  # fmt: skip
for _t, _wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):
    _cpp, _u = TYPES[_wide], "u" + _wide[1:]
    simple(rf"mul\.wide\.{_t}", _wide, (_t, _t), f"static_cast<{_cpp}>({{a}}) * {{b}}")
    simple(rf"mad\.wide\.{_t}", _u, (_t, _t, _u),
           f"static_cast<{TYPES[_u]}>(static_cast<{_cpp}>({{a}}) * {{b}}) + {{c}}")  # fmt: skip
simple(rf"div\.(?P<t>{INTEGER})", "{t}", ("{t}", "{t}"), f"{P}quotient({{a}}, {{b}})")
simple(rf"rem\.(?P<t>{INTEGER})", "{t}", ("{t}", "{t}"), f"{P}remainder({{a}}, {{b}})")
simple(r"(?:abs)\.(?P<t>s(?:16|32|64))", "{t}", ("{t}",), f"{P}absolute({{a}})")
simple(r"neg\.(?P<t>s(?:16|32|64))", "{u}", ("{u}",), "static_cast<{U}>(0 - {a})")
for _name, _sign in (("min", "<"), ("max", ">")):
    simple(rf"{_name}\.(?P<t>{INTEGER})", "{t}", ("{t}", "{t}"), f"{P}{_name}imum({{a}}, {{b}})")
simple(r"sad\.(?P<t>[us]32)", "u32", ("{t}", "{t}", "u32"), f"{P}difference({{a}}, {{b}}) + {{c}}")
for _name, _sign in (("add", "+"), ("sub", "-")):
    simple(rf"{_name}\.sat\.s32", "s32", ("s32", "s32"),
           f"{P}saturated<int>(static_cast<long long>({{a}}) {_sign} {{b}})")  # fmt: skip
for _part, _upper in (("lo", "false"), ("hi", "true")):
    simple(rf"mul24\.{_part}\.(?P<t>[us]32)", "{t}", ("{t}", "{t}"),
           f"{P}multiply_24<{_upper}, {{T}}>({{a}}, {{b}}, 0)")  # fmt: skip
    simple(rf"mad24\.{_part}\.(?P<t>[us]32)", "{t}", ("{t}",) * 3,
           f"{P}multiply_24<{_upper}, {{T}}>({{a}}, {{b}}, {{c}})")  # fmt: skip
for _a, _b in product("us", repeat=2):
    _pair = rf"\.{_a}32\.{_b}32"
    _halves, _bytes, _other = TYPES[f"{_a}16"], TYPES[f"{_a}8"], TYPES[f"{_b}8"]
    simple(f"dp4a{_pair}", "u32", ("u32",) * 3,
           f"{P}dot<{_bytes}, {_other}>({{a}}, {{b}}, {{c}})")  # fmt: skip
    for _half, _first in (("lo", 0), ("hi", 2)):
        simple(rf"dp2a\.{_half}{_pair}", "u32", ("u32",) * 3,
               f"{P}dot<{_halves}, {_other}>({{a}}, {{b}}, {{c}}, {_first})")  # fmt: skip


# Sums of several words: the carry goes from one instruction to the next.
@rule(r"(?P<op>add|sub|addc|subc)(?P<set>\.cc)?\.(?P<t>[us](?:32|64))", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    t = "u" + m["t"][1:]
    function = "add_with_carry" if m["op"].startswith("add") else "subtract_with_borrow"
    carry = r.carry.note(m["op"].endswith("c"), bool(m["set"]))
    return r.write(o[0], t, f"{P}{function}({r.read(o[1], t)}, {r.read(o[2], t)}, {carry})")


@rule(r"(?P<op>mad|madc)\.(?P<part>lo|hi)(?P<set>\.cc)?\.(?P<t>[us](?:32|64))", 4)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    t, u = m["t"], "u" + m["t"][1:]
    kind = u if m["part"] == "lo" else t
    a, b = r.read(o[1], kind), r.read(o[2], kind)
    product = f"{a} * {b}" if m["part"] == "lo" else f"{P}high({a}, {b})"
    product = f"static_cast<{TYPES[u]}>({product})"
    carry = r.carry.note(m["op"] == "madc", bool(m["set"]))
    return r.write(o[0], u, f"{P}add_with_carry({product}, {r.read(o[3], u)}, {carry})")


# ---- bits ----------------------------------------------------------------------------------------
for _name, _sign in (("and", "&"), ("or", "|"), ("xor", "^")):
    simple(rf"{_name}\.(?P<t>b(?:16|32|64)|pred)", "{t}", ("{t}", "{t}"),
           f"static_cast<{{T}}>({{a}} {_sign} {{b}})")  # fmt: skip
simple(r"not\.(?P<t>b(?:16|32|64))", "{t}", ("{t}",), "static_cast<{T}>(~{a})")
simple(r"not\.pred", "pred", ("pred",), "!{a}")
simple(r"cnot\.(?P<t>b(?:16|32|64))", "{t}", ("{t}",), "static_cast<{T}>({a} == 0)")
simple(r"shl\.(?P<t>b(?:32|64))", "{t}", ("{t}", "u32"), f"{P}shift_left({{a}}, {{b}})")
simple(r"shr\.(?P<t>[bus](?:32|64))", "{t}", ("{t}", "u32"), f"{P}shift_right({{a}}, {{b}})")
simple(r"shf\.l\.wrap\.b32", "u32", ("u32", "u32", "u32"), "__funnelshift_l({a}, {b}, {c})")
simple(r"shf\.r\.wrap\.b32", "u32", ("u32", "u32", "u32"), "__funnelshift_r({a}, {b}, {c})")
simple(r"shf\.l\.clamp\.b32", "u32", ("u32", "u32", "u32"), f"{P}funnel_left({{a}}, {{b}}, {{c}})")
simple(r"shf\.r\.clamp\.b32", "u32", ("u32", "u32", "u32"), f"{P}funnel_right({{a}}, {{b}}, {{c}})")
simple(r"lop3\.b32", "u32", ("u32", "u32", "u32", "u32"), f"{P}lookup({{a}}, {{b}}, {{c}}, {{d}})")
simple(r"prmt\.b32", "u32", ("u32", "u32", "u32"), f"{P}permute({{a}}, {{b}}, {{c}})")
simple(
    r"bfe\.(?P<t>[us](?:32|64))", "{t}", ("{t}", "u32", "u32"), f"{P}extract({{a}}, {{b}}, {{c}})"
)
simple(
    r"bfi\.(?P<t>b(?:32|64))",
    "{t}",
    ("{t}", "{t}", "u32", "u32"),
    f"{P}insert({{a}}, {{b}}, {{c}}, {{d}})",
)
for _how, _clamps in (("clamp", "true"), ("wrap", "false")):
    simple(rf"bmsk\.{_how}\.b32", "u32", ("u32", "u32"), f"{P}bit_mask({{a}}, {{b}}, {_clamps})")
    simple(rf"szext\.{_how}\.(?P<t>[us]32)", "{t}", ("{t}", "u32"),
           f"{P}extend({{a}}, {{b}}, {_clamps})")  # fmt: skip
simple(r"fns\.b32", "u32", ("u32", "u32", "s32"), "__fns({a}, {b}, {c})")
simple(r"brev\.(?P<t>b(?:32|64))", "{t}", ("{t}",), f"{P}reverse({{a}})")
simple(r"popc\.(?P<t>b(?:32|64))", "u32", ("{t}",), f"{P}ones({{a}})")
simple(r"clz\.(?P<t>b(?:32|64))", "u32", ("{t}",), f"{P}leading_zeros({{a}})")
simple(r"bfind\.(?P<t>[us](?:32|64))", "u32", ("{t}",), f"{P}highest_bit({{a}})")
simple(r"bfind\.shiftamt\.(?P<t>[us](?:32|64))", "u32", ("{t}",), f"{P}shift_to_highest_bit({{a}})")
# The video instructions that programs name: sums, differences, minima and maxima of four bytes or
# two halves, with .add the sum of the results, and a shift or sum that is added to a third number.
_UNSIGNED, _SIGNED = r"\.u32\.u32\.u32", r"\.s32\.s32\.s32"


def video(name: str, function: str, uses_third: bool = False) -> None:
    """Adds an instruction of three numbers; most instructions merge the result into the third."""
    value = function if uses_third else f"(static_cast<void>({{c}}), {function})"
    simple(name, "u32", ("u32", "u32", "u32"), value)


for _lanes in ("2", "4"):
    for _types, _sign in ((_UNSIGNED, "u"), (_SIGNED, "s")):
        for _name in ("add", "sub"):
            video(rf"v{_name}{_lanes}{_types}", f"__v{_name}{_lanes}({{a}}, {{b}})")
            video(rf"v{_name}{_lanes}{_types}\.sat", f"__v{_name}{_sign}s{_lanes}({{a}}, {{b}})")
        for _name in ("min", "max"):
            video(rf"v{_name}{_lanes}{_types}", f"__v{_name}{_sign}{_lanes}({{a}}, {{b}})")
    for _name in ("min", "max"):
        _chosen = f"__v{_name}u{_lanes}({{a}}, {{b}})"
        video(rf"v{_name}{_lanes}{_UNSIGNED}\.add", f"__vsadu{_lanes}({_chosen}, 0u) + {{c}}", True)
    _differences = rf"vabsdiff{_lanes}{_UNSIGNED}"
    video(_differences, f"__vabsdiffu{_lanes}({{a}}, {{b}})")
    video(rf"{_differences}\.add", f"__vsadu{_lanes}({{a}}, {{b}}) + {{c}}", True)
for _name, _side in (("shl", "left"), ("shr", "right")):
    video(rf"v{_name}{_UNSIGNED}\.clamp\.add", f"{P}shift_{_side}({{a}}, {{b}}) + {{c}}", True)
video(rf"vadd{_UNSIGNED}\.add", "{a} + {b} + {c}", True)
