"""Tests of the CPU device's sanitize mode: programs with faults at stated lines, and without.

Each tests/sanitize/*.cu says in comments what is to be found in it, and nothing else may be:

    // finding: race @a @b    the kind, the line that ends in `// @a`, and for a race the other one
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
PROGRAMS = sorted((REPOSITORY / "tests" / "sanitize").glob("*.cu"))
TIMEOUT = 120
FOUND = 86

Finding = tuple[str, frozenset[int]]


def expected(source: Path) -> list[Finding]:
    text = source.read_text()
    lines = {
        tag: number
        for number, line in enumerate(text.splitlines(), start=1)
        for tag in re.findall(r"// (@[a-z])$", line)
    }
    found = []
    for note in re.findall(r"^// finding: (.*)$", text, re.MULTILINE):
        kind, *tags = note.split()
        found.append((kind, frozenset(lines[tag] for tag in tags)))
    return sorted(found, key=str)


def build(source: Path, program: Path) -> None:
    command = [str(CUDACC), "--sanitize", str(source.relative_to(REPOSITORY)), "-o", str(program)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, cwd=REPOSITORY
    )
    assert result.returncode == 0, result.stderr


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        cwd=REPOSITORY,
        env=os.environ | environment,
    )


def as_finding(entry: dict[str, object], with_lines: bool) -> Finding:
    lines = {entry["line"], entry["other_line"]} - {None} if with_lines else set()
    return str(entry["kind"]), frozenset(int(str(line)) for line in lines)


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
def test_findings(source: Path, tmp_path: Path) -> None:
    program, report = tmp_path / source.stem, tmp_path / "findings.json"
    build(source, program)
    first = run(program, CUDACPU_FINDINGS=str(report))
    wanted = expected(source)
    entries = [json.loads(line) for line in report.read_text().splitlines()] if wanted else []
    got = []
    for entry in entries:
        stated = [lines for kind, lines in wanted if kind == entry["kind"]]
        got.append(as_finding(entry, with_lines=any(stated)))
    # A barrier or mask finding names a second line only where one is stated.
    assert sorted(got, key=str) == wanted, first.stderr
    assert first.returncode == (FOUND if wanted else 0)
    second = run(program)
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


def test_json(tmp_path: Path) -> None:
    source = REPOSITORY / "tests" / "sanitize" / "shared_race.cu"
    program = tmp_path / "program"
    build(source, program)
    entries = [json.loads(line) for line in run(program, CUDACPU_JSON="1").stdout.splitlines()]
    assert len(entries) == 2
    race = entries[0]
    assert race["kind"] == "race" and race["kernel"] == "read_after_write"
    assert race["file"] == race["other_file"] == "tests/sanitize/shared_race.cu"
    assert race["block"] == [0, 0, 0] and race["threads"] == "32-63" and race["count"] > 1


def test_crash_keeps_findings(tmp_path: Path) -> None:
    source = tmp_path / "crash.cu"
    source.write_text(
        "__global__ void k(int* p) { p[threadIdx.x + 1] = 1; }\n"
        "int main() { int* p; cudaMalloc(&p, 64); k<<<1, 32>>>(p); *(volatile int*)8 = 1; }\n"
    )
    program, report = tmp_path / "crash", tmp_path / "findings.json"
    subprocess.run([str(CUDACC), "--sanitize", str(source), "-o", str(program)], check=True)
    crashed = run(program, CUDACPU_FINDINGS=str(report))
    assert crashed.returncode < 0
    assert "bad_access" in crashed.stderr
    assert json.loads(report.read_text().splitlines()[0])["kind"] == "bad_access"


def test_needs_gcc(tmp_path: Path) -> None:
    source = REPOSITORY / "tests" / "sanitize" / "correct.cu"
    result = subprocess.run(
        [str(CUDACC), "--sanitize", "-ccbin", "clang++", str(source), "-o", str(tmp_path / "x")],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1 and "needs g++" in result.stderr
