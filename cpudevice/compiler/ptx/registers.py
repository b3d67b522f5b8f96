"""The registers and operands of an asm statement, as C++ that reads or writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .types import BITS, TYPES, UNSIGNED, P

# The special registers by their width in bits, each with C++ for the value.
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
                ("clusterid", "__clusterIdx()"),
                ("nclusterid", "__clusterGridDimInClusters()"),
                ("cluster_ctaid", "__clusterRelativeBlockIdx()"),
                ("cluster_nctaid", "__clusterDim()"),
            )
            for axis in "xyz"
        },
        "cluster_ctarank": "__clusterRelativeBlockRank()",
        "cluster_nctarank": "__clusterSizeInBlocks()",
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
class Carry:
    """The carry flag, a variable of the statement.

    A statement that begins with a use of the carry gets the carry from the statement before; a
    statement that ends with a new carry leaves the carry for the next statement.
    """

    used: bool = False
    is_set: bool = False  # by the last instruction that uses or sets the carry
    is_passed_in: bool = False

    def note(self, uses: bool, sets: bool) -> str:
        """Notes an instruction; returns the last arguments of the instruction's function."""
        self.is_passed_in = self.is_passed_in or (uses and not self.used)
        self.used, self.is_set = True, sets
        return f"{str(uses).lower()}, {str(sets).lower()}, __cudacpu_carry"

    @property
    def declaration(self) -> str:
        first = f"{P}kept_carry()" if self.is_passed_in else "false"
        return f"bool __cudacpu_carry = {first}; " if self.used else ""

    @property
    def end(self) -> str:
        return f"{P}keep_carry(__cudacpu_carry);" if self.is_set else ""


@dataclass
class Registers:
    """The operands and registers of an asm statement."""

    variables: dict[str, Variable]
    used: set[str] = field(default_factory=set)
    # Variables that an instruction writes, perhaps an input, as the statement works on a copy.
    written: set[str] = field(default_factory=set)
    carry: Carry = field(default_factory=Carry)
    hopper: str = ""  # an instruction only for compute capability 9.0

    def find(self, operand: str) -> Variable | None:
        """An operand of the statement is %0, %1 …; a declared register may have a % too."""
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
        self.written.add(operand.removeprefix("%"))
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


def vector(operand: str) -> list[str]:
    """The registers of `{a, b}`, or a single register."""
    if operand.startswith("{") and operand.endswith("}"):
        return [one.strip() for one in operand[1:-1].split(",")]
    return [operand]
