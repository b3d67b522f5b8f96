"""Compares the CPU device's counts and findings with a GPU's, for
docs/model-against-measurement.md.

`make crosscheck` writes the page from the measurements that instructor/crosscheck/hardware.py
stored in tests/cpudevice/hardware/; no GPU is needed.
"""

import json
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from cpudevice.model.profile import Kernel, Profile
from grader.base.processes import processors
from grader.base.progress import Progress, Screen
from grader.build.make import build
from grader.course import resolve
from grader.course.declare import Assignment
from grader.run.profiled import profile_all
from grader.timing.modelled import job_for
from instructor.crosscheck import hardware
from instructor.crosscheck.hardware import Program
from instructor.crosscheck.hardware_tools import METRICS, WORDINGS, run

# Ratios that differ by less agree. A GPU's wavefronts of shared memory include steps that wait for
# other traffic.
CLOSE = 0.05
CLOSE_WAVEFRONTS = 0.2
NAMED = 8  # unmeasured files; of more files, only the number is given
COMMON_KINDS = {kind for kind, _ in WORDINGS}


@dataclass(frozen=True)
class Ratio:
    """A counter per request or instruction, as a table's column."""

    title: str
    over: tuple[str, ...]
    under: tuple[str, ...]
    close: float = CLOSE

    def agree(self, a: float, b: float) -> bool:
        return abs(a - b) <= self.close * max(a, b)

    def of(self, counts: dict[str, float]) -> float | None:
        below = sum(counts[name] for name in self.under)
        return sum(counts[name] for name in self.over) / below if below else None


RATIOS = (
    Ratio("sectors per load", ("load_sectors",), ("load_requests",)),
    Ratio("sectors per store", ("store_sectors",), ("store_requests",)),
    Ratio(
        "wavefronts per shared load",
        ("shared_load_wavefronts",),
        ("shared_load_requests",),
        CLOSE_WAVEFRONTS,
    ),
    Ratio(
        "wavefronts per shared store",
        ("shared_store_wavefronts",),
        ("shared_store_requests",),
        CLOSE_WAVEFRONTS,
    ),
    Ratio("lanes per instruction", ("lanes",), ("instructions",)),
)


@dataclass(frozen=True)
class Row:
    """A kernel of a file; a ratio is (the GPU's, the CPU device's), None without accesses of the
    kind.
    """

    file: str
    kernel: str
    ratios: list[tuple[float | None, float | None]]


@dataclass(frozen=True)
class Comparison:
    gpu: str
    date: str
    rows: list[Row]
    findings: dict[str, tuple[list[str], list[str]]]  # by file: compute-sanitizer's, sanitize's
    missing: list[str]  # files that were not measured, or with another input

    def agreeing(self, column: int) -> tuple[int, int]:
        """How many of the kernels with accesses of the kind agree."""
        pairs = [row.ratios[column] for row in self.rows]
        both = [(a, b) for a, b in pairs if a is not None and b is not None]
        return sum(RATIOS[column].agree(a, b) for a, b in both), len(both)


def compare(
    root: Path, assignments: list[Assignment], gpu: str, screen: Screen
) -> Comparison | None:
    """The comparison; None if nothing was measured on this GPU."""
    stored = stored_measurement(root, gpu)
    if stored is None:
        return None
    counting = [
        with_measured_input(stored["counters"], program)
        for program in hardware.counted_programs(root, assignments)
    ]
    checking = hardware.checked_programs(root, assignments)
    found = [p for p in counting if same_input(stored["counters"], p)]
    looked_at = [p for p in checking if same_input(stored["findings"], p)]
    profiles = count(root, found, screen)
    rows = []
    for program in [program for program in found if program.file in profiles]:
        theirs = stored["counters"][program.file]["kernels"]
        ours = counts_of(profiles[program.file])
        for name in sorted(theirs.keys() & ours.keys()):
            counts = over_active_requests(theirs[name], ours[name])
            ratios = [(ratio.of(counts), ratio.of(ours[name])) for ratio in RATIOS]
            rows.append(Row(program.file, name, ratios))
    findings = {
        file: (their_kinds(stored["findings"][file]), kinds)
        for file, kinds in check(root, looked_at, screen).items()
    }
    measured = {*profiles, *findings}
    missing = [p.file for p in (*counting, *checking) if p.file not in measured]
    return Comparison(stored["gpu"], stored["date"], rows, findings, missing)


def stored_measurement(root: Path, gpu: str) -> dict | None:
    for path in sorted((root / hardware.DIRECTORY).glob("*.json")):
        stored = json.loads(path.read_text())
        if stored["gpu"] == gpu:
            return stored
    return None


def with_measured_input(entries: dict[str, dict], program: Program) -> Program:
    """The program on its measured input, which a case may have had earlier."""
    options = entries.get(program.file, {}).get("options", program.options)
    return replace(program, case=replace(program.case, cpu=options))


def same_input(entries: dict[str, dict], program: Program) -> bool:
    return entries.get(program.file, {}).get("options") == program.options


def count(root: Path, programs: list[Program], screen: Screen) -> dict[str, Profile]:
    """Profiles the files with a right answer, or takes their cached profiles."""
    judges = [resolve.judge_program(program.assignment) for program in programs]
    build(root, dict.fromkeys([p.target("profile") for p in programs] + judges))
    jobs = {
        program.file: job_for(
            root, program.target("profile"), judge, program.part.name, program.case
        )
        for program, judge in zip(programs, judges, strict=True)
        if (root / program.target("profile")).is_file()
    }
    progress = Progress(screen, "counting", len(jobs))
    outcomes = profile_all(root, list(jobs.values()), progress.advance)
    return {file: p for file, job in jobs.items() if (p := outcomes[job].profile) is not None}


