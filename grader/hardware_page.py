"""The CPU device's counts and findings beside a GPU's own: the last part of docs/cpu-device.md.

`make crosscheck` writes it from the measurements that grader/hardware.py left in
tests/profile/hardware/; no GPU is needed.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.profile import Kernel, Profile
from grader import counted, hardware, resolve
from grader.build import build
from grader.check import Screen
from grader.declare import Assignment
from grader.errors import GraderError
from grader.hardware import Program
from grader.modelled import job_for

CLOSE = 0.05  # counters that differ by less agree


@dataclass(frozen=True)
class Ratio:
    """One counter per request or instruction, as a table's column."""

    title: str
    over: tuple[str, ...]
    under: tuple[str, ...]

    def of(self, counts: dict[str, float]) -> float | None:
        below = sum(counts[name] for name in self.under)
        return sum(counts[name] for name in self.over) / below if below else None


RATIOS = (
    Ratio("sectors per load", ("load_sectors",), ("load_requests",)),
    Ratio("sectors per store", ("store_sectors",), ("store_requests",)),
    Ratio("wavefronts per shared load", ("shared_load_wavefronts",), ("shared_load_requests",)),
    Ratio("wavefronts per shared store", ("shared_store_wavefronts",), ("shared_store_requests",)),
    Ratio("lanes per instruction", ("lanes",), ("instructions",)),
)


@dataclass(frozen=True)
class Row:
    """One kernel of one file; a ratio is (the GPU's, ours), None where there is no such access."""

    file: str
    kernel: str
    ratios: list[tuple[float | None, float | None]]


@dataclass(frozen=True)
class Comparison:
    gpu: str
    date: str
    rows: list[Row]
    findings: dict[str, tuple[list[str], list[str]]]  # by file: compute-sanitizer's kinds, ours
    missing: list[str]  # files that were not measured, or on another input

    def agreeing(self, column: int) -> tuple[int, int]:
        """How many of the kernels that have such accesses agree."""
        pairs = [row.ratios[column] for row in self.rows]
        both = [(a, b) for a, b in pairs if a is not None and b is not None]
        return sum(agree(a, b) for a, b in both), len(both)


def agree(a: float, b: float) -> bool:
    return abs(a - b) <= CLOSE * max(a, b)


def compare(
    root: Path, assignments: list[Assignment], gpu: str, screen: Screen
) -> Comparison | None:
    """None where nothing was measured on this GPU."""
    stored = stored_measurement(root, gpu)
    if stored is None:
        return None
    counting = hardware.counted_programs(root, assignments)
    checking = hardware.checked_programs(root, assignments)
    found = [p for p in counting if same_input(stored["counters"], p)]
    looked_at = [p for p in checking if same_input(stored["findings"], p)]
    profiles = count(root, found, screen)
    rows = []
    for program in found:
        theirs = stored["counters"][program.file]["kernels"]
        ours = counts_of(profiles[program])
        for name in sorted(theirs.keys() & ours.keys()):
            ratios = [(ratio.of(theirs[name]), ratio.of(ours[name])) for ratio in RATIOS]
            rows.append(Row(program.file, name, ratios))
    findings = {
        program.file: (sorted(stored["findings"][program.file]["kinds"]), kinds)
        for program, kinds in check(root, looked_at, screen).items()
    }
    missing = [p.file for p in (*counting, *checking) if p not in (*found, *looked_at)]
    return Comparison(stored["gpu"], stored["date"], rows, findings, missing)


def stored_measurement(root: Path, gpu: str) -> dict | None:
    for path in sorted((root / hardware.DIRECTORY).glob("*.json")):
        stored = json.loads(path.read_text())
        if stored["gpu"] == gpu:
            return stored
    return None


def same_input(entries: dict[str, dict], program: Program) -> bool:
    return entries.get(program.file, {}).get("options") == program.options


