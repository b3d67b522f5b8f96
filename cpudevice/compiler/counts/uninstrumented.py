"""Calls whose results or arguments go straight to or from memory: GCC instruments neither.

    *_4 = make (_1);      the result is a structure, where the function is not inlined
        _5 = sum (*_4);       the argument is a structure by value

With -fno-elide-constructors GCC makes variables for results and arguments, except for an object
that a call initialises: `Four* p = new (out) Four(make())`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .dump import NAME, Function, SourceLine, parameters

TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
NOTE = re.compile(r"(?: \[[^\]]*\])+$")  # [tail call], [return slot optimization]
NO_CALL = ("if ", "switch ", "return ", "#", "__asm", "__builtin_", ".")
# Numbers and pointers are names by the time of the dump.
IN_MEMORY = re.compile(r"\(?\*|MEM\b|[^&].*->|[A-Za-z][\w.]*\[|[A-Za-z]\w*(?:\.\w+)*$")
OWN_NAME = re.compile(r"D\.\d+|[^.\[]*")  # of a variable or, D.123, of a value without a name
OF_VARIABLE = re.compile(r"MEM.*&([\w.<>]+)")  # MEM[(struct Ray *)&<retval> + 12B]
NO_VARIABLES = {"<retval>", "nan", "inf"}
VARIABLE = re.compile(r"^  (\S.*[\s*&])([\w.$]+)(?:\[[^\]]*\])*(?: \[value-expr.*)?;$")
# The name of a function, whose address looks like a variable's value: "kernel" of
# "void {anonymous}::kernel(int) [with T = int]".
OWN_FUNCTION = re.compile(r"(\w+)(?:<.*?>)?(?:\(.*)?$")
# Variables of the whole program are initialised before main(), those of a function under a guard.
BEFORE_MAIN = "_GLOBAL__"
GUARD = "__cxa_guard_acquire"
STATIC = "static "


def uninstrumented_calls(functions: list[Function]) -> list[SourceLine]:
    """The source lines of uninstrumented calls in a dump's functions, without the device's headers.

    Results and arguments in local variables do not count, nor do initialisations that run once.
    """
    names = {found[1] for one in functions if (found := OWN_FUNCTION.search(one.name))}
    return [place for function in functions for place in calls_of(function, names)]


def calls_of(function: Function, functions: set[str]) -> Iterator[SourceLine]:
    """The source lines of uninstrumented calls in a function; `functions`: the names of all."""
    head = function.head
    kinds = {f[2]: f[1] for line in head if (f := VARIABLE.match(line))}
    local = {name for name, kind in kinds.items() if not kind.startswith(STATIC)}
    local |= {name for line in head for name in parameters(line)}
    before_main = function.symbol.startswith(BEFORE_MAIN)
    guarded: set[str] = set()
    if any(GUARD in line.text for line in function.lines):
        guarded = kinds.keys() - local
    for line in function.lines:
        call = parse_call(line.text) if line.place else None
        if not call:
            continue
        result, arguments = call
        initialises = result in guarded or (before_main and re.fullmatch(r"[\w:]+", result))
        operands = [one for one in arguments if one not in functions]
        if not initialises:
            operands.append(result)
        if any(is_in_memory(operand, local) for operand in operands):
            yield line.place


def parse_call(text: str) -> tuple[str, list[str]] | None:
    """The result ("" for none) and the arguments of a statement that is a call."""
    statement = NOTE.sub("", TEXT.sub("0B", text).strip())
    if not statement.endswith(");") or statement.startswith(NO_CALL):
        return None
    result, assigned, value = statement.partition(" = ")
    if not assigned:
        result, value = "", statement
    start = opening(value)
    called = value[: max(start, 0)]
    if not called.endswith(" ") or called.startswith(NO_CALL):
        return None
    return result, value[start + 1 : -2].split(", ")


def opening(value: str) -> int:
    """The position of the bracket that the last bracket, before the semicolon, closes; or -1."""
    depth = 0
    for position in range(len(value) - 2, -1, -1):
        depth += {")": 1, "(": -1}.get(value[position], 0)
        if depth == 0:
            return position
    return -1


def is_in_memory(operand: str, local: set[str]) -> bool:
    """Whether the operand is a structure behind a pointer, or a variable that is not local."""
    if NAME.fullmatch(operand) or not IN_MEMORY.match(operand):
        return False
    of = OF_VARIABLE.match(operand)
    base = of[1] if of else OWN_NAME.match(operand)[0]
    return base not in local | NO_VARIABLES