def their_kinds(entry: dict) -> list[str]:
    """The kinds of an entry's findings, and the checkers that did not finish."""
    return sorted(entry["kinds"]) + [f"({tool} was stopped)" for tool in entry.get("stopped", [])]


def over_active_requests(theirs: dict[str, float], ours: dict[str, float]) -> dict[str, float]:
    """A GPU's counts, with only the requests to shared memory in which a lane is active.

    The GPU's own counter includes requests that are predicated off in every lane. The counter
    covers all calls of a run, the CPU device's only the timed call.
    """
    calls = theirs["launches"] / ours["launches"] if ours["launches"] else 0.0
    names = ("shared_load_requests", "shared_store_requests")
    return theirs | {name: calls * ours[name] for name in names if theirs[name] and ours[name]}


def counts_of(profile: Profile) -> dict[str, dict[str, float]]:
    """{kernel: {counter: sum}}, by the names in hardware_tools.METRICS."""
    kernels: dict[str, dict[str, float]] = {}
    for kernel in profile.kernels:
        counts = kernels.setdefault(
            base_name(kernel.name), dict.fromkeys(("launches", *METRICS), 0.0)
        )
        for name, value in counters(kernel).items():
            counts[name] += value
    return kernels


def base_name(name: str) -> str:
    """transpose_kernel from (anonymous namespace)::transpose_kernel<32>."""
    return re.sub(r"<.*", "", name).rpartition("::")[2]


def counters(kernel: Kernel) -> dict[str, float]:
    found = {
        "launches": float(kernel.launches),
        "instructions": kernel.warp_instructions,
        "lanes": kernel.warp_instructions * kernel.active_lane_average,
    }
    for word in ("load", "store"):
        found[f"{word}_requests"] = kernel.total("requests", f"global_{word}")
        found[f"{word}_sectors"] = kernel.total("sectors", f"global_{word}")
        found[f"shared_{word}_requests"] = kernel.total("requests", f"shared_{word}")
        found[f"shared_{word}_wavefronts"] = kernel.total("wavefronts", f"shared_{word}")
    return found


def check(root: Path, programs: list[Program], screen: Screen) -> dict[str, list[str]]:
    """The findings of sanitize, by file, of the kinds that compute-sanitizer finds too."""
    build(root, dict.fromkeys(program.target("sanitize") for program in programs))
    found = {}
    with ThreadPoolExecutor(processors()) as pool:
        kinds = pool.map(lambda program: sanitized_kinds(root, program), programs)
        for number, (program, kind) in enumerate(zip(programs, kinds, strict=True)):
            screen.step(f"sanitize · {program.file}", number, len(programs))
            found[program.file] = kind
    return found


def sanitized_kinds(root: Path, program: Program) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="hardware-") as folder:
        path = Path(folder) / "findings"
        words = ["env", f"CUDACPU_FINDINGS={path}", *program.command(root, "sanitize")]
        run(words, root)
        text = path.read_text() if path.is_file() else ""
    kinds = {json.loads(line)["kind"] for line in text.splitlines() if line.strip()}
    return sorted(kinds & COMMON_KINDS)


# ---- the page ------------------------------------------------------------------------------------


def markdown(found: Comparison) -> str:
    lines = [
        f"Counted on an {found.gpu} with Nsight Compute ({found.date}), and on the CPU device for "
        "the same input: the GPU's figure, then ours, and ours alone where they agree: within "
        f"{CLOSE:.0%}, and {CLOSE_WAVEFRONTS:.0%} for wavefronts, for a GPU's also stand behind "
        "other traffic.",
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
        cells = "".join(
            f" {cell(ratio, *pair)} |" for ratio, pair in zip(RATIOS, row.ratios, strict=True)
        )
        lines.append(f"| {row.file} | {row.kernel} |{cells}")
    return "\n".join([*lines, *finding_lines(found), *missing_lines(found)]) + "\n\n"


def finding_lines(found: Comparison) -> list[str]:
    some = {file: kinds for file, kinds in found.findings.items() if any(kinds)}
    if not found.findings:
        return []
    lines = [
        "",
        f"{len(found.findings)} files of `wrong/` were looked at by compute-sanitizer on the GPU "
        f"and by sanitize here. In {len(found.findings) - len(some)} neither finds a fault of a "
        "kind that both look for; they compute the wrong thing.",
    ]
    if some:
        lines += ["", "| file | compute-sanitizer | sanitize |", "|---|---|---|"]
    for file, (theirs, ours) in some.items():
        lines.append(f"| {file} | {', '.join(theirs) or '–'} | {', '.join(ours) or '–'} |")
    return lines


def missing_lines(found: Comparison) -> list[str]:
    if not found.missing:
        return []
    if len(found.missing) <= NAMED:
        return ["", f"Not measured: {', '.join(found.missing)}."]
    return ["", f"Not measured: {len(found.missing)} files."]


def cell(ratio: Ratio, theirs: float | None, ours: float | None) -> str:
    if theirs is None and ours is None:
        return "–"
    if theirs is not None and ours is not None and ratio.agree(theirs, ours):
        return f"{ours:.3g}"
    shown = ["none" if value is None else f"{value:.3g}" for value in (theirs, ours)]
    return f"**{shown[0]}, {shown[1]}**"
