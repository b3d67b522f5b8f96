"""The table of `make registers-<name>`: a row per kernel of every file."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.base.device import nvcc_version
from grader.course.declare import Assignment
from grader.explain.registers.collect import FileRegisters, PartRegisters, Row
from grader.explain.registers.ptxas import Function
from grader.terminal.console import FAILED, emit, plain_table

UNKNOWN = "–"
KERNEL_WIDTH = 28


def show_registers(console: Console, assignment: Assignment, found: list[PartRegisters]) -> None:
    for one in found:
        name = assignment.name if assignment.single_part else f"{assignment.name} · {one.part.name}"
        emit(console, Text())
        emit(console, Text.assemble((f" {name}", "bold"), f"   {one.case.name}"))
        emit(console, registers_table(one))
        for note in notes(one):
            emit(console, note)
    if found:
        limits = found[0].chip.limits
        emit(console, Text())
        release = nvcc_version().partition(",")[0]
        sentence = (
            f" compiled by nvcc {release} for sm_{limits.architecture}; stack and spills: bytes of "
            "a thread, shared memory of a block;\n warps: how many are resident of the "
            f"{limits.warps} that a multiprocessor of {found[0].chip.name} can hold"
        )
        emit(console, Text(sentence, style="dim"))


def registers_table(found: PartRegisters) -> Table:
    table = plain_table()
    table.add_column(" file", no_wrap=True, overflow="ellipsis", max_width=24)
    # Template arguments may wrap to a second line, names may not.
    names = [row.function.base_name for file in found.files for row in file.rows]
    widest = min(KERNEL_WIDTH, max(map(len, names), default=0))
    table.add_column("kernel", overflow="fold", min_width=widest, max_width=KERNEL_WIDTH)
    for heading in ("regs", "stack", "spills", "shared", "block", "warps"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("limited by")
    for file in found.files:
        for index, row in enumerate(file.rows):
            table.add_row(f" {file.entry.name}" if index == 0 else "", *cells(row))
        if not file.rows:
            table.add_row(f" {file.entry.name}", Text("no kernel", style="dim"))
    return table


def cells(row: Row) -> list[Text | str]:
    function = row.function
    if not function.is_kernel:
        return [f"calls {function.name}", "", f"+ {function.stack}", spills(function)]
    return [
        function.name,
        str(function.registers),
        str(function.stack) if function.stack_known else f"≥ {function.stack}",
        spills(function),
        shared(row),
        str(row.launch.threads) if row.launch else UNKNOWN,
        *occupancy_cells(row),
    ]


def spills(function: Function) -> str:
    """Bytes that go to memory because registers are missing: stored, loaded."""
    if not function.spill_stores and not function.spill_loads:
        return "0"
    return f"{function.spill_stores} / {function.spill_loads}"


def shared(row: Row) -> str:
    """Static shared memory, and what the launch adds."""
    dynamic = row.launch.dynamic_shared if row.launch else 0
    return f"{row.function.static_shared}" + (f" + {dynamic}" if dynamic else "")


def occupancy_cells(row: Row) -> list[Text | str]:
    if row.occupancy is None:
        return [UNKNOWN, ""]
    limits = ", ".join(row.occupancy.limits)
    if row.occupancy.blocks == 0:
        return [Text("0", style=FAILED), Text(f"{limits}: it cannot start", style=FAILED)]
    return [f"{row.occupancy.share:.0%}", limits]


def notes(found: PartRegisters) -> list[Text]:
    """What the table cannot say about a file."""
    functions = [row.function for file in found.files for row in file.rows]
    sentences = [uncounted_note(file) for file in found.files if file.uncounted]
    if any(map(has_instances, found.files)):
        sentences.append(
            " the instances of a template share one profile: each row has the blocks of all of them"
        )
    if any(not one.is_kernel or not one.stack_known for one in functions):
        sentences.append(
            " a function that is called and not inlined has a frame for each of its calls under "
            "way, so what a\n kernel that calls itself needs in all is not known: "
            "cudaDeviceSetLimit(cudaLimitStackSize, …)\n reserves it, 1024 bytes a thread by "
            "default"
        )
    return [Text(text, style="yellow") for text in sentences]


def has_instances(file: FileRegisters) -> bool:
    """Whether a file has several launched instances of a template."""
    launched = {row.function.name: row.function for row in file.rows if row.launch}
    names = [function.base_name for function in launched.values()]
    return len(set(names)) < len(names)


def uncounted_note(file: FileRegisters) -> str:
    return f" {file.entry.name}: not known how it is launched: {file.uncounted}"