def count(root: Path, programs: list[Program], screen: Screen) -> dict[Program, Profile]:
    """From the cache, if crosscheck has counted them before."""
    judges = [resolve.judge_target(program.assignment) for program in programs]
    built = build(root, dict.fromkeys([p.target("profile") for p in programs] + judges))
    if built:
        target, error = next(iter(built.items()))
        raise GraderError(f"{target} could not be built: {error.sentence}.")
    jobs = {
        program: job_for(root, program.target("profile"), judge, program.part.name, program.case)
        for program, judge in zip(programs, judges, strict=True)
    }
    done: list[counted.Job] = []

    def told(job: counted.Job) -> None:
        done.append(job)
        screen.step(f"counting · {Path(job.program).name}", len(done), len(jobs))

    outcomes = counted.count_all(root, list(jobs.values()), told)
    profiles = {}
    for program, job in jobs.items():
        profile = outcomes[job].profile
        if profile is None:
            raise GraderError(f"{program.file} failed {program.case.name}: {outcomes[job].detail}.")
        profiles[program] = profile
    return profiles


def counts_of(profile: Profile) -> dict[str, dict[str, float]]:
    """{kernel: {counter: sum}}, in the words of hardware.METRICS."""
    kernels: dict[str, dict[str, float]] = {}
    for kernel in profile.kernels:
        counts = kernels.setdefault(base_name(kernel.name), dict.fromkeys(hardware.METRICS, 0.0))
        for name, value in counters(kernel).items():
            counts[name] += value
    return kernels


def base_name(name: str) -> str:
    """transpose_kernel of (anonymous namespace)::transpose_kernel<32>."""
    return re.sub(r"<.*", "", name).rpartition("::")[2]


def counters(kernel: Kernel) -> dict[str, float]:
    found = {
        "instructions": kernel.warp_instructions,
        "lanes": kernel.warp_instructions * kernel.active_lane_average,
    }
    for word in ("load", "store"):
        found[f"{word}_requests"] = kernel.total("requests", f"global_{word}")
        found[f"{word}_sectors"] = kernel.total("sectors", f"global_{word}")
        found[f"shared_{word}_requests"] = kernel.total("requests", f"shared_{word}")
        found[f"shared_{word}_wavefronts"] = kernel.total("wavefronts", f"shared_{word}")
    return found


def check(root: Path, programs: list[Program], screen: Screen) -> dict[Program, list[str]]:
    """What sanitize finds, by kind."""
    build(root, dict.fromkeys(program.target("sanitize") for program in programs))
    found = {}
    for number, program in enumerate(programs):
        screen.step(f"sanitize · {program.file}", number, len(programs))
        with tempfile.TemporaryDirectory(prefix="cuda-ladder-") as folder:
            path = Path(folder) / "findings"
            words = ["env", f"CUDACPU_FINDINGS={path}", *program.command(root, "sanitize")]
            hardware.run(words, root)
            text = path.read_text() if path.is_file() else ""
        kinds = Counter(json.loads(line)["kind"] for line in text.splitlines() if line.strip())
        found[program] = sorted(kinds)
    return found


# ---- the page ------------------------------------------------------------------------------------


def markdown(found: Comparison) -> str:
    lines = [
        f"Counted on an {found.gpu} with Nsight Compute ({found.date}), and on the CPU device for "
        "the same input: the GPU's figure, then ours; one figure where they agree within "
        f"{CLOSE:.0%}. ",
        "",
        "| | kernels | agree |",
        "|---|---|---|",
    ]
    for column, ratio in enumerate(RATIOS):
        agreed, all_ = found.agreeing(column)
        lines.append(f"| {ratio.title} | {all_} | {agreed} |")
    lines += ["", "| file | kernel |" + "".join(f" {ratio.title} |" for ratio in RATIOS)]
    lines.append("|---|---|" + "---|" * len(RATIOS))
    for row in found.rows:
        cells = "".join(f" {cell(*pair)} |" for pair in row.ratios)
        lines.append(f"| {row.file} | {row.kernel} |{cells}")
    if found.findings:
        lines += ["", "| file | compute-sanitizer | sanitize |", "|---|---|---|"]
    for file, (theirs, ours) in found.findings.items():
        lines.append(f"| {file} | {', '.join(theirs) or '–'} | {', '.join(ours) or '–'} |")
    if found.missing:
        lines += ["", f"Not measured: {', '.join(found.missing)}."]
    return "\n".join(lines) + "\n\n"


def cell(theirs: float | None, ours: float | None) -> str:
    if theirs is None and ours is None:
        return "–"
    if theirs is not None and ours is not None and agree(theirs, ours):
        return f"{ours:.3g}"
    shown = ["none" if value is None else f"{value:.3g}" for value in (theirs, ours)]
    return f"**{shown[0]}, {shown[1]}**"
