"""The labelled suite of tests/cpudevice/suite: small kernels with a known fault, and without.

    make suite              every pattern in a table, as Markdown
    make suite ONLY=race    the files of patterns whose path holds the word

A pattern is a few lines with a single fault, like a missing barrier. Each is put into every
structure of the folder (a loop, a branch, a work list, …), once with the fault and once without.
Lines of a pattern with `// wrong` at the end stand only in the faulty version, and lines with
`// right` only in the right version. Comments before a pattern state the finding (`// finding:`),
what else the finding may be in a structure where threads then wait forever (`// or:`), and which
structures do not suit the pattern (`// not in:`). All patterns of a file become a single program,
whose argument names the case to run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from findings import FOUND, Finding, as_finding, expected_findings, tagged_lines

REPOSITORY = Path(__file__).resolve().parents[2]
SUITE = REPOSITORY / "tests" / "cpudevice" / "suite"
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
TIMEOUT_S = 900  # of a compilation, on a busy machine
PATTERN = re.compile(r"((?:^//[^\n]*\n)+)void (\w+)\(\) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"\s*// (wrong|right)( @\w+)?$|\s*// (@\w+)$")


@dataclass(frozen=True)
class Pattern:
    name: str
    title: str
    comment: str
    lines: tuple[str, ...]

    def note(self, name: str) -> list[str]:
        return [
            word for line in re.findall(rf"// {name}: (.*)", self.comment) for word in line.split()
        ]

    def suits(self, structure: str) -> bool:
        return structure not in self.note("not in")


@dataclass(frozen=True)
class Case:
    """A kernel or host function of a generated program."""

    pattern: Pattern
    structure: str
    is_wrong: bool

    @property
    def name(self) -> str:
        return f"{self.pattern.name}_{self.structure}_{'wrong' if self.is_wrong else 'right'}"


@dataclass(frozen=True)
class Outcome:
    case: Case
    stated: list[Finding]  # any of the list; none in a right case
    reported: list[Finding]
    status: int
    output: str

    @property
    def found(self) -> bool:
        return bool(self.reported) and self.status == FOUND

    @property
    def as_stated(self) -> bool:
        """The stated cause with the lines and nothing else; of a right case, nothing at all."""
        if not self.stated or not self.reported:
            return self.status == 0 and not self.stated and not self.reported
        one = len(self.reported) == 1 and self.status == FOUND
        return one and any(agrees(self.reported[0], stated) for stated in self.stated)


def agrees(reported: Finding, stated: Finding) -> bool:
    """A barrier's finding may name the barrier of the structure as well, where others wait."""
    if reported[0] != stated[0]:
        return False
    return stated[1] <= reported[1] if stated[0] == "barrier" else stated[1] == reported[1]


def patterns_of(family: Path) -> list[Pattern]:
    return [
        Pattern(
            name,
            comment.removeprefix("// ").splitlines()[0].split(" (")[0],
            comment,
            tuple(body.splitlines()),
        )
        for comment, name, body in PATTERN.findall(family.read_text())
    ]


