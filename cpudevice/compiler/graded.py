"""What `--graded` adds: no code may escape the profile, and no code may replace another file's
code.

Both are checked in the compiler's output, whatever the names in the source.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .flags import TRACE
from .headers.folders import is_ours
from .options import Failure, Options
from .tokens import unescaped
from .tools import binutil, nm, run

FILE = re.compile(r'\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
LOCATION = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
FUNCTION = re.compile(r"\s*\.type\s+([\w.$]+),\s*[@%]function")
SIZE = re.compile(r"\s*\.size\s+([\w.$]+),")
# The place of a piece of inline assembly: the line after #APP.
ASSEMBLY = re.compile(r'# (\d+) "([^"]*)" 1')
# A function's attributes; their texts may look like other attributes.
ATTRIBUTES = re.compile(r"^__attribute__\(\((.*)\)\)$")
STRING = re.compile(r'"[^"]*"')
ARGUMENTS = re.compile(r"\([^()]*\)")
DUMPED = re.compile(r"^;; Function .* \((\S+), funcdef_no=")
# nm's letters for definitions that the linker may keep or drop: templates, inline functions.
WEAK = re.compile(r"(\S+) [WVu] [0-9a-f]+\b.*")
# The C++ library identifies the parts of a locale by their addresses: each part has a single
# address.
FACET = re.compile(r"_ZNSt\w+2idE")
# The object's own variables are put into sections that the run-time library recognises:
# src/profile/foreign_memory.cpp.
OWN_DATA = """SECTIONS {
  graded_data : { *(.data .data._Z* .data.rel .data.rel._Z* .data.rel.local .data.rel.local._Z*) }
  graded_bss : { *(.bss .bss._Z* COMMON) }
}
"""


@dataclass
class Function:
    """A function of an assembly file."""

    name: str
    file: str = ""  # of the first line in the source; "" if the compiler generated the function
    line: int = 0
    counted: bool = False


def read_functions(lines: list[str]) -> Iterator[Function]:
    files: dict[str, str] = {}
    types = {m[1] for m in map(FUNCTION.match, lines) if m}
    function = None
    for line in lines:
        if named := FILE.match(line):
            files[named[1]] = str(Path(unescaped(named[2]), unescaped(named[3] or "")))
        elif line.endswith(":") and line[:-1] in types:
            function = Function(line[:-1])
        elif function and TRACE in line:
            function.counted = True
        elif function and not function.file and (place := LOCATION.match(line)):
            function.file, function.line = files.get(place[1], ""), int(place[2])
        elif function and (end := SIZE.match(line)) and end[1] == function.name:
            yield function
            function = None


def attribute_names(line: str) -> list[str]:
    """The attributes on a line of the compiler's dump, without arguments."""
    found = ATTRIBUTES.match(line)
    text = STRING.sub("", found[1]) if found else ""
    while (bare := ARGUMENTS.sub("", text)) != text:
        text = bare
    return [name.strip() for name in text.split(",")]


def is_own(file: str) -> bool:
    """Whether the file belongs to the program, and not to the CPU device or the system."""
    if not file or file.startswith(("/usr/", "<")):
        return False
    return not is_ours(os.path.abspath(file))


def refuse(file: str, line: int, what: str) -> None:
    raise Failure(f"{file}:{line}:1: error: {what}")


def refuse_assembly(lines: list[str]) -> None:
    """Fails for inline assembly in the program's own files, which no profile would count."""
    for number, line in enumerate(lines):
        place = ASSEMBLY.match(line) if lines[number - 1] == "#APP" else None
        # Empty assembly keeps the compiler from moving accesses, and is no instruction.
        if place and is_own(place[2]) and lines[number + 1].strip():
            refuse(
                place[2], int(place[1]), "this assembly is an instruction of the host's processor"
            )


def refuse_hidden(lines: list[str], dump: str, counted: bool) -> None:
    """Fails for a function of the program's own that the instrumentation skips.

    `counted`: every function that is not skipped calls TRACE.
    """
    unseen, name = set(), ""
    for line in dump.splitlines():
        if found := DUMPED.match(line):
            name = found[1]
        elif any(one.startswith("no_sanitize") for one in attribute_names(line)):
            unseen.add(name)
    for function in read_functions(lines):
        hidden = function.name in unseen or (counted and not function.counted)
        # A part that is seldom run is a function of its own, after its main function.
        if hidden and is_own(function.file) and not function.name.endswith(".cold"):
            what = f"an attribute hides the function {function.name} from the profile: remove it"
            refuse(function.file, function.line, what)


def keep_to_itself(target: Path, options: Options) -> None:
    """Makes the object's templates and inline functions local, and names its variables.

    The linker would keep a single definition for all objects. So the program uses its own
    definitions, which are instrumented, and no other object uses them.
    """
    listed = nm("--format=posix", str(target), options=options)
    entries = map(WEAK.fullmatch, listed.splitlines())
    weak = [entry[1] for entry in entries if entry and not FACET.fullmatch(entry[1])]
    whole, names, script = (target.with_suffix(f".{word}") for word in ("whole", "names", "ld"))
    names.write_text("".join(f"{name}\n" for name in weak))
    script.write_text(OWN_DATA)
    merge = [binutil("ld", options), "-r", "--force-group-allocation", "-T", str(script)]
    try:
        run([*merge, str(target), "-o", str(whole)], options)
        # objcopy accepts no empty list.
        localize = [f"--localize-symbols={names}"] if weak else []
        run([binutil("objcopy", options), *localize, str(whole), str(target)], options)
    finally:
        for path in (whole, names, script):
            path.unlink(missing_ok=True)
