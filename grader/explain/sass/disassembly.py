"""Reads SASS as `nvdisasm -gi -c` prints it, and PTX as nvcc writes it.

SASS is the machine code of a GPU. Comments name the source line of the instructions below,
innermost call first:

    _Z6kernelPKfPf:
        //## File "/…/rung.cu", line 199 inlined at "/…/rung.cu", line 152
        //## File "/…/rung.cu", line 152
            /*0390*/              @!P0 LDG.E R12, desc[UR8][R16.64] ;
            /*03a0*/                   STL [R1+0x8], R0                  (*"SpillRefill"*);
    .L_x_2:

PTX is the code from which SASS is made. `.loc` names a source line, and `.file` numbers the files:

    .entry _Z6kernelPKfPf(
        .loc 2 10 3, function_name $L__info_string0, inlined_at 1 32 3
        ld.global.u32 %r1, [%rd3];
"""

import re
from dataclasses import dataclass

Place = tuple[str, int]  # file, line

SECTION = re.compile(r"\s*\.section\s+\.text\.([^\s,]+)")
PLACE = re.compile(r'"([^"]+)", line (\d+)')
SASS_LINE = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*(?:/\*.*)?$")
LABEL = re.compile(r"(\.L_x_\d+):")
NOTE = re.compile(r'\s*\(\*"(.*?)"\*\)')
SPILL = "SpillRefill"
REUSE = re.compile(r"\.reuse\b")  # how the processor caches an operand: not part of the operation
NEXT_PLACE = "//## File "

ENTRY = re.compile(r"(?:\.visible |\.weak )*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
FILE = re.compile(r'\s*\.file\s+(\d+)\s+"([^"]+)"')
LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)\s+\d+(?:.*inlined_at\s+(\d+)\s+(\d+))?")
VARIABLE = re.compile(r"\b_ZZ\w*E\d+([a-zA-Z_]\w*)")  # of a function, as in _ZZ1kPfE4tile
# Declarations and the like; labels are kept, because branches name labels.
DIRECTIVE = re.compile(r"\s*(\.(?!L)|//|[{}()]|\$L__(?:func|info|tmp)|$)")


@dataclass(frozen=True)
class Instruction:
    text: str
    places: tuple[Place, ...]  # innermost first: a line in a function, then the line of the call
    address: int = 0  # of SASS, in bytes from the function's first instruction
    label: str = ""  # the label before the instruction
    spills: bool = False  # spills a register or loads a spilled register; from nvcc 13 on

    @property
    def is_filler(self) -> bool:
        """Whether the instruction fills the end of a function and is never executed."""
        return self.text == "NOP"


def read_sass(listing: str) -> dict[str, list[Instruction]]:
    """{name: instructions} of an output of `nvdisasm -gi -c`, without the filling at the end."""
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    places: list[Place] = []
    new_place, label = True, ""
    for line in listing.splitlines():
        if section := SECTION.match(line):
            current = functions.setdefault(section[1], [])
            places, label = [], ""
        elif NEXT_PLACE in line:
            if new_place:
                places, new_place = [], False
            file, number = PLACE.search(line).groups()
            places.append((file, int(number)))
        elif named := LABEL.match(line):
            label = named[1]
        elif found := SASS_LINE.match(line):
            text = REUSE.sub("", NOTE.sub("", found[2])).replace("`(", "(")
            spills = SPILL in NOTE.findall(found[2])
            current.append(Instruction(text, tuple(places), int(found[1], 16), label, spills))
            new_place, label = True, ""
    return {name: without_filler(one) for name, one in functions.items()}


def without_filler(instructions: list[Instruction]) -> list[Instruction]:
    """The instructions without the endless loop and the NOPs after the last executed one."""
    end = len(instructions)
    while end and instructions[end - 1].is_filler:
        end -= 1
    last = instructions[end - 1] if end else None
    if last and last.label and last.text == f"BRA ({last.label})":
        end -= 1
    return instructions[:end]


def read_ptx(text: str) -> dict[str, list[Instruction]]:
    """{name: instructions} of nvcc's PTX; parameters and local variables have short names."""
    files = {number: file for number, file in FILE.findall(text)}
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] | None = None
    name, label = "", ""
    places: tuple[Place, ...] = ()
    for line in text.splitlines():
        if entry := ENTRY.match(line):
            name, places, label = entry[1], (), ""
            current = functions.setdefault(name, [])
        elif line == "}":
            current = None
        elif current is None:
            continue
        elif place := LOC.match(line):
            own = (files.get(place[1], ""), int(place[2]))
            call = [(files.get(place[3], ""), int(place[4]))] if place[3] else []
            places = (own, *call)
        elif line.endswith(":") and line.startswith("$L__BB"):
            label = line[:-1]
        elif not DIRECTIVE.match(line):
            words = " ".join(line.split()).rstrip(";").replace(f"{name}_param_", "param_")
            current.append(Instruction(VARIABLE.sub(r"\1", words), places, label=label))
            label = ""
    return functions
