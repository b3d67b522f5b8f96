"""The PTX instructions that the CPU device knows, and the C++ that each of them becomes.

A rule is a pattern for an instruction's name, without the predicate before it, and a function that
writes the statement. An instruction without a rule is refused. The C++ functions are those of
include/cudacpu/device/ptx/instructions.h; the manual is NVIDIA's "Parallel Thread Execution ISA".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

P = "::cudacpu::ptx::"
# Types of PTX: the C++ type of that width. Numbers of 16 bits are kept as bits.
TYPES = {
    "pred": "bool", "u8": "unsigned char", "b8": "unsigned char", "s8": "signed char",
    "u16": "unsigned short", "b16": "unsigned short", "s16": "short", "f16": "unsigned short",
    "bf16": "unsigned short", "u32": "unsigned", "b32": "unsigned", "s32": "int", "f32": "float",
    "f16x2": "unsigned", "bf16x2": "unsigned", "u64": "unsigned long long",
    "b64": "unsigned long long", "s64": "long long", "f64": "double", "tf32": "unsigned",
}  # fmt: skip
BITS = {
    name: 1 if name == "pred" else 32 if "x2" in name else int(re.sub(r"\D", "", name))
    for name in TYPES
    if name != "tf32"
} | {"tf32": 32}
UNSIGNED = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}
ANY = "|".join(sorted(TYPES, key=len, reverse=True))
INTEGER = "[us](?:16|32|64)"
ROUNDINGS = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru"}

# The special registers by their width in bits, each with the C++ that reads it.
REGISTERS = {
    32: {
        **{
            name: f"::cudacpu::register_{name}()"
            for name in ("laneid", "warpid", "smid", "nsmid", "clock")
        },
        **{
            f"lanemask_{order}": f"::cudacpu::register_lanemask_{order}()"
            for order in ("eq", "le", "lt", "ge", "gt")
        },
        **{
            f"{register}.{axis}": f"{variable}.{axis}"
            for register, variable in (
                ("tid", "threadIdx"),
                ("ntid", "blockDim"),
                ("ctaid", "blockIdx"),
                ("nctaid", "gridDim"),
            )
            for axis in "xyz"
        },
        "clock_hi": "static_cast<unsigned>(::cudacpu::register_clock64() >> 32)",
        "globaltimer_lo": "static_cast<unsigned>(::cudacpu::register_globaltimer())",
        "globaltimer_hi": "static_cast<unsigned>(::cudacpu::register_globaltimer() >> 32)",
    },
    64: {name: f"::cudacpu::register_{name}()" for name in ("clock64", "globaltimer")},
}


class Unknown(Exception):
    """An unknown instruction, operand or type."""


@dataclass(frozen=True)
class Variable:
    """A register: of the statement's operands, or declared by .reg."""

    name: str  # in C++
    kind: str  # in PTX: u32, f32, pred ...; "n" for a constant, whose name is an expression


@dataclass
class Registers:
    """The operands and registers of one asm statement."""

    variables: dict[str, Variable]
    used: set[str] = field(default_factory=set)
    carries: bool = False  # an instruction has set the carry flag
    hopper: str = ""  # an instruction that only compute capability 9.0 has

    def find(self, operand: str) -> Variable | None:
        """An operand of the statement is %0, %1 …; a register that it declares may have a % too."""
        name = operand.removeprefix("%")
        if name not in self.variables or (name.isdigit() and name == operand):
            return None
        self.used.add(name)
        return self.variables[name]

    def read(self, operand: str, kind: str, loose: bool = False) -> str:
        """The operand as a value of TYPES[kind]. `loose`: a wider register may hold it."""
        negated = operand.startswith("!")
        if negated and kind == "pred":
            return f"!{self.read(operand[1:].strip(), kind)}"
        variable = self.find(operand)
        cpp = TYPES[kind]
        if variable and variable.kind == "n":
            return f"static_cast<{cpp}>({variable.name})"
        if variable:
            self.check(variable, kind, loose)
            return f"{P}take<{cpp}>({variable.name})"
        special = special_register(operand, BITS[kind])
        if special:
            return f"{P}take<{cpp}>({special})"
        return immediate(operand, cpp)

    def write(self, operand: str, kind: str, value: str, loose: bool = False) -> str:
        if operand == "_":
            return f"static_cast<void>({value});"
        variable = self.find(operand)
        if not variable or variable.kind == "n":
            raise Unknown
        self.check(variable, kind, loose)
        return f"{variable.name} = {P}give<decltype({variable.name})>({value});"

    @staticmethod
    def check(variable: Variable, kind: str, loose: bool) -> None:
        bits = BITS[variable.kind]
        if (variable.kind == "pred") != (kind == "pred"):
            raise Unknown
        if bits != BITS[kind] and not (loose and bits > BITS[kind]):
            raise Unknown

    def address(self, operand: str, space: str) -> str:
        """A void* for `[register + offset]`; addresses in shared memory are offsets."""
        found = re.fullmatch(r"\[\s*([%\w]+)\s*(?:\+\s*(-?\w+)\s*)?\]", operand)
        if not found:
            raise Unknown
        variable = self.find(found[1])
        if not variable or variable.kind in ("pred", "n") or BITS[variable.kind] < 32:
            raise Unknown
        shared = space.startswith("shared")
        if not shared and BITS[variable.kind] != 64:
            raise Unknown
        base = f"{P}take<{TYPES[UNSIGNED[BITS[variable.kind]]]}>({variable.name})"
        if found[2]:
            offset = self.find(found[2])
            if offset and offset.kind != "n":
                raise Unknown
            added = f"({offset.name})" if offset else immediate(found[2], "long long")
            base = f"({base} + {added})"
        return f"{P}{'shared' if shared else 'generic'}_address({base})"


