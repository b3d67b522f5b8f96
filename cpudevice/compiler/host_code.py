"""Keeps both sides of `#ifdef __CUDA_ARCH__`: the code for the host and the code for the device.

nvcc compiles a file twice, and defines __CUDA_ARCH__ for the device only. On the CPU device a
program has both sides, so a file that names the macro is preprocessed twice, and the two texts are
merged. Lines of only one text are put between names that the translator replaces:

    #ifdef __CUDA_ARCH__                __cudacpu_on_device
      return __clz(x);                    return __clz(x);
    #else                               __cudacpu_end_on_device __cudacpu_else_on_host
      return __builtin_clz(x);            return __builtin_clz(x);
    #endif                              __cudacpu_end_on_host

In a function for both sides the two parts become an `if`; elsewhere only one of the two parts
stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .headers.folders import is_ours
from .tokens import OPENERS, Region, Tokens, escaped, regions

MACRO = "__CUDA_ARCH__"
PART = re.compile(r"__cudacpu_(?P<otherwise>else_)?on_(?P<side>device|host)$")
MARK = re.compile(r"__cudacpu_(else_|end_)?on_(device|host)$")
QUOTED = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
ON_DEVICE = {"__device__", "__global__", "__shared__", "__constant__"}
# First words of a statement that declares nothing. A statement with another first word declares
# nothing if its second word is one of JOINS.
STATEMENTS = {"return", "if", "for", "while", "do", "switch", "throw", "asm", "(", "*", "{", "++"}
JOINS = {"(", "=", "[", ".", "->", "+", "-", "*", "|", "&", "^", "++", "--", ";"}


@dataclass
class Run:
    """Successive lines of one of the student's files."""

    marker: str
    file: str
    lines: dict[int, str] = field(default_factory=dict)

    def add(self, region: Region) -> None:
        for number, line in enumerate(region.text.split("\n"), start=region.line):
            if line.strip():
                before = self.lines.get(number)
                self.lines[number] = f"{before} {line}" if before else line


def names_macro(text: str) -> bool:
    """Whether a student's file in a preprocessed text names the macro."""
    files = {region.file for region in regions(text) if is_own(region)}
    for file in files:
        try:
            if MACRO in Path(file).read_text(errors="replace"):
                return True
        except OSError:
            continue
    return False


def is_own(region: Region) -> bool:
    return (
        bool(region.marker)
        and not region.is_system()
        and not region.file.startswith("<")
        and not is_ours(region.file)
    )


def both_sides(device: str, host: str, extra: Path) -> str:
    """Merges the two texts; `extra` is a file that only the host's text includes."""
    pieces, runs = runs_of(device, extra)
    others = runs_of(host, extra)[1]
    if [run.file for run in runs] != [run.file for run in others]:
        return device  # the two sides include different files
    if all(a.lines == b.lines for a, b in zip(runs, others, strict=True)):
        return device
    merged = iter([merge(a, b) for a, b in zip(runs, others, strict=True)])
    return "".join(next(merged) if isinstance(piece, Run) else piece for piece in pieces)


def runs_of(text: str, extra: Path) -> tuple[list[str | Run], list[Run]]:
    pieces: list[str | Run] = []
    runs: list[Run] = []
    open_run: Run | None = None
    for region in regions(text):
        inside = open_run and region.file == open_run.file and " 1" not in region.flags
        if inside and " 2" not in region.flags:
            open_run.add(region)
        elif is_own(region) and Path(region.file) != extra:
            open_run = Run(region.marker, region.file)
            open_run.add(region)
            pieces.append(open_run)
            runs.append(open_run)
        else:
            open_run = None
            pieces.append(region.marker + region.text)
    return pieces, runs


def merge(device: Run, host: Run) -> str:
    if device.lines == host.lines:
        lines = device.lines
    else:
        lines = dict(merged_lines(device.lines, host.lines))
    if not lines:
        return device.marker
    first, last = min(lines), max(lines)
    text = "\n".join(lines.get(number, "") for number in range(first, last + 1))
    flags = "".join(re.findall(r" [12]", device.marker.rsplit('"', 1)[1]))
    return f'# {first} "{escaped(device.file)}"{flags}\n{text}\n'


