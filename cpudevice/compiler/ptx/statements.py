"""Inline assembly in CUDA code: PTX, which becomes C++ or is refused.

The translator and the grader share this reader: the translator writes the C++, and the grader
refuses a student's file with a statement that would not become C++. So no text of a file ever
reaches the assembler of the host. instructions.py knows the instructions.

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 5; selp.u32 %0, 1, 2, p; }" : "=r"(y) : "r"(x));
    asm volatile("" ::: "memory");      no instruction; the compiler must not move accesses across

A statement with an unknown instruction is unknown. An instruction for Hopper GPUs only is known but
has no C++: a graded file may hold the instruction behind an #if that is false on the CPU device. A
branch goes to a label in the same statement. Graded files may have no branches and labels, because
the host's assembler takes labels too, no `exit`, and no raw string, because some readers of a file
do not find the end of a raw string.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .instructions import statement
from .registers import Registers, Unknown, Variable
from .types import TYPES

KEYWORDS = ("asm", "__asm", "__asm__")
VOLATILE = ("volatile", "__volatile", "__volatile__")
# The PTX type of each operand constraint.
CONSTRAINTS = {"h": "u16", "r": "u32", "l": "u64", "q": "b128", "f": "f32", "d": "f64"}
STRING = re.compile(r'"((?:[^"\\]|\\[nt])*)"')
RAW_STRING = re.compile(r'R"([^()\\\s"]{0,16})\((.*)\)\1"', re.DOTALL)
# All characters of PTX; without comments and assembler directives.
LETTERS = re.compile(r"[\w\s.,;:%@!|{}\[\]+\-<>]*")
INSTRUCTION = re.compile(
    r"(?:@(?P<predicate>!?\s*%?\w+)\s+)?(?P<name>[a-z][\w.]*(?:::\w+[\w.]*)*)"
    r"(?:(?:\s+|(?=[%{\[]))(?P<operands>.*))?",
    re.DOTALL,
)
DECLARATION = re.compile(r"\.reg\s*\.(?P<type>\w+)\s+(?P<names>[%\w\s,<>]+)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LABEL = re.compile(r"([A-Za-z_$]\w*)\s*:(?!:)")
# An asm statement with the instruction `exit` in a string.
EXITS = re.compile(
    rf"\b(?:{'|'.join(KEYWORDS)})\s*(?:{'|'.join(VOLATILE)})?\s*\(\s*"
    r'(?:R?"(?:[^"\\]|\\.)*"\s*)*?R?"(?:[^"\\]|\\.)*\bexit\s*;'
)
KNOWN = "what docs/cpu-device.md lists"


@dataclass(frozen=True)
class Operand:
    constraint: str  # without = and +
    reads: bool
    writes: bool
    first: int  # first and last word of the expression
    last: int


@dataclass(frozen=True)
class Statement:
    """An asm statement that the reader understands."""

    operands: tuple[Operand, ...] = ()
    template: str = ""  # "": no instruction
    hopper: str = ""  # an instruction that the CPU device lacks: the statement has no C++

    def cpp(self, expressions: Sequence[str], unique: int) -> str:
        """Returns the statement's C++, given the operands' expressions and a unique number."""
        return Writer(self, expressions, f"{unique}").text()


@dataclass
class Writer:
    """Writes a statement."""

    statement: Statement
    expressions: Sequence[str]
    unique: str
    labels: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)  # of branches
    exits: bool = False  # an instruction ends the thread
    hopper: str = ""

    def text(self) -> str:
        variables, before, after = {}, [], ""
        for number, (operand, expression) in enumerate(
            zip(self.statement.operands, self.expressions, strict=True)
        ):
            name = f"__cudacpu_{number}"
            if operand.constraint == "n":
                variables[str(number)] = Variable(f"({expression})", "n")
                continue
            kind = CONSTRAINTS[operand.constraint]
            variables[str(number)] = Variable(name, kind)
            value = f"::cudacpu::ptx::operand<{TYPES[kind]}>({expression})" if operand.reads else ""
            before.append((str(number), f"{TYPES[kind]} {name}{{{value}}}; "))
            if operand.writes:
                result = f"::std::remove_reference_t<decltype(({expression}))>"
                after += f" ({expression}) = ::cudacpu::ptx::result<{result}>({name});"
        operands = set(variables)
        registers = Registers(variables)
        body = self.body(registers)
        self.hopper = registers.hopper
        if not operands <= registers.used:
            raise Unknown  # an operand that no instruction names
        if not self.targets <= self.labels:
            raise Unknown
        carry = registers.carry.declaration
        after = registers.carry.end + after
        first = "".join(
            text if number in registers.written else f"const {text}" for number, text in before
        )
        return f"do {{ {first}{carry}{body}{after} }} while (0)"

    def body(self, registers: Registers) -> str:
        text, declared = "", ""
        count = depth = 0
        rest = self.statement.template
        while rest := rest.lstrip():
            if rest[0] == "{":
                depth, rest = depth + 1, rest[1:]
                continue
            if rest[0] == "}":
                depth, rest = depth - 1, rest[1:]
                if depth < 0:
                    raise Unknown
                continue
            if label := LABEL.match(rest):
                self.labels.add(label[1])
                text += f"__cudacpu_label_{label[1]}_{self.unique}:; "
                rest = rest[label.end() :]
                continue
            one, separator, rest = rest.partition(";")
            one = one.strip()
            if not separator:
                raise Unknown
            if not one:
                continue
            if declaration := DECLARATION.fullmatch(one):
                declared += self.declare(declaration, registers)
                continue
            text += self.instruction(one, registers) + " "
            count += 1
        if depth or not count:
            raise Unknown
        return declared + text

    def declare(self, found: re.Match[str], registers: Registers) -> str:
        kind = found["type"]
        if kind not in TYPES:
            raise Unknown
        text = ""
        for one in found["names"].split(","):
            many = re.fullmatch(r"\s*%?([A-Za-z_]\w*)(?:<(\d{1,3})>)?\s*", one)
            if not many:
                raise Unknown
            names = [f"{many[1]}{i}" for i in range(int(many[2]))] if many[2] else [many[1]]
            for name in names:
                if name in registers.variables:
                    raise Unknown
                registers.variables[name] = Variable(f"__cudacpu_register_{name}", kind)
                text += f"[[maybe_unused]] {TYPES[kind]} __cudacpu_register_{name}{{}}; "
        return text

    def instruction(self, one: str, registers: Registers) -> str:
        found = INSTRUCTION.fullmatch(one)
        if not found:
            raise Unknown
        try:
            return self.known(found, registers)
        except Unknown:
            raise Unknown(found["name"][:60]) from None

    def known(self, found: re.Match[str], registers: Registers) -> str:
        branch = re.fullmatch(r"bra(?:\.uni)?", found["name"])
        if branch:
            target = (found["operands"] or "").strip()
            self.targets.add(target)
            text = f"goto __cudacpu_label_{target}_{self.unique};"
        elif found["name"] == "exit" and not found["operands"]:
            self.exits = True
            text = "::cudacpu::exit_thread();"
        else:
            text = statement(registers, found["name"], split(found["operands"] or ""))
        if not found["predicate"]:
            return f"{{ {text} }}"
        condition = registers.read(found["predicate"].replace(" ", ""), "pred")
        return f"if ({condition}) {{ {text} }}"


def split(operands: str) -> list[str]:
    """Splits at the commas outside of brackets."""
    pieces, depth = [""], 0
    for letter in operands:
        depth += (letter in "{[") - (letter in "}]")
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces] if operands.strip() else []


def read_statement(words: Sequence[str], graded: bool = False) -> Statement | None:
    """Reads the words from `asm` to the closing bracket; None for an unknown statement."""
    if graded and any(RAW_STRING.fullmatch(word) for word in words):
        return None
    try:
        read = parse(words)
        if read.template:
            writer = Writer(read, ["x"] * len(read.operands), "")
            writer.text()
            if graded and (writer.labels or writer.exits):
                return None
            return replace(read, hopper=writer.hopper)
        return read
    except Unknown:
        return None


def parse(words: Sequence[str]) -> Statement:
    begin = 2 if words[1:2] and words[1] in VOLATILE else 1
    if list(words[begin : begin + 1]) != ["("] or words[-1] != ")":
        raise Unknown
    at, end, template = begin + 1, len(words) - 1, ""
    while at < end and words[at].endswith('"'):
        template += text_of(words[at])
        at += 1
    if at == begin + 1:
        raise Unknown
    # The number for %= makes a label unique; here each statement has its own labels.
    template = COMMENT.sub(" ", template).replace("%=", "_unique")
    if not LETTERS.fullmatch(template):
        raise Unknown
    sections: list[list[Operand]] = [[], [], []]
    section, clobbers = -1, []
    while at < end:
        if words[at] in (":", "::"):
            section += len(words[at])
            at += 1
        elif section == 2 and STRING.fullmatch(words[at]):
            clobbers.append(words[at])
            at += 1
        elif section in (0, 1) and STRING.fullmatch(words[at]):
            constraint = ""
            while STRING.fullmatch(words[at]):
                constraint += STRING.fullmatch(words[at])[1]
                at += 1
            last = closing(words, at)
            if words[at] != "(" or last >= end:
                raise Unknown
            sections[section].append(operand(constraint, section == 0, at + 1, last - 1))
            at = last + 1
        else:
            raise Unknown
        if at < end and words[at] == ",":
            at += 1
            if at == end or not STRING.fullmatch(words[at]):
                raise Unknown
        elif at < end and words[at] not in (":", "::") and words[at - 1] not in (":", "::"):
            next_operand = section in (0, 1) and STRING.fullmatch(words[at])
            if not next_operand:  # nvcc does without the comma between two operands
                raise Unknown
    if section > 2 or any(one != '"memory"' for one in clobbers):
        raise Unknown
    operands = (*sections[0], *sections[1])
    if not template.strip():
        if operands or not clobbers or template:
            raise Unknown
        return Statement()
    return Statement(operands, template)


def text_of(word: str) -> str:
    raw = RAW_STRING.fullmatch(word)
    found = STRING.fullmatch(word)
    text = found[1].replace("\\n", "\n").replace("\\t", "\t") if found else "\\"
    text = raw[2] if raw else text
    if "\\" in text:
        raise Unknown
    return text.replace("%%", "%")


def operand(letters: str, is_output: bool, first: int, last: int) -> Operand:
    kind = letters.lstrip("=+&")
    prefix = letters[: len(letters) - len(kind)]
    known = ("=", "+", "=&", "+&") if is_output else ("",)
    if first > last or prefix not in known or kind not in (*CONSTRAINTS, "n"):
        raise Unknown
    if kind == "n" and is_output:
        raise Unknown
    return Operand(kind, not is_output or prefix[0] == "+", is_output, first, last)


def closing(words: Sequence[str], opening: int) -> int:
    depth = 0
    for place in range(opening, len(words)):
        depth += (words[place] == "(") - (words[place] == ")")
        if depth == 0:
            return place
    return len(words) - 1


def instruction(words: Sequence[str]) -> str:
    """A name for the assembly in a message: the first instruction or label that is refused."""
    strings = [word for word in words if word.endswith('"')]
    inside = strings[0][strings[0].index('"') + 1 : -1] if strings else ""
    try:
        read = parse(words)
        writer = Writer(read, ["x"] * len(read.operands), "")
        writer.text()
        if writer.labels:
            return f"{min(writer.labels)}:"  # all else is known
        if writer.exits:
            return "exit"
    except Unknown as unknown:
        if unknown.args:
            return unknown.args[0]
    found = re.search(r"[A-Za-z.][\w.]*", re.sub(r"\\[nt]", " ", inside))
    return found[0][:40] if found else inside.strip()[:40]