def special_register(operand: str, bits: int) -> str:
    found = re.fullmatch(r"%%?(\w+(?:\.[xyz])?)", operand)
    if operand == "WARP_SZ":
        return "::kCudacpuWarpSize"
    return REGISTERS.get(bits, {}).get(found[1], "") if found else ""


def immediate(operand: str, cpp: str) -> str:
    if re.fullmatch(r"-?(?:0[xX][0-9a-fA-F]+|[0-9]+)[uU]?", operand):
        # A number with a leading 0 is octal in PTX too.
        digits = operand.rstrip("uU").lstrip("-")
        if digits.startswith("0") and digits[1:].isdigit() and re.search("[89]", digits):
            raise Unknown
        return f"static_cast<{cpp}>({operand.rstrip('uU')})"
    if found := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})", operand):
        return f"{P}take<{cpp}>(0x{found[1]}u)"
    if found := re.fullmatch(r"0[dD]([0-9a-fA-F]{16})", operand):
        return f"{P}take<{cpp}>(0x{found[1]}ull)"
    if re.fullmatch(r"-?\d+\.\d*(?:[eE][+-]?\d+)?", operand) and cpp in ("float", "double"):
        return f"static_cast<{cpp}>({operand})"
    raise Unknown


Rule = Callable[[Registers, "re.Match[str]", list[str]], str]
# A pattern is compiled when it is first matched: most files have no assembly.
RULES: list[tuple[str, int, Rule]] = []


def rule(pattern: str, operands: int) -> Callable[[Rule], Rule]:
    """A rule for instructions whose names match; `operands` is their number, -1 for any number."""

    def add(function: Rule) -> Rule:
        RULES.append((pattern, operands, function))
        return function

    return add


def statement(registers: Registers, name: str, operands: list[str]) -> str:
    for pattern, count, function in RULES:
        found = re.fullmatch(pattern, name)
        if found and count in (-1, len(operands)):
            return function(registers, found, operands)
    if HOPPER.fullmatch(name):
        return of_hopper(registers, name, operands)
    raise Unknown


# What compute capability 9.0 has and the CPU device has not: a graded file may hold it, behind an
# #if that the CPU device's compiler does not pass.
HOPPER = re.compile(
    r"mbarrier\.(?:arrive|arrive_drop|expect_tx|complete_tx)\b[\w.:]*"
    r"|fence\.(?:proxy\.async|mbarrier_init)\b[\w.:]*|cp\.(?:reduce\.)?async\.bulk\b[\w.:]*"
    r"|wgmma\.(?:fence|commit_group|wait_group|mma_async)\.sync\.aligned\b[\w.]*"
    r"|setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32|barrier\.cluster\.(?:arrive|wait)\b[\w.]*"
    r"|mapa\b[\w.:]*|stmatrix\.sync\.aligned\b[\w.:]*"
)
OPERAND = re.compile(r"[\w%\s,+\[\]{}|-]*")


def of_hopper(registers: Registers, name: str, operands: list[str]) -> str:
    """Notes the registers that the instruction names, and that it cannot be translated."""
    for operand in operands:
        if not OPERAND.fullmatch(operand):
            raise Unknown
        for word in re.findall(r"%?\w+", operand):
            registers.find(word)
    registers.hopper = registers.hopper or name
    return ""


