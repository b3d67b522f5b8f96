"""Counts the instructions of each basic block for the profile mode, in a GPU's terms.

In profile mode the compiler puts a call of __sanitizer_cov_trace_pc() at the head of every basic
block, so the run-time library sees which blocks a thread runs. How many instructions a GPU would
need for one is counted here, from GCC's last dump of the program before registers
(-fdump-tree-optimized): it hardly depends on the processor that the CPU device runs on, unlike its
machine code. The counts are written into the assembly file, in a section of their own:

    call    __sanitizer_cov_trace_pc
    .Lcudacpu_block_7:                      what the call returns to, and so its name at run time
    .pushsection cudacpu_blocks             one BasicBlock of src/profile/trace/basic_blocks.h
    .pushsection cudacpu_special_lines      and a SpecialLine for each line with special functions

Dump and assembly hold the same calls in the same order; where they do not, the blocks of that
function are matched as far as they agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from .flags import TRACE
from .graded import attribute_names
from .known_loops import KnownLoops
from .vectors import Joiner

# ---- what a GPU needs for it -------------------------------------------------------------------
# Instructions of (fp32, fp64, special function unit, integer), about what nvcc makes for sm_80
# without -use_fast_math. The special function unit has a quarter of the rate.
FLOAT_DIVISION = (8, 0, 1, 1)
DOUBLE_DIVISION = (0, 12, 1, 2)
INTEGER_DIVISION = (2, 0, 1, 14)
INTEGER_DIVISION_BY_CONSTANT = (0, 0, 0, 3)
# 64 bits: fitted to an H200 that took 3910 us for 64 of them in each of 2^24 threads, and 1135 us
# if both operands fitted into 32 bits, as widened ones do: the GPU tests for that first.
LONG_DIVISION = (0, 0, 3, 120)
LONG_DIVISION_OF_SHORT = (0, 0, 3, 30)
LONG_DIVISION_BY_CONSTANT = (0, 0, 0, 9)
SHORT_TYPE = re.compile(
    r"(?:const |volatile )*(?:bool|_Bool|(?:signed |unsigned )?char"
    r"|(?:short )?(?:unsigned )?(?:int|short)|unsigned|u?int(?:8|16|32)_t"
    r"|u(?:char|short|int)|char(?:8|16|32)_t|wchar_t)"
)
REAL_TYPE = re.compile(r"\b(?:float|double)\b")
LONG_TYPE = re.compile(r"\blong\b|(?:u?int64|u?intptr|u?intmax|s?size|ptrdiff)_t|\bsizetype\b")
# Integers of 128 bits are four registers. A division is fitted to a kernel of 2^24 threads with one
# each, which took 1.1 ms on an NVIDIA H200.
WIDE = {"+": 4, "-": 4, "&": 4, "|": 4, "^": 4, "*": 20, "/": 2000, "%": 2000, "<<": 10, ">>": 10}
WIDE_COMPARISON = 4
WIDE_TYPES = {"__int128", "__int128 unsigned", "uint128_t", "int128_t"}
CALLS = {
    "sqrt": (6, 0, 1, 1), "rsqrt": (3, 0, 1, 1), "cbrt": (16, 0, 2, 4), "exp": (5, 0, 1, 1),
    "exp2": (2, 0, 1, 1), "exp10": (6, 0, 1, 1), "expm1": (14, 0, 1, 2), "log": (12, 0, 1, 4),
    "log2": (12, 0, 1, 4), "log10": (13, 0, 1, 4), "log1p": (14, 0, 1, 4), "pow": (30, 0, 2, 10),
    "sin": (14, 0, 0, 8), "cos": (14, 0, 0, 8), "tan": (20, 0, 1, 8), "sincos": (20, 0, 0, 10),
    "asin": (14, 0, 1, 3), "acos": (14, 0, 1, 3), "atan": (12, 0, 1, 3), "atan2": (22, 0, 1, 6),
    "sinh": (14, 0, 2, 2), "cosh": (10, 0, 2, 2), "tanh": (10, 0, 2, 2), "fmod": (10, 0, 1, 12),
    "hypot": (8, 0, 1, 4), "erf": (18, 0, 1, 2), "erfc": (20, 0, 2, 2), "lgamma": (60, 0, 2, 10),
    "tgamma": (40, 0, 2, 10), "fma": (1, 0, 0, 0), "floor": (1, 0, 0, 0), "ceil": (1, 0, 0, 0),
    "trunc": (1, 0, 0, 0), "rint": (1, 0, 0, 0), "nearbyint": (1, 0, 0, 0), "round": (4, 0, 0, 0),
    # As many as nvcc 13 has in its PTX; half of them where a function has two ways.
    "asinh": (26, 0, 3, 11), "acosh": (28, 0, 2, 11), "atanh": (23, 0, 2, 10),
    "ldexp": (3, 0, 1, 12), "scalbn": (3, 0, 1, 12), "scalbln": (3, 0, 1, 12),
    "frexp": (3, 0, 0, 12), "modf": (2, 0, 1, 2), "logb": (3, 0, 2, 9), "ilogb": (0, 0, 1, 13),
    "remainder": (14, 0, 3, 22), "remquo": (15, 0, 3, 26), "fdim": (1, 0, 0, 1),
    "nextafter": (3, 0, 0, 23), "lrint": (0, 0, 2, 0), "llrint": (0, 0, 2, 0),
    "lround": (0, 0, 1, 24), "llround": (0, 0, 1, 24), "j0": (29, 0, 4, 31), "j1": (29, 0, 4, 32),
    "y0": (80, 0, 9, 67), "y1": (80, 0, 9, 67), "jn": (228, 0, 30, 138), "yn": (228, 0, 30, 138),
    "fabs": (0, 0, 0, 0), "fmin": (1, 0, 0, 0), "fmax": (1, 0, 0, 0), "copysign": (0, 0, 0, 1),
}  # fmt: skip
# cudacpu's own functions behind CUDA's (sinpi, erfinv …): as nvcc has of them for a float. That is
# made a double for the call, and back, which costs two conversions already.
OWN_CALLS = {
    "sine_of_pi_times": (17, 0, 1, 5), "cosine_of_pi_times": (18, 0, 0, 6),
    "inverse_erf": (21, 0, 0, 2), "inverse_erfc": (28, 0, 1, 5), "scaled_erfc": (46, 0, 3, 4),
    "bessel_i0": (44, 0, 2, 8), "bessel_i1": (44, 0, 2, 8),
}  # fmt: skip
# Arithmetic and conversions with a rounding of their own, which cudacpu has as functions.
DIRECTED = re.compile(r"__(f|d)?(add|sub|mul|ma|maf|div|rcp|sqrt|\w+2float|\w+2double)_r[zud]")
# cudacpu's own functions for CUDA's fast intrinsics: this prefix, then the same name.
FAST_CALLS = {
    "sin": (1, 0, 1, 0), "cos": (1, 0, 1, 0), "tan": (2, 0, 3, 0), "sincos": (2, 0, 2, 0),
    "exp": (1, 0, 1, 0), "exp10": (1, 0, 1, 0), "log": (1, 0, 1, 0), "log2": (0, 0, 1, 0),
    "log10": (1, 0, 1, 0), "pow": (2, 0, 2, 0), "fdividef": (1, 0, 1, 0), "tanh": (0, 0, 1, 0),
}  # fmt: skip
# Numbers of 16 bits: functions of cudacpu/half_bits.h, which convert, and cudacpu/short_float.h. A
# pair takes one instruction, as a single number does, if there is one at all.
SHORT_FLOAT = re.compile(
    r"cudacpu::(?:b?float16|half|float)_(?:from|from_double|toward_zero|directed)|cudacpu::tf32_from"
    r"|__hb?(?:eq|ne|lt|le|gt|ge)u?2?(?:_mask|_bits)?|__his(?:nan|inf|nan2_bits)"
    r"|(?:__h|h)\w+_bits"
)
# cudacpu/device/ptx/instructions.h.
PTX = "cudacpu::ptx::"
SHORT_FLOAT_DIVISION = (3, 0, 1, 0)
# Vector instructions of the host's processor that no operator expresses.
VECTOR_CALL = "__builtin_ia32_"
BIT_CALLS = ("popcount", "clz", "ctz", "ffs", "bswap", "parity", "abs")


@dataclass
class Counts:
    integer: int = 0
    fp32: int = 0
    fp64: int = 0
    special: int = 0
    control: int = 0
    loop: int = 0  # counter, comparison and branch of a loop: nvcc unrolls, so most of them vanish

    def add(self, other: Counts) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def times(self, factor: int) -> Counts:
        return Counts(**{name: factor * value for name, value in vars(self).items()})

    def add_operation(self, counts: tuple[int, int, int, int], double: bool = False) -> None:
        fp32, fp64, special, integer = counts
        if double:  # the same kind of polynomial, about twice as long
            fp32, fp64 = 0, 2 * fp32 + fp64
        self.fp32 += fp32
        self.fp64 += fp64
        self.special += special
        self.integer += integer

    def record(self) -> str:
        values = (self.integer, self.fp32, self.fp64, self.special, self.control, self.loop)
        return ", ".join(str(min(v, 0xFFFF)) for v in values)


@dataclass
class BasicBlock:
    counts: Counts = field(default_factory=Counts)
    accesses: list[str] = field(default_factory=list)  # instrumented accesses, for the matching
    unused: list[bool] = field(default_factory=list)  # of those: nothing uses the result
    # of those: the CPU device's, not the program's
    hidden: list[bool] = field(default_factory=list)
    joined: dict[int, str] = field(default_factory=dict)  # of those: see vectors.py
    special_lines: dict[tuple[str, int], int] = field(default_factory=dict)  # {(file, line): count}
    place: tuple[str, int] | None = None  # of the last statement so far that is the program's
    statements: int = 0
    free: int = 0  # of the statements: inside code that counts as a single instruction
    seen: bool = True  # it belongs to the program, not to a function of the CPU device

    def note_special(self, count: int) -> None:
        """Counts special functions in a header of the CPU device for the program's current line."""
        if count and self.place:
            self.special_lines[self.place] = self.special_lines.get(self.place, 0) + count