def merged_lines(device: dict[int, str], host: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Yields the lines by number, with names around each part of a single side."""
    parts: list[tuple[str, list[int]]] = []  # of the current group: at most a part of each side
    out: dict[int, str] = {}
    depth = 0  # of braces, in lines of both sides
    for number in sorted(device.keys() | host.keys()):
        mine, other = device.get(number), host.get(number)
        side = "" if mine and other else "device" if mine else "host"
        text = mine or other or ""
        goes_on = side and parts and parts[-1][0] == side
        if goes_on and not (depth == 0 and ends(parts[-1][1], number, out)):
            parts[-1][1].append(number)
        else:
            if not side or len(parts) == 2 or (parts and parts[-1][0] == side):
                close(parts, out)
                parts = []
            if side:
                parts.append((side, [number]))
        if not side:
            depth += text.count("{") - text.count("}")
        out[number] = text
    close(parts, out)
    yield from out.items()


def ends(numbers: list[int], following: int, out: dict[int, str]) -> bool:
    """Whether a part may end before line `following`, where another directive may begin."""
    lines = [out[number] for number in numbers]
    has_gap = following > numbers[-1] + 1
    return has_gap and is_balanced(lines) and lines[-1].rstrip().endswith((";", "}"))


def close(parts: list[tuple[str, list[int]]], out: dict[int, str]) -> None:
    """Marks the parts of a group; if a part has an unmatched bracket, only the device's part
    stays.
    """
    if not all(is_balanced([out[number] for number in numbers]) for _, numbers in parts):
        for side, numbers in parts:
            for number in numbers if side == "host" else []:
                out[number] = ""
        return
    for place, (side, numbers) in enumerate(parts):
        otherwise = "else_" if place else ""
        # Usually the lines of the directives, which the preprocessor left empty.
        before, after = numbers[0] - 1, numbers[-1] + 1
        out[before] = f"{out.get(before, '')} __cudacpu_{otherwise}on_{side}"
        out[after] = f"{out.get(after, '')} __cudacpu_end_on_{side}"


def is_balanced(lines: list[str]) -> bool:
    text = QUOTED.sub("", "\n".join(lines))
    return all(text.count(opening) == text.count(OPENERS[opening]) for opening in OPENERS)


# ---- in the translator ---------------------------------------------------------------------------


def choose(tokens: Tokens, position: int, in_function: bool, words: set[str]) -> None:
    """Handles the name that begins a part; `words` come before the function's body."""
    found = PART.match(tokens.text(position))
    side, otherwise = found["side"], bool(found["otherwise"])
    end = next(
        p for p in range(position, len(tokens.code)) if tokens.text(p) == f"__cudacpu_end_on_{side}"
    )
    for name in (position, end):
        tokens.token(name).out = ""
    other = "host" if side == "device" else "device"
    # The decision for each part takes both parts into account, so that the two agree.
    pair = [(position, end)]
    if otherwise:
        begin = max(p for p in range(position) if tokens.text(p) == f"__cudacpu_on_{other}")
        pair.append((begin, position - 1))
    elif tokens.text(end + 1) == f"__cudacpu_else_on_{other}":
        last = next(
            p for p in range(end, len(tokens.code)) if tokens.text(p) == f"__cudacpu_end_on_{other}"
        )
        pair.append((end + 1, last))
    if in_function and "__host__" in words and words & {"__device__", "__global__"}:
        if "constexpr" not in words and all(is_statements(tokens, a, b) for a, b in pair):
            condition = "" if side == "device" else "!"
            begin_if = "else {" if otherwise else f"if ({condition}::cudacpu::in_kernel()) {{"
            tokens.token(position).out = begin_if
            tokens.token(end).out = "}"
            return
        kept = "device"
    elif in_function:
        kept = "device" if words & {"__device__", "__global__"} else "host"
    else:
        # A part without a counterpart stays, unless the host's part has device functions.
        inside = {tokens.text(p) for p in range(position, end)}
        kept = "device" if len(pair) == 2 or inside & ON_DEVICE else side
    if side != kept:
        for p in range(position + 1, end):
            tokens.token(p).out = ""
            tokens.token(p).text = ""  # leaves nothing for the translator to visit


def is_statements(tokens: Tokens, begin: int, end: int) -> bool:
    """Whether a part consists of whole statements that declare no names."""
    p, starts = begin + 1, True
    while p < end:
        text = tokens.text(p)
        if starts and text not in STATEMENTS:
            q = p
            while tokens.text(q + 1) == "::":
                q += 2
            if tokens.text(q + 1) not in JOINS and tokens.text(q + 1) != "<":
                return False
        starts = text in (";", "}")
        if text in OPENERS:
            p = tokens.partner.get(p, p)
            if p > end:
                return False
            starts = tokens.text(p) == "}" or (tokens.text(p) == ")" and starts)
        elif text in ("}", ")"):
            return False
        p += 1
    return tokens.text(end - 1) in (";", "}") or end == begin + 1
