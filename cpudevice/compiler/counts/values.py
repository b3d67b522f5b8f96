"""The types and the known values of the operands of a function."""

from __future__ import annotations

import re

from .addresses import Addresses
from .dump import ASSIGNMENT, BINARY, DECLARATION, NAME, PHI, PHI_VALUE, Function, parameters
from .known_loops import KnownLoops

SHORT_TYPE = re.compile(
    r"(?:const |volatile )*(?:bool|_Bool|(?:signed |unsigned )?char"
    r"|(?:short )?(?:unsigned )?(?:int|short)|unsigned|u?int(?:8|16|32)_t"
    r"|u(?:char|short|int)|char(?:8|16|32)_t|wchar_t)"
)
REAL_TYPE = re.compile(r"\b(?:float|double)\b")
LONG_TYPE = re.compile(r"\blong\b|(?:u?int64|u?intptr|u?intmax|s?size|ptrdiff)_t|\bsizetype\b")
QUALIFIERS = re.compile(r"^(?:(?:const|volatile) )+")
VECTOR = re.compile(r"vector\((\d+)\) ")
FRAGMENT = re.compile(r"(?:struct|class) cudacpu_fragment\b")
STEP = re.compile(r"^([\w.$]+) [+-] -?\d+$")
WIDENED = re.compile(r"^(\S+) = \([^()]+\) ([\w.$]+(?:\(D\))?);$")


class Values:
    """The operands of a function."""

    def __init__(self, function: Function) -> None:
        self.lines = [line.text for line in function.lines]
        self.types: dict[str, str] = {}
        self.fused: set[str] = set()  # products inside a fused multiply-add
        self.steps: set[str] = set()  # the values of a loop's variables in the next round
        self.known_loops: KnownLoops | None = None  # read at the first division
        self.widened: set[str] | None = None  # names of shorter numbers; likewise
        self.read_declarations(function.head)
        body = self.lines[len(function.head) :]
        self.find_fused(body)
        self.find_steps()
        self.addresses = Addresses(body, self.is_floating, self.fills_with_zeros)

    def read_declarations(self, head: list[str]) -> None:
        """The types of variables, parameters and the compiler's own values."""
        for line in head:
            if found := DECLARATION.match(line):
                self.types[found[2]] = found[1].strip()
            else:
                self.types |= parameters(line)

    def is_fragment(self, place: str) -> bool:
        """Whether the place is in a fragment of a matrix, which a GPU has in registers."""
        kinds = (self.types.get(name, "") for name in re.findall(r"[A-Za-z_]\w*", place))
        return any(FRAGMENT.match(kind) for kind in kinds)

    def find_fused(self, body: list[str]) -> None:
        """Finds products whose only use is a sum: nvcc makes an FMA of product and sum.

        `body`: the function's lines without declarations, which name values as well.
        """
        products: set[str] = set()
        sums: list[tuple[str, str]] = []
        uses: dict[str, int] = {}
        for line in body:
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

    def find_steps(self) -> None:
        """Finds counters and addresses that a loop moves by a constant in each round.

        nvcc unrolls the loop; the copies then share a counter or address, with constant offsets.
        """
        following: dict[str, list[str]] = {}
        for line in self.lines:
            if phi := PHI.match(line.strip()):
                following[phi[1]] = PHI_VALUE.findall(phi[2])
        for line in self.lines:
            found = ASSIGNMENT.match(line.strip())
            step = STEP.match(found[2]) if found else None
            if step and found[1] in following.get(step[1], ()) and not self.is_floating(found[1]):
                self.steps.add(found[1])

    def lanes_of(self, operand: str) -> int:
        """The number of values in the operand: more than 1 for a vector of the host's processor."""
        found = VECTOR.match(self.declared_type(operand))
        return int(found[1]) if found else 1

    def type_of(self, operand: str) -> str:
        """Returns the type; for a vector, the type of its elements."""
        return VECTOR.sub("", self.declared_type(operand))

    def declared_type(self, operand: str) -> str:
        """Returns the declared type, without const and volatile."""
        operand = operand.removesuffix("(D)")
        for name in (operand, re.sub(r"_\d+$", "", operand)):
            if name in self.types:
                return QUALIFIERS.sub("", self.types[name])
        if re.match(r"-?\d[\d.]*e[+-]", operand):
            return "float"
        return "int"

    def is_floating(self, operand: str) -> bool:
        return self.type_of(operand) in ("float", "double")

    def is_long(self, *operands: str) -> bool:
        """Whether the operands are 64-bit integers. Unknown types count, if all known types do."""
        kinds = [self.type_of(one) for one in operands if not re.match(r"-?\d", one)]
        if any(map(REAL_TYPE.search, kinds)):
            return False
        return any(map(LONG_TYPE.search, kinds)) or not any(map(SHORT_TYPE.fullmatch, kinds))

    def fills_with_zeros(self, wide: str, operand: str) -> bool:
        """Whether a conversion of the operand makes an unsigned number longer."""
        kind = self.type_of(operand)
        unsigned = "unsigned" in kind or kind.startswith(("uint", "bool", "_Bool"))
        return unsigned and bool(SHORT_TYPE.fullmatch(kind)) and self.is_long(wide)

    def is_short(self, operand: str) -> bool:
        """Whether the 64-bit number was converted from a shorter number."""
        if self.widened is None:
            self.widened = set()
            for line in self.lines:
                cast = WIDENED.match(line.strip())
                if cast and SHORT_TYPE.fullmatch(self.type_of(cast[2])):
                    self.widened.add(cast[1])
        return operand in self.widened or bool(re.fullmatch(r"\d{1,9}", operand))

    def divisors(self, operand: str) -> list[int]:
        """The divisors, if nvcc knows them: a constant, or a number for each round of a loop."""
        if re.match(r"-?\d", operand):
            return [int(re.sub(r"[^\d]", "", operand))]
        if self.known_loops is None:
            self.known_loops = KnownLoops(self.lines, self.type_of)
        return [abs(value) for value in self.known_loops.values(operand)]