# ---- the dump ----------------------------------------------------------------------------------

FUNCTION = re.compile(r"^;; Function .* \((\S+), funcdef_no=")
HEAD = re.compile(r"^  <bb (\d+)>")
DECLARATION = re.compile(r"^  (\S.*[\s*&])([\w.$]+)(?: \[value-expr.*)?;$")
ASSIGNMENT = re.compile(r"^(\S+) = (.*);$")
WIDENED = re.compile(r"^(\S+) = \([^()]+\) ([\w.$]+(?:\(D\))?);$")
BINARY = re.compile(r"^(\S+) ([^\s\w(]\S*|r[><]+|w\*) (\S+)$")
INSTRUMENTED = re.compile(r"^(?:\S+ = )?(?:__builtin_)?_{2,3}(tsan_\w+) \(([^,]*)")
ADDRESS = re.compile(r"^(\S+) = &(.+);$")
# Called functions that touch no memory of the program.
TOUCHES_NOTHING = ("__builtin_", "cudacpu::observe::peek", "std::")
CALLED = re.compile(r"^(?:\S+ = )?([\w.:~$]+) \(")
# CUDACPU_UNSEEN: g++ 11 knows only one half of it, and calls TRACE nevertheless.
UNSEEN = "no_sanitize"
FRAGMENT = re.compile(r"(?:struct|class) fragment\b")
VECTOR = re.compile(r"vector\((\d+)\) ")
GOTO = re.compile(r"goto <bb (\d+)>")
NAME = re.compile(r"[\w.$]+_\d+(?:\(D\))?|_\d+")
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "unord", "ord"}


