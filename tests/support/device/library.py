"""What every archive of the run-time library promises."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cpudevice.compiler.library import (
    PRELUDE,
    Part,
    archive,
    compiler,
    library_headers,
    ready,
)
from cpudevice.compiler.options import Options


def check_warnings(part: Part, folder: Path) -> None:
    """Compiles the sources of the archive in every mode, as for the archive."""
    archives = [archive(Options(diagnostic=mode), part) for mode in ("", "sanitize", "profile")]
    unit_file = folder / "unit.cpp"
    # What two modes share is compiled once.
    units = {unit.target: (unit, one.options) for one in archives for unit in one.units}
    assert units
    for unit, options in units.values():
        command = [*compiler(options), *library_headers(part), "-include", PRELUDE]
        unit_file.write_text("".join(f'#include "{source}"\n' for source in unit.sources))
        done = subprocess.run(
            [*command, "-fsyntax-only", unit_file], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")


def check_defined_names(part: Part) -> None:
    """The linker's message about any function of the archive leads to the archive."""
    file = ready(archive(Options(), part))
    command = ["nm", "--defined-only", "--extern-only", "--demangle", file]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = [line.split(" ", 2)[2] for line in listed.splitlines() if " T " in line]
    assert len(names) > 5
    assert [name for name in names if not part.may_define(name)] == []
