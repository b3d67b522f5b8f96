"""The CPU device's sanitize mode: one case on a program built with `cudacc --sanitize`.

`make check` on the CPU device runs every correctness case here as well, and what is found is its
verdict: a right answer alone proves little where threads run one after another. `make
sanitize-<name>` only does this, and shows everything that was found, leaks included.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from grader.declare import Case
from grader.options import with_number
from grader.processes import default_limits, kill_tree, limit_command, wanted_pids
from grader.runner import child_environment, printable

MAX_FINDINGS = 1 << 20  # bytes of the file that the program writes
SECONDS_PER_CASE = 20.0


@dataclass(frozen=True)
class Finding:
    """One cause, as the program's run-time library tells it."""

    kind: str
    sentence: str
    file: str
    line: int
    other_file: str
    other_line: int
    kernel: str
    block: tuple[int, ...]
    threads: str
    count: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same cause in another case."""
        places = [(self.file, self.line), (self.other_file, self.other_line)]
        return (self.kind, self.kernel, *(sorted(places) if self.kind == "race" else places))


@dataclass
class SanitizeRun:
    findings: list[Finding] = field(default_factory=list)
    timed_out: bool = False
    status: int = 0


def as_finding(entry: object) -> Finding | None:
    """A finding from one line of JSON, which an untrusted program wrote."""
    if not isinstance(entry, dict):
        return None

    def text(name: str) -> str:
        value = entry.get(name)
        return printable(value)[:1000] if isinstance(value, str) else ""

    def number(name: str) -> int:
        value = entry.get(name)
        return value if type(value) is int and 0 <= value < 1 << 53 else 0

    block = entry.get("block")
    valid = isinstance(block, list) and all(type(i) is int for i in block)
    if not text("kind"):
        return None
    return Finding(
        kind=text("kind"),
        sentence=text("sentence"),
        file=text("file"),
        line=number("line"),
        other_file=text("other_file"),
        other_line=number("other_line"),
        kernel=text("kernel"),
        block=tuple(block) if valid else (),
        threads=text("threads"),
        count=number("count"),
    )


def read_findings(path: Path) -> list[Finding]:
    if not path.is_file():
        return []
    with path.open(errors="replace") as file:
        lines = file.read(MAX_FINDINGS).splitlines()
    found = []
    for line in lines:
        try:
            finding = as_finding(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if finding:
            found.append(finding)
    return found


def run_sanitized(root: Path, program: str, options: str, timeout_s: float) -> SanitizeRun:
    """Runs a case as one does by hand, without its check; what was found is in a file."""
    with tempfile.TemporaryDirectory(prefix="cuda-ladder-", ignore_cleanup_errors=True) as box:
        report = Path(box, "findings.json")
        environment = child_environment(box)
        environment |= {"CUDACPU_FINDINGS": str(report), "CUDACPU_TIMEOUT": f"{timeout_s / 2:g}"}
        command = [*limit_command(default_limits("cpu")), str((root / program).absolute())]
        process = subprocess.Popen(
            [*command, *shlex.split(options), "--no-check"],
            cwd=root,  # the lines are then told from the repository's root
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wanted_pids.add(process.pid)
        timed_out = False
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            kill_tree(process)
        return SanitizeRun(read_findings(report), timed_out, process.returncode or 0)


def sanitize_options(case: Case, seed: int) -> str:
    options = case.options_for("cpu") if case.sanitize is None else case.sanitize
    return with_number(options, "seed", seed)


def verdict_of(run: SanitizeRun) -> Finding | None:
    """The finding that is a case's verdict. Memory that is never freed is told elsewhere."""
    return next((f for f in run.findings if f.kind != "leak"), None)