# The source line of a statement; the dump writes it before statements and operands.
PLACE = re.compile(r"\[([^\[\]\s]+):(\d+):\d+[^\]]*\] ")
# Calls of memcpy and its kind that copy a known length.
COPIES = "cudacpu/memory_functions.h"
# Headers whose functions are single instructions of a GPU and are counted as such where they are
# called: a vote is not the loop over 32 lanes that it is here.
SINGLE_INSTRUCTIONS = {
    "warp.h",
    "lanes.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "matrix.h",
    "ptx/instructions.h",
    "ptx/arithmetic.h",
    "async_copy.h",
    "matrix/memory.h",
    "mma.h",
    "atomics.h",
    "launch.h",
    "runtime.h",
    "synchronization.h",
    "turns.h",
}


def read_dump(text: str, include: str) -> dict[str, list[BasicBlock]]:
    """The instrumented blocks of each function, in the dump's order, by the function's symbol.

    `include` is the folder of the CPU device's own headers.
    """
    functions: dict[str, list[BasicBlock]] = {}
    lines: list[str] = []
    name = None
    for line in [*text.splitlines(), ";; Function end (end, funcdef_no="]:
        found = FUNCTION.match(line)
        if not found:
            lines.append(line)
            continue
        if name is not None:
            functions[name] = FunctionReader(lines, include).read()
        name, lines = found[1], []
    return functions