def vector(operand: str) -> list[str]:
    """The registers of `{a, b}`, or of a single one."""
    if operand.startswith("{") and operand.endswith("}"):
        return [one.strip() for one in operand[1:-1].split(",")]
    return [operand]


def simple(pattern: str, write: str, reads: tuple[str, ...], expression: str) -> None:
    """An instruction that is an expression of its operands a, b, c.

    `write` and `reads` are types; {t} is the group t of the pattern, {u} the unsigned type of its
    width, and so in the expression {T} and {U}, which are those types in C++.
    """

    @rule(pattern, 1 + len(reads))
    def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
        t = m.groupdict().get("t") or "u32"
        names = {"t": t, "u": UNSIGNED.get(BITS[t], t), "T": TYPES[t]}
        names["U"] = TYPES[names["u"]]
        values = {
            letter: r.read(operand, kind.format(**names))
            for letter, operand, kind in zip("abcd", o[1:], reads, strict=False)
        }
        return r.write(o[0], write.format(**names), expression.format(**names, **values))


# ---- integers ------------------------------------------------------------------------------------
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
simple(r"dp4a\.u32\.u32", "u32", ("u32", "u32", "u32"), "__dp4a({a}, {b}, {c})")
simple(r"dp4a\.s32\.s32", "s32", ("s32", "s32", "s32"), "__dp4a({a}, {b}, {c})")


# Sums of several words: the carry goes from one instruction to the next.
@rule(r"(?P<op>add|sub|addc|subc)(?P<set>\.cc)?\.(?P<t>[us](?:32|64))", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    carried = m["op"].endswith("c")
    if carried and not r.carries:
        raise Unknown  # a carry that another asm statement has left
    r.carries = r.carries or bool(m["set"])
    t = "u" + m["t"][1:]
    keep = "true" if m["set"] else "false"
    function = "add_with_carry" if m["op"].startswith("add") else "subtract_with_borrow"
    value = f"{P}{function}({r.read(o[1], t)}, {r.read(o[2], t)}, {str(carried).lower()}, {keep}"
    return r.write(o[0], t, f"{value}, __cudacpu_carry)")


@rule(r"(?P<op>mad|madc)\.(?P<part>lo|hi)(?P<set>\.cc)?\.(?P<t>[us](?:32|64))", 4)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    carried = m["op"] == "madc"
    if carried and not r.carries:
        raise Unknown
    r.carries = r.carries or bool(m["set"])
    t, u = m["t"], "u" + m["t"][1:]
    kind = u if m["part"] == "lo" else t
    a, b = r.read(o[1], kind), r.read(o[2], kind)
    product = f"{a} * {b}" if m["part"] == "lo" else f"{P}high({a}, {b})"
    product = f"static_cast<{TYPES[u]}>({product})"
    keep = "true" if m["set"] else "false"
    value = f"{P}add_with_carry({product}, {r.read(o[3], u)}, {str(carried).lower()}, {keep}"
    return r.write(o[0], u, f"{value}, __cudacpu_carry)")


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
simple(r"brev\.(?P<t>b(?:32|64))", "{t}", ("{t}",), f"{P}reverse({{a}})")
simple(r"popc\.(?P<t>b(?:32|64))", "u32", ("{t}",), f"{P}ones({{a}})")
simple(r"clz\.(?P<t>b(?:32|64))", "u32", ("{t}",), f"{P}leading_zeros({{a}})")
simple(r"bfind\.(?P<t>[us](?:32|64))", "u32", ("{t}",), f"{P}highest_bit({{a}})")
simple(r"bfind\.shiftamt\.(?P<t>[us](?:32|64))", "u32", ("{t}",), f"{P}shift_to_highest_bit({{a}})")
# Of the video instructions those that programs name: differences of four bytes, and their sum.
_BYTES = r"vabsdiff4\.u32\.u32\.u32"
simple(_BYTES, "u32", ("u32", "u32", "u32"), "(static_cast<void>({c}), __vabsdiffu4({a}, {b}))")
simple(rf"{_BYTES}\.add", "u32", ("u32", "u32", "u32"), "__vsadu4({a}, {b}) + {c}")

# ---- real numbers --------------------------------------------------------------------------------
for _name, _function in (("add", "add"), ("sub", "sub"), ("mul", "mul")):
    for _ptx, _cuda in ROUNDINGS.items():
        _middle = r"(?:\.rn)?" if _ptx == "rn" else rf"\.{_ptx}"
        simple(
            rf"{_name}{_middle}(?:\.ftz)?\.f32",
            "f32",
            ("f32", "f32"),
            f"__f{_function}_{_cuda}({{a}}, {{b}})",
        )
        simple(
            rf"{_name}{_middle}\.f64",
            "f64",
            ("f64", "f64"),
            f"__d{_function}_{_cuda}({{a}}, {{b}})",
        )
for _ptx, _cuda in ROUNDINGS.items():
    simple(
        rf"(?:fma|mad)\.{_ptx}(?:\.ftz)?\.f32",
        "f32",
        ("f32",) * 3,
        f"__fmaf_{_cuda}({{a}}, {{b}}, {{c}})",
    )
    simple(rf"(?:fma|mad)\.{_ptx}\.f64", "f64", ("f64",) * 3, f"__fma_{_cuda}({{a}}, {{b}}, {{c}})")
    simple(rf"div\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32", "f32"), f"__fdiv_{_cuda}({{a}}, {{b}})")
    simple(rf"div\.{_ptx}\.f64", "f64", ("f64", "f64"), f"__ddiv_{_cuda}({{a}}, {{b}})")
    simple(rf"rcp\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32",), f"__frcp_{_cuda}({{a}})")
    simple(rf"rcp\.{_ptx}\.f64", "f64", ("f64",), f"__drcp_{_cuda}({{a}})")
    simple(rf"sqrt\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32",), f"__fsqrt_{_cuda}({{a}})")
    simple(rf"sqrt\.{_ptx}\.f64", "f64", ("f64",), f"__dsqrt_{_cuda}({{a}})")
