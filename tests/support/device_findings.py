"""Compiles and runs the programs of tests/cpudevice/sanitize, on the machine or in an emulator."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from emulator import Machine
from findings import FOUND, expected_findings, reported_findings, tagged_lines

REPOSITORY = Path(__file__).resolve().parents[2]
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
TIMEOUT = 120
HERE = Machine()


def notes(source: Path, name: str) -> list[str]:
    return re.findall(rf"^// {name}: (.*)$", source.read_text(), re.MULTILINE)


def build(source: Path, program: Path, on: Machine = HERE) -> None:
    command = [str(CUDACC), "--sanitize", "-ccbin", on.compiler, *on.options]
    command += [str(source.relative_to(REPOSITORY)), "-o", str(program)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, cwd=REPOSITORY
    )
    assert result.returncode == 0, result.stderr


def run(program: Path, on: Machine = HERE, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*on.launcher, str(program)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        cwd=REPOSITORY,
        env=on.environment(environment),
    )


def check_findings(source: Path, machine: Machine, folder: Path) -> None:
    """Builds and runs a program, and compares the findings with the stated findings."""
    program, report = folder / source.stem, folder / "findings.json"
    build(source, program, machine)
    first = run(program, machine, CUDACPU_FINDINGS=str(report))
    text = source.read_text()
    wanted = expected_findings(text, tagged_lines(text))
    entries = [json.loads(line) for line in report.read_text().splitlines()] if wanted else []
    # A barrier or mask finding names a second line only where a second is stated.
    assert reported_findings(entries, wanted) == wanted, first.stderr
    assert first.returncode == (FOUND if wanted else 0)
    for words in notes(source, "said"):
        assert words in first.stderr, first.stderr
    for words in notes(source, "not said"):
        assert words not in first.stderr, first.stderr
    second = run(program, machine)
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