# A call whose result goes to memory, `*_4 = make (_1);`, or that takes what lies there by value,
# `_5 = sum (*_4);`. Numbers and pointers are names by then.
WHOLE_CALL = re.compile(r"^(?:(\S+|MEM .*?\]) = )?([\w:.~$<>, *&]+) \((.*)\);(?: \[.*\])*$")
IN_MEMORY = re.compile(r"\*|MEM\b|[^&].*->|[A-Za-z][\w.]*\[|[A-Za-z]\w*(?:\.\w+)*$")
OWN_NAME = re.compile(r"D\.\d+|[^.\[]*")  # of a variable or, D.123, of a value without a name
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
OF_VARIABLE = re.compile(r"MEM.*&([\w.<>]+)")  # MEM[(struct Ray *)&<retval> + 12B]


def uncounted_call(dump: str, include: str) -> str:
    """Where a call's result or argument goes straight to or from memory: "file:line", or "".

    GCC instruments neither. Local variables are no such memory; functions of our headers are not
    looked at.
    """
    lines: list[str] = []
    for line in [*dump.splitlines(), ";; Function end (end, funcdef_no="]:
        if not FUNCTION.match(line):
            lines.append(line)
            continue
        local = {found[2] for one in lines if (found := DECLARATION.match(one))}
        for one in lines:
            call = WHOLE_CALL.match(TEXT.sub("0B", PLACE.sub("", one)).strip())
            if not call or call[2].startswith(("__builtin_", ".", "if", "switch")):
                continue
            place = FunctionReader.place_of(one, include)
            operands = [call[1] or "", *call[3].split(", ")]
            if place and any(is_in_memory(operand, local) for operand in operands):
                return f"{place[0]}:{place[1]}"
        lines = []
    return ""


def is_in_memory(operand: str, local: set[str]) -> bool:
    """Whether this is a structure behind a pointer, or a variable of the program."""
    if NAME.fullmatch(operand) or not IN_MEMORY.match(operand):
        return False
    of = OF_VARIABLE.match(operand)
    base = of[1] if of else OWN_NAME.match(operand)[0]
    return base not in local | {"<retval>", "nan", "inf"}