simple(r"div\.(?:approx|full)(?:\.ftz)?\.f32", "f32", ("f32", "f32"), "__fdividef({a}, {b})")
for _name, _value in (
    ("rcp", "__frcp_rn({a})"), ("sqrt", "__fsqrt_rn({a})"), ("rsqrt", "__frsqrt_rn({a})"),
    ("sin", "__sinf({a})"), ("cos", "__cosf({a})"), ("lg2", "__log2f({a})"),
    ("ex2", f"{P}power_of_2({{a}})"), ("tanh", "__tanhf({a})"),
):  # fmt: skip
    simple(rf"{_name}\.approx(?:\.ftz)?\.f32", "f32", ("f32",), _value)
for _type, _cpp in (("f32", "float"), ("f64", "double")):
    simple(rf"neg(?:\.ftz)?\.{_type}", _type, (_type,), "-{a}")
    simple(rf"abs(?:\.ftz)?\.{_type}", _type, (_type,), f"{P}absolute({{a}})")
    for _name in ("min", "max"):
        simple(rf"{_name}(?:\.ftz)?\.{_type}", _type, (_type, _type), f"::f{_name}({{a}}, {{b}})")
simple(r"copysign\.f32", "f32", ("f32", "f32"), "::copysignf({b}, {a})")

# ---- comparisons and choices ---------------------------------------------------------------------
COMPARED = {f"{sign}{bits}" for sign in "bus" for bits in (16, 32, 64)} | {"f32", "f64"}
COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip


@rule(rf"setp\.(?P<op>\w+?)(?:\.(?P<join>and|or|xor))?(?:\.ftz)?\.(?P<t>{ANY})", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if len(o) != (4 if m["join"] else 3):
        raise Unknown
    value = compared(r, m["op"], m["t"], o[1], o[2])
    targets = o[0].split("|")
    sign = {"and": "&", "or": "|", "xor": "^"}.get(m["join"] or "", "")
    third = r.read(o[3], "pred") if m["join"] else ""
    join = (lambda one: f"bool({one} {sign} {third})") if sign else (lambda one: one)
    text = r.write(targets[0].strip(), "pred", join(value))
    if len(targets) == 2:
        text = f"const bool __cudacpu_not = {join(f'!{value}')}; {text} "
        text += r.write(targets[1].strip(), "pred", "__cudacpu_not")
    return text


def compared(r: Registers, op: str, kind: str, a: str, b: str) -> str:
    """A comparison of real numbers is true for NaN only if its name ends in u."""
    real = kind in ("f32", "f64")
    unordered = real and op.endswith("u") and op[:-1] in COMPARISONS
    sign = COMPARISONS.get(op[:-1] if unordered else op)
    if kind not in COMPARED or not sign:
        raise Unknown
    x, y = r.read(a, kind), r.read(b, kind)
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}.get(sign)
    if unordered and opposite:
        return f"!({x} {opposite} {y})"
    if real and sign in ("==", "!=") and unordered == (sign == "=="):
        return f"{'!' if unordered else ''}({x} < {y} || {x} > {y})"
    return f"({x} {sign} {y})"