def structures_of(family: Path) -> dict[str, str]:
    text = (family.parent / "structures.cu").read_text()
    _, *parts = re.split(r"^// structure: (\w+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def families(only: str = "") -> list[Path]:
    """The files of patterns whose path holds the word `only`."""
    found = sorted(file for file in SUITE.glob("*/*.cu") if file.stem != "structures")
    return [file for file in found if only in str(file.relative_to(SUITE))]


def cases_of(family: Path, every: int = 1) -> list[Case]:
    """The cases of a file; with `every` = 2 each pattern in every other structure."""
    return [
        Case(pattern, structure, is_wrong)
        for row, pattern in enumerate(patterns_of(family))
        for column, structure in enumerate(structures_of(family))
        if pattern.suits(structure) and (row + column) % every == 0
        for is_wrong in (True, False)
    ]


def step_lines(case: Case) -> Iterator[str]:
    """The pattern's lines in the case; a tag gets the case's name."""
    for line in case.pattern.lines:
        mark = MARK.search(line)
        version, tag = (mark[1], mark[2] or mark[3]) if mark else (None, None)
        if version is None or version == ("wrong" if case.is_wrong else "right"):
            code = line[: mark.start()] if mark else line
            yield f"{code}  // {tag.strip()}_{case.name}" if tag else code


def case_text(case: Case, structure: str, tags_of_all: Iterable[str]) -> str:
    """A namespace with the structure around the pattern, under the stated finding."""
    notes = []
    noted = re.findall(r"// (finding|or): (.*)", case.pattern.comment) if case.is_wrong else []
    for word, note in noted:
        kind, *tags = note.split()
        own = [tag if tag in tags_of_all else f"{tag}_{case.name}" for tag in tags]
        notes.append(f"// {word}: {' '.join([kind, *own])}\n")
    step = "\n".join(["{", *step_lines(case), "}"])
    body = structure.replace("STEP;", step).replace("NAME", case.name)
    return f"// case: {case.name}\n{''.join(notes)}namespace {case.name} {{\n{body}}}\n"


def program_text(family: Path, cases: list[Case]) -> str:
    """The program with the cases of a file of patterns; the argument names a case."""
    structures = structures_of(family)
    before = PATTERN.split(family.read_text())[0]
    shared = (SUITE / f"{family.parent.name}.h").read_text().replace("#pragma once\n", "")
    common = set(tagged_lines(shared))
    parts = [before, shared]
    parts += [case_text(case, structures[case.structure], common) for case in cases]
    parts.append("int main(int, char** arguments) {\n")
    parts += [f'CASE("{case.name}", {case.name}::run);\n' for case in cases]
    parts.append("return 1;\n}\n")
    return "\n".join(parts)


def build(family: Path, cases: list[Case], folder: Path) -> Path:
    """Compiles the program of a file of patterns; the source stays beside the program."""
    source, program = folder / f"{family.stem}.cu", folder / family.stem
    source.write_text(program_text(family, cases))
    command = [str(CUDACC), "--sanitize", str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{source} does not compile:\n{done.stderr}")
    return program


def run(case: Case, program: Path) -> Outcome:
    report = program.with_name(f"{program.name}_{case.name}.json")
    done = subprocess.run(
        [str(program), case.name],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        env=os.environ | {"CUDACPU_FINDINGS": str(report)},
    )
    text = program.with_suffix(".cu").read_text()
    section = text.split(f"// case: {case.name}\n")[1].split("// case: ")[0]
    stated = expected_findings(section.replace("// or: ", "// finding: "), tagged_lines(text))
    entries = (
        [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    )
    reported = [as_finding(entry) for entry in entries]
    return Outcome(case, stated, reported, done.returncode, done.stderr)


def outcomes(chosen: list[Path], folder: Path, every: int = 1) -> dict[Path, list[Outcome]]:
    """Builds the programs and runs the cases, as many at a time as processors."""
    cases = {family: cases_of(family, every) for family in chosen}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = pool.map(lambda family: build(family, cases[family], folder), chosen)
        started = [
            (family, [pool.submit(run, case, program) for case in cases[family]])
            for family, program in zip(chosen, programs, strict=True)
        ]
        return {family: [future.result() for future in futures] for family, futures in started}


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else "–"


def row(name: str, title: str, some: list[Outcome]) -> str:
    wrong = [outcome for outcome in some if outcome.case.is_wrong]
    right = [outcome for outcome in some if not outcome.case.is_wrong]
    cells = (
        name,
        title,
        share(sum(outcome.found for outcome in wrong), len(wrong)),
        share(sum(outcome.as_stated for outcome in wrong), len(wrong)),
        share(sum(not outcome.as_stated for outcome in right), len(right)),
    )
    return "| " + " | ".join(cells) + " |"


def table(found: dict[Path, list[Outcome]]) -> str:
    headings = ("pattern", "fault", "found", "cause and lines right", "false alarms")
    rows = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    for family, some in found.items():
        for pattern in patterns_of(family):
            of_it = [outcome for outcome in some if outcome.case.pattern == pattern]
            rows.append(row(f"`{family.stem}/{pattern.name}`", pattern.title, of_it))
    rows.append(row("all", "", [outcome for some in found.values() for outcome in some]))
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a word in the path of the files of patterns")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = outcomes(families(arguments.only), Path(folder))
    print(table(found))
    wrong = [outcome for some in found.values() for outcome in some if not outcome.as_stated]
    for outcome in wrong:
        print(f"\n{outcome.case.name}: {outcome.status}\n{outcome.output}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