class FunctionReader:
    def __init__(self, lines: list[str], include: str) -> None:
        self.free = [self.is_free(line, include) for line in lines]
        self.copies = [self.is_copy(line, include) for line in lines]
        placed = [f for line, f in zip(lines, self.free, strict=True) if PLACE.match(line.lstrip())]
        unseen = any(UNSEEN in attribute_names(line) for line in lines)
        self.seen = not unseen and not (placed and all(placed))
        self.places = [self.place_of(line, include) for line in lines]
        self.lines = [PLACE.sub("", line) for line in lines]
        self.types: dict[str, str] = {}
        self.fused: set[str] = set()
        self.known_loops: KnownLoops | None = None  # read where something is divided
        self.widened: set[str] | None = None  # what is a shorter number; likewise
        self.read_declarations()
        self.find_fused()

    @staticmethod
    def is_free(line: str, include: str) -> bool:
        place = PLACE.match(line.lstrip())
        if not place or not place[1].startswith(include):
            return False
        return place[1].endswith(tuple(f"/{name}" for name in SINGLE_INSTRUCTIONS))

    @staticmethod
    def place_of(line: str, include: str) -> tuple[str, int] | None:
        """The file and the line of the program that a statement is from, where it is of one."""
        place = PLACE.match(line.lstrip())
        if not place or place[1].startswith(include):
            return None
        return place[1], int(place[2])

    @staticmethod
    def is_copy(line: str, include: str) -> bool:
        """Whether this is a memcpy of known length, which nvcc turns into accesses of single
        bytes.
        """
        place = PLACE.match(line.lstrip())
        return bool(place) and place[1] == f"{include}/{COPIES}"

    def read(self) -> list[BasicBlock]:
        blocks: list[BasicBlock] = []
        number = 0
        condition = ""  # of an `if` whose two targets come in the next lines
        targets: list[int] = []
        addresses: dict[str, str] = {}  # {name: the variable whose address it holds}
        joiner = Joiner(self.type_of)
        of_lines = zip(self.lines, self.free, self.copies, self.places, strict=True)
        for line, free, copy, place in of_lines:
            head = HEAD.match(line)
            if head:
                number = int(head[1])
                joiner.close()
                continue
            statement = line.strip()
            if not number or not statement or statement == "else":
                continue
            if TRACE in statement:
                blocks.append(BasicBlock(seen=self.seen))
                joiner = Joiner(self.type_of)
                blocks[-1].joined = joiner.joined
                continue
            if not blocks:
                continue
            # A block without a call of its own is a small piece on an edge: it belongs to the last
            # one.
            block = blocks[-1]
            access = INSTRUMENTED.match(statement)
            target = GOTO.search(statement)
            block.statements += 1
            block.free += free
            block.place = place or block.place
            if address := ADDRESS.match(statement):
                addresses[address[1]] = address[2]
            if access:
                of = access[2].rstrip(");")
                if not free:
                    joiner.access(len(block.accesses), access[1], addresses.get(of, of.lstrip("&")))
                hidden = free and "atomic" not in access[1]
                if copy and access[1].endswith("_range"):
                    renamed = access[1].replace("_range", "_bytes")
                    joiner.joined[len(block.accesses)] = renamed
                block.hidden.append(hidden or self.is_fragment(addresses.get(of, of)))
                block.accesses.append(access[1])
                block.unused.append(" = " not in statement.split("(")[0])
            elif statement.startswith("if ("):
                condition, targets = "" if free else statement[4:-1], []
            elif free and not target:
                pass
            elif statement.startswith("switch ("):
                block.counts.add(Counts(integer=2, control=1))
            elif target and condition:
                targets.append(int(target[1]))
                if len(targets) == 2:
                    block.counts.add(self.branch(condition, min(targets) <= number))
                    condition = ""
            elif not target:
                called = CALLED.match(statement)
                if called and not called[1].startswith(TOUCHES_NOTHING):
                    joiner.close()
                before = block.counts.special
                self.count(statement, block.counts)
                block.note_special(block.counts.special - before)
        joiner.close()
        return blocks

    def read_declarations(self) -> None:
        """The types of variables, parameters and the compiler's own values."""
        for line in self.lines:
            if HEAD.match(line):
                return
            found = DECLARATION.match(line)
            if found:
                self.types[found[2]] = found[1].strip()
            elif (
                line
                and not line.startswith((" ", ";", "{", "}"))
                and line.endswith(")")
                and " (" in line
            ):
                inside = line[line.index(" (") + 2 : -1]
                for parameter in inside.split(","):
                    kind, _, name = parameter.strip().rpartition(" ")
                    self.types[name] = kind

    def is_fragment(self, place: str) -> bool:
        """Whether this is in a fragment of a matrix, which a GPU has in registers."""
        kinds = (self.types.get(name, "") for name in re.findall(r"[A-Za-z_]\w*", place))
        return any(FRAGMENT.match(kind) for kind in kinds)

    def find_fused(self) -> None:
        """Finds products that are only used in one sum: nvcc makes one FMA of both."""
        products: set[str] = set()
        sums: list[tuple[str, str]] = []
        uses: dict[str, int] = {}
        for line in self.lines:
            found = ASSIGNMENT.match(line.strip())
            for name in NAME.findall(found[2] if found else line):
                uses[name] = uses.get(name, 0) + 1
            binary = BINARY.match(found[2]) if found else None
            if binary and self.is_floating(found[1]):
                if binary[2] == "*":
                    products.add(found[1])
                elif binary[2] in "+-":
                    sums.append((binary[1], binary[3]))
        for pair in sums:
            fused = next((name for name in pair if name in products and uses.get(name) == 1), None)
            if fused:
                self.fused.add(fused)

    def lanes_of(self, operand: str) -> int:
        """The number of values in it: more than one for a vector of the host's processor."""
        found = VECTOR.match(self.declared_type(operand))
        return int(found[1]) if found else 1

    def type_of(self, operand: str) -> str:
        """Returns the type; for a vector, the type of its elements."""
        return VECTOR.sub("", self.declared_type(operand))

    def declared_type(self, operand: str) -> str:
        operand = operand.removesuffix("(D)")
        if operand in self.types:
            return self.types[operand]
        base = re.sub(r"_\d+$", "", operand)
        if base in self.types:
            return self.types[base]
        if re.match(r"-?\d[\d.]*e[+-]", operand):
            return "float"
        return "int"

    def is_floating(self, operand: str) -> bool:
        return self.type_of(operand) in ("float", "double")

    def branch(self, condition: str, backward: bool) -> Counts:
        if backward:
            return Counts(loop=3)
        counts = Counts(control=1)
        self.count_comparison(condition, counts)
        return counts

    def count_comparison(self, condition: str, counts: Counts) -> None:
        operands = condition.split()
        kinds = {self.type_of(operands[0]), self.type_of(operands[-1])} if operands else set()
        if kinds & WIDE_TYPES:
            counts.integer += WIDE_COMPARISON
        elif "double" in kinds:
            counts.fp64 += 1
        elif "float" in kinds:
            counts.fp32 += 1
        else:
            counts.integer += 1

    def count(self, statement: str, counts: Counts) -> None:
        """Counts the operation for each element of a vector: a GPU's thread has no vectors."""
        found = ASSIGNMENT.match(statement)
        lanes = self.lanes_of(found[1]) if found else 1
        one = Counts()
        self.count_one(statement, one)
        if found and lanes > 1 and one == Counts() and found[2].startswith(("VEC_", ".")):
            one.integer = 1
        counts.add(one.times(lanes))

    def count_one(self, statement: str, counts: Counts) -> None:
        called = CALLED.match(statement)
        if called and not statement.startswith("#"):
            self.count_call(called[1], counts)
            return
        found = ASSIGNMENT.match(statement)
        if not found or "{CLOBBER" in statement or statement.startswith("#"):
            return
        result, value = found[1], found[2]
        binary = BINARY.match(value)
        if binary:
            self.count_binary(result, *binary.groups(), counts)
        elif " ? " in value:
            self.count_comparison(value.split(" ? ")[0], counts)
            counts.integer += 1
        elif re.match(r"(MIN|MAX)_EXPR", value):
            self.count_simple(result, counts)
        elif value.startswith("("):
            self.count_cast(result, value, counts)
        elif value.startswith("~"):
            counts.integer += 1

    def count_simple(self, result: str, counts: Counts) -> None:
        kind = self.type_of(result)
        if kind == "double":
            counts.fp64 += 1
        elif kind == "float":
            counts.fp32 += 1
        else:
            counts.integer += 1

    def count_binary(self, result: str, a: str, operator: str, b: str, counts: Counts) -> None:
        if operator in COMPARISONS:
            self.count_comparison(f"{a} {operator} {b}", counts)
            return
        kind = self.type_of(result)
        if kind in WIDE_TYPES:
            counts.integer += WIDE.get(operator, WIDE["+"])
            return
        if kind in ("float", "double"):
            if operator == "/" and not re.match(r"-?[\d.]", b):
                counts.add_operation(FLOAT_DIVISION if kind == "float" else DOUBLE_DIVISION)
            elif result not in self.fused:
                self.count_simple(result, counts)
            return
        if operator in ("/", "%"):
            counts.add_operation(self.integer_division(result, a, b))
            return
        if operator == "*" and re.fullmatch(r"(1|2|4|8|16|32)", b):
            return  # the scale of an address: part of the multiply-add that follows
        counts.integer += 1

    def integer_division(self, result: str, a: str, b: str) -> tuple[int, int, int, int]:
        divisors = self.divisors(b)
        is_long = self.is_long(result, a, b)
        if divisors and all(divisor.bit_count() == 1 for divisor in divisors):
            return (0, 0, 0, 1)
        if divisors:
            return LONG_DIVISION_BY_CONSTANT if is_long else INTEGER_DIVISION_BY_CONSTANT
        if not is_long:
            return INTEGER_DIVISION
        return LONG_DIVISION_OF_SHORT if self.is_short(a) and self.is_short(b) else LONG_DIVISION

    def is_long(self, *operands: str) -> bool:
        """Whether these are integers of 64 bits. An unknown type may be, if all known ones are."""
        kinds = [self.type_of(one) for one in operands if not re.match(r"-?\d", one)]
        if any(map(REAL_TYPE.search, kinds)):
            return False
        return any(map(LONG_TYPE.search, kinds)) or not any(map(SHORT_TYPE.fullmatch, kinds))

    def is_short(self, operand: str) -> bool:
        """Whether this 64-bit number was converted from a shorter one."""
        if self.widened is None:
            self.widened = set()
            for line in self.lines:
                cast = WIDENED.match(line.strip())
                if cast and SHORT_TYPE.fullmatch(self.type_of(cast[2])):
                    self.widened.add(cast[1])
        return operand in self.widened or bool(re.fullmatch(r"\d{1,9}", operand))

    def divisors(self, operand: str) -> list[int]:
        """The divisors, as far as nvcc knows them: a constant, or one for each round of a loop."""
        if re.match(r"-?\d", operand):
            return [int(re.sub(r"[^\d]", "", operand))]
        if self.known_loops is None:
            self.known_loops = KnownLoops(self.lines, self.type_of)
        return [abs(value) for value in self.known_loops.values(operand)]

    def count_cast(self, result: str, value: str, counts: Counts) -> None:
        """Only conversions from or to floating point cost an instruction."""
        operand = value.rsplit(" ", 1)[-1]
        if self.type_of(result) != self.type_of(operand) and (
            self.is_floating(result) or self.is_floating(operand)
        ):
            counts.special += 1  # F2F, I2F and F2I run on the same unit, at the same rate

    def count_call(self, name: str, counts: Counts) -> None:
        plain = name.removeprefix("__builtin_").removeprefix("std::")
        if name.startswith(PTX):
            counts.integer += 1
            return
        if directed := DIRECTED.fullmatch(name):
            self.count_directed(directed[1] == "f", directed[2], counts)
            return
        if SHORT_FLOAT.fullmatch(name):
            counts.add_operation(short_float(name))
            return
        if name.startswith(VECTOR_CALL):
            counts.fp32 += 1
            return
        if plain.startswith(BIT_CALLS):
            counts.integer += 1
            return
        fast = plain.strip("_")
        if name.startswith("__") and {fast, fast.removesuffix("f")} & FAST_CALLS.keys():
            counts.add_operation(FAST_CALLS.get(fast) or FAST_CALLS[fast.removesuffix("f")])
            return
        if (own := name.removeprefix("cudacpu::")) in OWN_CALLS:
            counts.add_operation(OWN_CALLS[own])
            return
        single = plain.removesuffix("f")
        if single in CALLS and plain not in CALLS:
            counts.add_operation(CALLS[single])
        elif plain in CALLS:
            counts.add_operation(CALLS[plain], double=True)

    @staticmethod
    def count_directed(single: bool, operation: str, counts: Counts) -> None:
        """Counts a function such as __fadd_rz; __fma_rz works on doubles."""
        if operation in ("div", "rcp"):
            counts.add_operation(FLOAT_DIVISION if single else DOUBLE_DIVISION)
        elif operation == "sqrt":
            counts.add_operation(CALLS["sqrt"], double=not single)
        elif "2" in operation:
            counts.special += 1
        else:
            counts.add_operation((1, 0, 0, 0) if operation == "maf" or single else (0, 1, 0, 0))