@rule(rf"set\.(?P<op>\w+?)(?:\.ftz)?\.(?P<d>[us]32|f32)\.(?P<t>{ANY})", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    yes = "1.0f" if m["d"] == "f32" else "~0u"
    no = "0.0f" if m["d"] == "f32" else "0u"
    return r.write(o[0], m["d"], f"{compared(r, m['op'], m['t'], o[1], o[2])} ? {yes} : {no}")


@rule(rf"selp\.(?P<t>{ANY})", 4)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    a, b = r.read(o[1], m["t"]), r.read(o[2], m["t"])
    return r.write(o[0], m["t"], f"{r.read(o[3], 'pred')} ? {a} : {b}")


# ---- moves and conversions -----------------------------------------------------------------------
@rule(rf"mov\.(?P<t>{ANY})", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to, source = vector(o[0]), vector(o[1])
    if len(to) == len(source) == 1:
        return r.write(o[0], m["t"], r.read(o[1], m["t"]))
    parts = max(len(to), len(source))
    if min(len(to), len(source)) != 1 or BITS[m["t"]] % parts or m["t"][0] not in "bu":
        raise Unknown
    part = UNSIGNED.get(BITS[m["t"]] // parts)
    if not part:
        raise Unknown
    bits, whole = BITS[part], TYPES[m["t"]]
    if len(to) == 1:
        joined = " | ".join(
            f"static_cast<{whole}>({r.read(one, part)}) << {bits * i}"
            for i, one in enumerate(source)
        )
        return r.write(o[0], m["t"], f"static_cast<{whole}>({joined})")
    text = f"const {whole} __cudacpu_whole = {r.read(o[1], m['t'])}; "
    return text + " ".join(
        r.write(one, part, f"static_cast<{TYPES[part]}>(__cudacpu_whole >> {bits * i})")
        for i, one in enumerate(to)
    )


@rule(r"cvt\.(?P<d>[us](?:8|16|32|64))\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    value = f"static_cast<{TYPES[m['d']]}>({r.read(o[1], m['s'], loose=True)})"
    return r.write(o[0], m["d"], value, loose=True)


@rule(r"cvt\.(?P<how>r[nzmp])(?:\.ftz)?\.(?P<d>f32|f64)\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    wide = m["s"][0] + ("64" if BITS[m["s"]] == 64 else "32")
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[wide]
    source, kind = r.read(o[1], m["s"], loose=True), "float" if m["d"] == "f32" else "double"
    if kind == "double" and BITS[wide] == 32:
        return r.write(o[0], m["d"], f"static_cast<double>({source})")
    return r.write(o[0], m["d"], f"__{name}2{kind}_{ROUNDINGS[m['how']]}({source})")


@rule(r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?(?:\.sat)?\.(?P<d>[us](?:32|64))\.(?P<s>f32|f64)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[m["d"]]
    source = "float" if m["s"] == "f32" else "double"
    value = f"__{source}2{name}_{ROUNDINGS[m['how']]}({r.read(o[1], m['s'])})"
    return r.write(o[0], m["d"], value)


@rule(r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?\.(?P<t>f32|f64)\.(?P=t)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    function = {"rn": "nearbyint", "rz": "trunc", "rm": "floor", "rp": "ceil"}[m["how"]]
    return r.write(
        o[0], m["t"], f"static_cast<{TYPES[m['t']]}>(::{function}({r.read(o[1], m['t'])}))"
    )


simple(r"cvt\.f64\.f32", "f64", ("f32",), "static_cast<double>({a})")
for _ptx, _cuda in ROUNDINGS.items():
    simple(rf"cvt\.{_ptx}(?:\.ftz)?\.f32\.f64", "f32", ("f64",), f"__double2float_{_cuda}({{a}})")
simple(r"cvt(?:\.ftz)?\.sat\.f32\.f32", "f32", ("f32",), "__saturatef({a})")
simple(r"cvt\.rna(?:\.satfinite)?\.tf32\.f32", "tf32", ("f32",), f"{P}to_tf32({{a}})")
simple(r"cvt(?:\.ftz)?\.f32\.f16", "f32", ("f16",), "::cudacpu::float_from({a})")
simple(r"cvt\.rn(?:\.ftz)?\.f16\.f32", "f16", ("f32",), "::cudacpu::half_from({a})")
simple(r"cvt\.rz(?:\.ftz)?\.f16\.f32", "f16", ("f32",), "::cudacpu::half_toward_zero({a})")
simple(r"cvt(?:\.rn)?\.f32\.bf16", "f32", ("bf16",), "::cudacpu::float_from_bfloat16({a})")
simple(r"cvt\.rn\.bf16\.f32", "bf16", ("f32",), "::cudacpu::bfloat16_from({a})")
simple(r"cvt\.rz\.bf16\.f32", "bf16", ("f32",), "::cudacpu::bfloat16_toward_zero({a})")
# The first of two numbers goes to the upper half.
simple(
    r"cvt\.rn\.f16x2\.f32",
    "f16x2",
    ("f32", "f32"),
    f"{P}pair(::cudacpu::half_from({{b}}), ::cudacpu::half_from({{a}}))",
)
simple(
    r"cvt\.rn\.bf16x2\.f32",
    "bf16x2",
    ("f32", "f32"),
    f"{P}pair(::cudacpu::bfloat16_from({{b}}), ::cudacpu::bfloat16_from({{a}}))",
)

# ---- addresses -----------------------------------------------------------------------------------
SPACE = r"(?:shared(?:::cta)?|global|local|const)"


@rule(rf"cvta(?P<to>\.to)?\.(?P<space>{SPACE})\.u(?P<bits>32|64)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    kind = f"u{m['bits']}"
    if not m["space"].startswith("shared"):
        return r.write(o[0], kind, r.read(o[1], kind))
    function = "to_shared" if m["to"] else "from_shared"
    return r.write(o[0], kind, f"static_cast<{TYPES[kind]}>({P}{function}({r.read(o[1], kind)}))")


@rule(r"isspacep\.(?P<space>shared(?:::cta)?|global|local|const)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    name = {"shared": "Shared", "global": "Global", "local": "Local", "const": "Constant"}
    function = f"__is{name[m['space'].split(':')[0]]}"
    return r.write(o[0], "pred", f"{function}({P}generic_address({r.read(o[1], 'u64')})) != 0")


# ---- memory --------------------------------------------------------------------------------------
SCOPE = r"(?:cta|gpu|sys|cluster)"
HINTS = (
    r"(?:\.nc)?(?:\.(?:ca|cg|cs|lu|cv|wb|wt))?(?:\.L1::(?:evict_\w+|no_allocate))?"
    r"(?:\.L2::(?:evict_\w+))?(?:\.L2::(?:64|128|256)B)?"
)
ORDER = rf"(?:\.(?P<volatile>volatile)|\.weak|\.(?P<order>relaxed|acquire|release)\.{SCOPE})?"
MEMORY = rf"{ORDER}(?:\.(?P<space>{SPACE}))?{HINTS}(?:\.v(?P<n>[24]))?\.(?P<t>{ANY})"


@rule(rf"ld{MEMORY}", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = vector(o[0])
    if len(to) != int(m["n"] or 1) or m["t"] in ("pred", "tf32") or m["order"] == "release":
        raise Unknown
    how = m["volatile"] or m["order"] or "plain"
    address = r.address(o[1], m["space"] or "")
    cpp = TYPES[m["t"]]
    if len(to) == 1:
        return r.write(o[0], m["t"], f"{P}load_{how}<{cpp}>({address})", loose=True)
    if len(to) * BITS[m["t"]] > 128 or how not in ("plain", "volatile"):
        raise Unknown
    text = f"const auto __cudacpu_all = {P}load_vector<{cpp}, {len(to)}>({address}); "
    return text + " ".join(
        r.write(one, m["t"], f"{P}part<{cpp}, {i}>(__cudacpu_all)", loose=True)
        for i, one in enumerate(to)
    )


@rule(rf"st{MEMORY}", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    values = vector(o[1])
    if len(values) != int(m["n"] or 1) or m["t"] in ("pred", "tf32") or m["order"] == "acquire":
        raise Unknown
    how = m["volatile"] or m["order"] or "plain"
    address, cpp = r.address(o[0], m["space"] or ""), TYPES[m["t"]]
    read = [r.read(one, m["t"], loose=True) for one in values]
    if len(values) == 1:
        return f"{P}store_{how}<{cpp}>({address}, {read[0]});"
    if len(values) * BITS[m["t"]] > 128 or how not in ("plain", "volatile"):
        raise Unknown
    return f"{P}store_vector<{cpp}>({address}, {', '.join(read)});"


@rule(r"prefetchu?(?:\.(?:global|local))?\.L[12](?:::evict_\w+)?", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"static_cast<void>({r.address(o[0], '')});"


ATOMICS = {
    "add": ("Add", "u32 s32 u64 f32 f64"), "min": ("Min", "u32 s32 u64 s64"),
    "max": ("Max", "u32 s32 u64 s64"), "and": ("And", "b32 b64"), "or": ("Or", "b32 b64"),
    "xor": ("Xor", "b32 b64"), "exch": ("Exch", "b32 b64"), "inc": ("Inc", "u32"),
    "dec": ("Dec", "u32"),
}  # fmt: skip
ATOMIC = (
    rf"(?:\.(?P<order>relaxed|acquire|release|acq_rel))?(?:\.{SCOPE})?(?:\.(?P<space>shared(?:::cta)?"
    rf"|global))?(?:\.{SCOPE})?\.(?P<op>\w+)(?:\.noftz)?\.(?P<t>{ANY})"
)


@rule(rf"(?P<name>atom|red){ATOMIC}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    returns = m["name"] == "atom"
    target, rest = (o[0], o[1:]) if returns else ("", o)
    kind, op = m["t"], m["op"]
    function, known = ATOMICS.get(op, ("CAS", "b32 b64") if op == "cas" and returns else ("", ""))
    if kind not in known.split() or len(rest) != (3 if op == "cas" else 2):
        raise Unknown
    values = ", ".join(r.read(one, kind) for one in rest[1:])
    place = f"static_cast<{TYPES[kind]}*>({r.address(rest[0], m['space'] or '')})"
    before = "__threadfence(); " if m["order"] in ("release", "acq_rel") else ""
    after = " __threadfence();" if m["order"] in ("acquire", "acq_rel") else ""
    call = f"atomic{function}({place}, {values})"
    return f"{before}{r.write(target, kind, call) if returns else f'{call};'}{after}"


@rule(r"membar\.(?P<scope>cta|gl|sys)|fence(?:\.sc|\.acq_rel)?\.(?P<to>cta|gpu|sys|cluster)", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "__threadfence_block();" if "cta" in (m["scope"], m["to"]) else "__threadfence();"


# ---- copies from global to shared memory ---------------------------------------------------------
@rule(r"cp\.async\.(?P<how>ca|cg)\.shared(?:::cta)?\.global(?:\.L2::(?:64|128|256)B)?", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if len(o) not in (3, 4):
        raise Unknown
    size = r.read(o[2], "u32")
    to, source = r.address(o[0], "shared"), r.address(o[1], "global")
    # The bytes after those of the fourth operand are filled with zeros.
    given = r.read(o[3], "u32") if len(o) == 4 else size
    if m["how"] == "cg":
        return f"{P}copy_async_16({to}, {source}, {size}, {given});"
    return f"{P}copy_async({to}, {source}, {size}, {given});"


@rule(r"cp\.async\.commit_group", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "::cudacpu::commit_copies();"


@rule(r"cp\.async\.wait_group", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"::cudacpu::wait_for_copies({r.read(o[0], 'u32')});"


@rule(r"cp\.async\.wait_all", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "::cudacpu::wait_for_all_copies();"


# ---- the warp and the block ----------------------------------------------------------------------
@rule(r"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if o[0] != "0":
        raise Unknown  # the others let a part of the block pass
    return "__syncthreads();"


@rule(r"bar\.warp\.sync", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"__syncwarp({r.read(o[0], 'u32')});"


@rule(r"vote\.sync\.(?P<how>all|any|uni)\.pred", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    vote = f"__{m['how']}_sync({r.read(o[2], 'u32')}, {r.read(o[1], 'pred')})"
    return r.write(o[0], "pred", f"{vote} != 0")


@rule(r"vote\.sync\.ballot\.b32", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    vote = f"__ballot_sync({r.read(o[2], 'u32')}, {r.read(o[1], 'pred')})"
    return r.write(o[0], "b32", vote)


@rule(r"shfl\.sync\.(?P<how>up|down|bfly|idx)\.b32", 5)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = [one.strip() for one in o[0].split("|")]
    values = ", ".join(r.read(one, "b32") for one in (o[4], *o[1:4]))
    call = f"{P}shuffle_{m['how']}({values}, &__cudacpu_valid)"
    text = f"bool __cudacpu_valid; {r.write(to[0], 'b32', call)}"
    if len(to) == 2:
        return f"{text} {r.write(to[1], 'pred', '__cudacpu_valid')}"
    return f"{text} static_cast<void>(__cudacpu_valid);"


@rule(r"match\.any\.sync\.(?P<t>b32|b64)", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    call = f"__match_any_sync({r.read(o[2], 'u32')}, {r.read(o[1], m['t'])})"
    return r.write(o[0], "b32", call)


@rule(r"redux\.sync\.(?P<op>add|min|max|and|or|xor)\.(?P<t>[usb]32)", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    call = f"__reduce_{m['op']}_sync({r.read(o[2], 'u32')}, {r.read(o[1], m['t'])})"
    return r.write(o[0], m["t"], call)


@rule(r"activemask\.b32", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "b32", "__activemask()")


@rule(r"nanosleep\.u32", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"__nanosleep({r.read(o[0], 'u32')});"


@rule(r"trap", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "__trap();"


# ---- matrices ------------------------------------------------------------------------------------
@rule(r"ldmatrix\.sync\.aligned\.m8n8\.x(?P<n>[124])(?P<trans>\.trans)?\.shared(?:::cta)?\.b16", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = vector(o[0])
    if len(to) != int(m["n"]):
        raise Unknown
    transposed = "true" if m["trans"] else "false"
    address = r.address(o[1], "shared")
    text = f"::cudacpu::Registers<unsigned, {m['n']}> __cudacpu_rows; "
    text += f"::cudacpu::load_rows<{m['n']}>(__cudacpu_rows.r, {address}, {transposed}, "
    text += '"ldmatrix"); '
    return text + " ".join(
        r.write(one, "b32", f"__cudacpu_rows.r[{i}]") for i, one in enumerate(to)
    )


# m, n and k by the types of the factors.
SHAPES = {
    "f16": ((16, 8, 8), (16, 8, 16)), "bf16": ((16, 8, 8), (16, 8, 16)),
    "tf32": ((16, 8, 4), (16, 8, 8)), "s8": ((8, 8, 16), (16, 8, 16), (16, 8, 32)),
    "f64": ((8, 8, 4),),
}  # fmt: skip
ELEMENTS = {
    "f16": "kHalf", "bf16": "kBfloat16", "tf32": "kTf32", "s8": "kInt8", "u8": "kUint8",
    "f64": "kDouble", "f32": "kFloat", "s32": "kInt32",
}  # fmt: skip


@rule(
    r"mma\.sync\.aligned\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+)\.row\.col(?P<sat>\.satfinite)?"
    r"\.(?P<d>f16|f32|f64|s32)\.(?P<a>f16|bf16|tf32|[us]8|f64)\.(?P<b>f16|bf16|tf32|[us]8|f64)"
    r"\.(?P<c>f16|f32|f64|s32)",
    4,
)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    sums = {"f16": ("f16", "f32"), "f64": ("f64",), "s8": ("s32",), "u8": ("s32",)}.get(
        m["a"], ("f32",)
    )
    integers = m["a"] in ("s8", "u8") and m["b"] in ("s8", "u8")
    shape = (int(m["m"]), int(m["n"]), int(m["k"]))
    if (
        (m["a"] != m["b"] and not integers)
        or shape not in SHAPES["s8" if integers else m["a"]]
        or m["c"] not in sums
        or m["d"] not in sums
        or (m["sat"] and not integers)
    ):
        raise Unknown
    rows, columns, depth = shape
    sizes = {"d": rows * columns, "a": rows * depth, "b": depth * columns, "c": rows * columns}
    packed = {}  # the type of a register of each operand
    for operand, (name, size) in zip(o, sizes.items(), strict=True):
        bits = BITS[m[name]]
        packed[name] = m[name] if bits >= 32 and m[name] != "tf32" else "b32"
        if len(vector(operand)) != size * bits // 32 // BITS[packed[name]]:
            raise Unknown
    text = ""
    for operand, name in zip(o[1:], "abc", strict=True):
        values = [r.read(one, packed[name]) for one in vector(operand)]
        inside = ", ".join(values)
        text += f"const {array(packed[name], len(values))} __cudacpu_{name}{{{{{inside}}}}}; "
    text += f"{array(packed['d'], len(vector(o[0])))} __cudacpu_d; "
    kinds = ", ".join(f"::cudacpu::Element::{ELEMENTS[m[name]]}" for name in "abcd")
    text += (
        f"static constexpr ::cudacpu::MatrixProduct __cudacpu_product{{{rows}, {columns}, {depth}, "
        f"{kinds}, {'true' if m['sat'] else 'false'}}}; ::cudacpu::multiply(__cudacpu_product, "
        '__cudacpu_a.r, __cudacpu_b.r, __cudacpu_c.r, __cudacpu_d.r, "mma.sync"); '
    )
    return text + " ".join(
        r.write(one, packed["d"], f"__cudacpu_d.r[{i}]") for i, one in enumerate(vector(o[0]))
    )


def array(kind: str, n: int) -> str:
    return f"::cudacpu::Registers<{TYPES[kind]}, {n}>"
