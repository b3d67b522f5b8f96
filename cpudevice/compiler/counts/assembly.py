"""Writes the counts of each basic block into a separate section of the assembly file:

    call    __sanitizer_cov_trace_pc
    .Lcudacpu_block_7:                      the call's return address, the block's name at run time
        .pushsection cudacpu_blocks             a BasicBlock of src/profile/trace/basic_blocks.h
    .pushsection cudacpu_special_lines      and a SpecialLine for each line with special functions

Dump and assembly hold the same calls in the same order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ..tokens import escaped
from .basic_blocks import BasicBlock, blocks_of
from .dump import Function

SECTION = re.compile(r'\s*\.section\s+(\S+?),\s*"([^"]*)",\s*[@%]progbits(?:,(.*))?')
LABEL = re.compile(r"^([\w.$]+):")
# x86-64, then arm64, where the size of a large frame is in a register.
LOWERED = re.compile(r"\s+sub(?:q\s+\$(\d+), %rsp|\s+sp, sp, #?(x?\d+))")
LARGE_FRAME = 1 << 16
CALL = re.compile(r"\s+(?:call|bl|jmp|b)\s+_{2,3}(tsan_\w+|sanitizer_cov_trace_pc)\b")


@dataclass
class Site:
    """A call of the trace function in the assembly."""

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


def frames_of(lines: list[str]) -> dict[str, int]:
    """The bytes by which each function lowers the stack pointer."""
    frames: dict[str, int] = {}
    name = ""
    for line in lines:
        if label := LABEL.match(line):
            name = name if label[1].startswith(".") else label[1]
        elif lowered := LOWERED.match(line):
            size = lowered[1] or lowered[2]
            lowered_by = LARGE_FRAME if size.startswith("x") else int(size)
            frames[name] = max(frames.get(name, 0), lowered_by)
    return frames


def match(blocks: list[BasicBlock], sites: list[Site]) -> list[tuple[BasicBlock, Site]]:
    """Pairs each call with its block.

    If the compiler has copied or left out blocks after the dump, the block of a call is uncertain.
    Then each call gets the counts of the most expensive block with the same accesses.
    """
    if [block.accesses for block in blocks] == [site.accesses for site in sites]:
        return list(zip(blocks, sites, strict=True))
    return [(costliest(blocks, site), site) for site in sites] if blocks else []


def costliest(blocks: list[BasicBlock], site: Site) -> BasicBlock:
    """Of the blocks with the site's accesses, the block with the most instructions."""
    alike = [block for block in blocks if block.accesses == site.accesses] or blocks
    most = max(alike, key=lambda block: block.counts.total())
    plain = [False] * len(site.accesses)
    return replace(most, accesses=site.accesses, unused=plain, hidden=plain, joined={})


def edit_calls(lines: list[str], block: BasicBlock, site: Site) -> None:
    """Removes accesses that are not the program's, joins accesses to the components of a vector,
    and marks atomic operations with an unused result: such operations cannot hand out work.
    """
    for i, line in enumerate(site.access_lines):
        if block.hidden[i] or block.joined.get(i) == "":
            lines[line] = ""
        elif i in block.joined:
            lines[line] = lines[line].replace(block.accesses[i], block.joined[i])
        elif block.unused[i] and "_fetch_" in block.accesses[i]:
            lines[line] = lines[line].replace("__tsan_atomic", "__cudacpu_atomic")


def annotate(assembly: str, functions: list[Function]) -> str:
    """The assembly with a record for every basic block of the dump's functions."""
    lines = assembly.splitlines()
    counted = blocks_of(functions, frames_of(lines))
    number = 0
    files: dict[str, str] = {}  # {a file with special functions: the label of the file's name}
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
                f"\t.4byte {block.counts.record()}, {block.waits:d}, {block.chains.longest}\n"
                "\t.popsection"
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