def short_float(name: str) -> tuple[int, int, int, int]:
    """The cost of one operation on numbers of 16 bits, by the tables above."""
    if name.startswith("cudacpu::"):
        return (0, 0, 0, 1)
    if name.endswith("div_bits"):
        return SHORT_FLOAT_DIVISION
    if name.startswith("__"):
        return (1, 0, 0, 0)
    whole = ("ceil", "floor", "trunc", "rint")
    return (0, 0, 0, 1) if name.removesuffix("_bits").endswith(whole) else (1, 0, 1, 0)


# ---- the assembly ------------------------------------------------------------------------------

SECTION = re.compile(r'\s*\.section\s+(\S+?),\s*"([^"]*)",\s*[@%]progbits(?:,(.*))?')
LABEL = re.compile(r"^([\w.$]+):")
CALL = re.compile(r"\s+(?:call|bl|jmp|b)\s+_{2,3}(tsan_\w+|sanitizer_cov_trace_pc)\b")


@dataclass
class Site:
    """One call of the trace function in the assembly."""

    line: int
    group: str  # of sections that are kept or dropped together: templates and inline functions
    accesses: list[str] = field(default_factory=list)
    access_lines: list[int] = field(default_factory=list)


def read_assembly(lines: list[str]) -> dict[str, list[Site]]:
    functions: dict[str, list[Site]] = {}
    types = {
        m[1]
        for m in (re.match(r"\s*\.type\s+([\w.$]+),\s*[@%]function", line) for line in lines)
        if m
    }
    group, sites = "", []
    for number, line in enumerate(lines):
        section = SECTION.match(line)
        if section:
            group = (section[3] or "").split(",")[0] if "G" in section[2] else ""
        elif re.match(r"\s*\.text\b", line):
            group = ""
        label = LABEL.match(line)
        if label and label[1] in types:
            sites = functions.setdefault(label[1], [])
        call = CALL.match(line)
        if not call:
            continue
        if call[1] == "sanitizer_cov_trace_pc":
            sites.append(Site(number, group))
        elif sites:
            sites[-1].accesses.append(call[1])
            sites[-1].access_lines.append(number)
    return functions


