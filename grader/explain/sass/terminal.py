"""Shows PTX and SASS below each line of the source, in the terminal."""

import itertools
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.base.device import nvcc_version
from grader.base.text import count_text
from grader.explain.sass.collect import FileSass, KernelSass, SourceLine
from grader.explain.sass.disassembly import Instruction
from grader.explain.sass.memory import Move, move_of, operation
from grader.explain.terminal import LISTING_LEFT, code_lines, folded, heading
from grader.terminal.console import FAILED, emit, plain_table

MOST_LISTED = 12  # instructions of a line; more instructions are only counted, by name
PTX_SHARE = 0.38  # share of the terminal's width
INDENT = len(LISTING_LEFT.format("", ""))
UNBROKEN = "\N{NO-BREAK SPACE}"
WIDE, LOCAL = "green", FAILED


@dataclass(frozen=True)
class Row:
    """A row of a column: the instruction, the access, and the style."""

    text: str
    note: str = ""
    style: str = ""


def show_sass(console: Console, files: list[FileSass]) -> None:
    for file in files:
        emit(console, Text())
        emit(console, heading(console.width, file.title, file.file))
        if len(file.kernels) > 1:
            emit(console, Text())
            emit(console, kernels_table(file))
        if not file.kernels:
            emit(console, Text(" no kernel", style="dim"))
        for kernel in listed_kernels(file):
            emit(console, Text())
            for line in kernel_heading(kernel):
                emit(console, line)
            emit(console, Text())
            for line in listing(file, kernel, console.width):
                emit(console, line)
        emit(console, Text())
        emit(console, Text(closing(file), style="dim"))


def listed_kernels(file: FileSass) -> Iterator[KernelSass]:
    """The first instance of each template: all others differ only in numbers."""
    for _, alike in itertools.groupby(file.kernels, lambda one: one.function.base_name):
        yield next(alike)


def kernels_table(file: FileSass) -> Table:
    table = plain_table()
    table.add_column(" kernel", overflow="fold")
    for title in ("regs", "stack", "spills", "instructions"):
        table.add_column(title, justify="right", no_wrap=True)
    listed = list(listed_kernels(file))
    for kernel in file.kernels:
        one = kernel.function
        style = "" if kernel in listed else "dim"
        numbers = [one.registers, one.stack, one.spill_stores + one.spill_loads]
        cells = [str(number) for number in (*numbers, kernel.instructions)]
        table.add_row(f" {one.name}", *cells, style=style)
    return table


def kernel_heading(kernel: KernelSass) -> list[Text]:
    """The kernel's registers and spills, then the number of accesses of each kind."""
    one = kernel.function
    registers = f"{one.registers} registers" if one.is_kernel else "called, not inlined"
    line = Text.assemble(
        (f" {one.name}", "bold"),
        f"   {registers}, {count_text(kernel.instructions, 'instruction')}, ",
    )
    line.append(*spill_words(kernel))
    moves = [
        Text.assemble("   ", (f"{count:4} × {move.text}", style_of(move)))
        for move, count in sorted(kernel.moves.items())
    ]
    return [line, *moves]


def spill_words(kernel: KernelSass) -> tuple[str, str]:
    one = kernel.function
    if one.spill_stores or one.spill_loads:
        return f"spills: {one.spill_stores} bytes stored, {one.spill_loads} loaded", LOCAL
    if one.stack:
        return f"no spills, {one.stack} bytes of local arrays and frames", ""
    return "no spills", ""


def style_of(move: Move) -> str:
    return LOCAL if move.is_local else WIDE if move.is_vector else ""


def listing(file: FileSass, kernel: KernelSass, width: int) -> list[Text]:
    """Each line of the source in full, and below the line PTX on the left, SASS on the right."""
    left = INDENT + int(width * PTX_SHARE)
    head = LISTING_LEFT.format("line", "PTX").ljust(left) + "  SASS"
    shown = [Text(head, style="dim"), Text("─" * width, style="dim")]
    for name, lines in kernel.files.items():
        if name != file.file:
            shown.append(Text(f" {name}", style="dim"))
        for line in folded(lines):
            if line is None:
                shown.append(Text(LISTING_LEFT.format("", "…"), style="dim"))
                continue
            shown += source_rows(line, width)
            shown += code_rows(line, left, width)
    return shown


def source_rows(line: SourceLine, width: int) -> list[Text]:
    if not line.number:
        return [Text(LISTING_LEFT.format("", "instructions without a source line"), style="italic")]
    rows = code_lines(line, width - len(LISTING_LEFT.format("", "")))
    return [Text(row, style="bold" if line.cells else "dim") for row in rows]


def code_rows(line: SourceLine, left: int, width: int) -> Iterator[Text]:
    ptx = list(rows_of(line.ptx, left - INDENT))
    sass = list(rows_of(line.sass, width - left - 2))
    for a, b in itertools.zip_longest(ptx, sass, fillvalue=Row("")):
        text = Text(" " * INDENT)
        text.append(a.text.ljust(left - INDENT + 2), "dim")
        text.append(b.text, b.style)
        if b.note:
            text.append(b.note.rjust(width - text.cell_len), b.style)
        text.rstrip()
        yield text


def rows_of(instructions: list[Instruction], room: int) -> Iterator[Row]:
    if len(instructions) > MOST_LISTED:
        yield from counted_rows(instructions, room)
        return
    for one in instructions:
        if one.label:
            yield Row(f"{one.label}:", style="dim")
        yield from wrapped(one.text, move_of(one), room)


def counted_rows(instructions: list[Instruction], room: int) -> Iterator[Row]:
    """The number of each instruction: first the instructions that access memory."""
    counts = Counter((move_of(one), operation(one.text)) for one in instructions)
    for (move, name), count in counts.items():
        if move:
            yield from wrapped(f"{count} × {name}", move, room)
    rest = [
        f"{count}{UNBROKEN}×{UNBROKEN}{name}" for (move, name), count in counts.items() if not move
    ]
    for text in textwrap.wrap(", ".join(rest), room, break_on_hyphens=False):
        yield Row(text.replace(UNBROKEN, " "))


def wrapped(text: str, move: Move | None, room: int) -> Iterator[Row]:
    """An instruction, wrapped to rows, with the access at the right."""
    style = style_of(move) if move else ""
    note = move.text if move else ""
    parts = textwrap.wrap(text, room, subsequent_indent="  ", break_on_hyphens=False)
    fits = len(parts[-1]) + 2 + len(note) <= room
    for part in parts[:-1]:
        yield Row(part, style=style)
    yield Row(parts[-1], note if fits else "", style)
    if note and not fits:
        yield Row("", note, style)


def closing(file: FileSass) -> str:
    release = nvcc_version().partition(",")[0]
    sentence = (
        f" compiled by nvcc {release} for sm_{file.chip.limits.architecture}; B: bytes per lane"
    )
    counted = any(
        len(column) > MOST_LISTED
        for kernel in listed_kernels(file)
        for lines in kernel.files.values()
        for line in lines
        for column in (line.ptx, line.sass)
    )
    if counted:
        sentence += f";\n the page lists each instruction of lines with more than {MOST_LISTED}"
    return sentence