def match(blocks: list[BasicBlock], sites: list[Site]) -> list[tuple[BasicBlock, Site]]:
    """Pairs each counted block with its call."""
    a = [tuple(b.accesses) for b in blocks]
    b = [tuple(s.accesses) for s in sites]
    if a == b:
        return list(zip(blocks, sites, strict=True))
    pairs: list[tuple[BasicBlock, Site]] = []
    for i, j, size in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        pairs += zip(blocks[i : i + size], sites[j : j + size], strict=True)
    return pairs


def edit_calls(lines: list[str], block: BasicBlock, site: Site) -> None:
    """Removes accesses that are not the program's, joins those to the components of a vector, and
    marks atomic operations with an unused result: they cannot hand out work.
    """
    for i, line in enumerate(site.access_lines):
        if block.hidden[i] or block.joined.get(i) == "":
            lines[line] = ""
        elif i in block.joined:
            lines[line] = lines[line].replace(block.accesses[i], block.joined[i])
        elif block.unused[i] and "_fetch_" in block.accesses[i]:
            lines[line] = lines[line].replace("__tsan_atomic", "__cudacpu_atomic")


def escaped(text: str) -> str:
    """Returns the text as the operand of .string."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def annotate(assembly: str, dump: str, include: str) -> str:
    """The assembly with a record for every basic block. `include`: see read_dump()."""
    lines = assembly.splitlines()
    counted = read_dump(dump, include)
    number = 0
    files: dict[str, str] = {}  # {a file with special functions: the label of its name}
    for name, sites in read_assembly(lines).items():
        for block, site in match(counted.get(name, []), sites):
            group = f',"aG",@progbits,{site.group},comdat' if site.group else ',"a",@progbits'
            edit_calls(lines, block, site)
            if not block.seen or (block.statements and block.free == block.statements):
                lines[site.line] = ""
                continue
            label = f".Lcudacpu_block_{number}"
            number += 1
            lines[site.line] += (
                f"\n{label}:\n\t.pushsection cudacpu_blocks{group}\n\t.balign 4\n"
                f"\t.4byte {label} - .\n"
                f"\t.2byte {block.counts.record()}\n\t.popsection"
            )
            for (file, line), special in block.special_lines.items():
                named = files.setdefault(file, f".Lcudacpu_file_{len(files)}")
                lines[site.line] += (
                    f"\n\t.pushsection cudacpu_special_lines{group}\n\t.balign 4\n"
                    f"\t.4byte {label} - .\n\t.4byte {named} - .\n\t.4byte {line}, {special}\n"
                    "\t.popsection"
                )
    if files:
        lines.append('\t.section .rodata.cudacpu_files,"a",@progbits')
        lines += (f'{named}:\n\t.string "{escaped(file)}"' for file, named in files.items())
    return "\n".join(lines) + "\n"
