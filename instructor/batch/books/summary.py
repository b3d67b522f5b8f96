"""Summarises the class: distributions, the most frequent errors, the causes of slowness."""

from collections import Counter
from dataclasses import dataclass
from statistics import mean, median

from grader.base.text import count_text, points_text
from grader.course.results import NO_FAULT
from instructor.batch.books.gradebook import Columns, maximum, parts_of, score_of
from instructor.batch.record import GRADED, Result

BINS = 10
MOST = 6  # lines of a list of frequencies
BAR = 40


@dataclass(frozen=True)
class PartSummary:
    name: str
    # students by the verdict of their part, the most frequent first
    verdicts: list[tuple[str, int]]
    causes: list[tuple[str, int]]  # students by cause: "02_shared: uncoalesced"
    ratio: float | None  # median time over the target rung's, of the right parts


@dataclass(frozen=True)
class Distribution:
    name: str
    maximum: float
    bins: list[int]  # students in each tenth of the maximum
    mean: float
    median: float

    def label(self, index: int) -> str:
        low, high = (points_text(self.maximum * i / BINS) for i in (index, index + 1))
        return f"{low} to {high}"


@dataclass(frozen=True)
class Summary:
    statuses: list[tuple[str, int]]
    distributions: list[Distribution]
    parts: list[PartSummary]
    alike: list[list[str]]  # students whose code differs only in comments and blanks
    isolation: list[str]
    seconds: float  # median of a submission
    cpu_seconds: float
    trouble: list[tuple[str, str]]  # students who were not graded in full, and why


def summarise(results: list[Result], columns: Columns) -> Summary:
    graded = [result for result in results if result.status == GRADED]
    distributions = []
    for name in columns.assignments:
        scores = [s for result in results if (s := score_of(result, name)) is not None]
        distributions.append(distribution(name, scores, maximum(results, name)))
    return Summary(
        statuses=Counter(result.status for result in results).most_common(),
        distributions=[one for one in distributions if one.maximum],
        parts=[summarise_part(part, graded) for _, part in columns.parts],
        alike=alike(graded),
        isolation=sorted({result.results.get("isolation", "") for result in graded}),
        seconds=median([result.seconds for result in graded] or [0.0]),
        cpu_seconds=median([result.cpu_seconds for result in graded] or [0.0]),
        trouble=[
            (result.student, result.notes[-1] if result.notes else "")
            for result in results
            if result.status != GRADED
        ],
    )


def distribution(name: str, scores: list[float], most: float) -> Distribution:
    bins = [0] * BINS
    for score in scores:
        bins[min(BINS - 1, int(BINS * score / most)) if most else 0] += 1
    return Distribution(name, most, bins, mean(scores or [0.0]), median(scores or [0.0]))


def part_verdict(part: dict) -> str:
    """The verdict of a part: the most frequent verdict of its failed cases."""
    failed = Counter(case["verdict"] for case in part["cases"] if case["verdict"] != "ok")
    return failed.most_common(1)[0][0] if failed else "ok"


def summarise_part(name: str, graded: list[Result]) -> PartSummary:
    verdicts: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    ratios = []
    for result in graded:
        part = parts_of(result).get(name)
        if part is None:
            continue
        missing = f"{part['file']} is missing" in result.notes
        verdicts["missing" if missing else part_verdict(part)] += 1
        # A student with a cause on three lines counts once.
        causes.update({cause_title(cause) for cause in part.get("causes", [])})
        ratio = speed_ratio(part)
        if ratio is not None:
            ratios.append(ratio)
    middle = median(ratios) if ratios else None
    return PartSummary(name, verdicts.most_common(), causes.most_common(MOST), middle)


def cause_title(cause: dict) -> str:
    """The cause after the rung that teaches the cure, which a lecture can then explain."""
    kind = cause["kind"].replace("_", " ")
    return f"{cause['cure']}: {kind}" if cause["cure"] else f"no rung: {kind}"


def speed_ratio(part: dict) -> float | None:
    """The student's time over the target rung's in the worst of the cases that earn points."""
    timed = [case for case in part["cases"] if case["scale"] and case["max_score"]]
    wrong = any(case["verdict"] not in NO_FAULT for case in part["cases"])
    if not timed or wrong:
        return None
    return max(case["time_ms"] / case["reference_ms"] for case in timed)


def alike(graded: list[Result]) -> list[list[str]]:
    """Groups of students with the same code; several may hand in the untouched starter."""
    groups: dict[tuple, list[str]] = {}
    for result in graded:
        key = tuple(sorted(result.fingerprints.items()))
        groups.setdefault(key, []).append(result.student)
    return sorted(group for group in groups.values() if len(group) > 1)


def summary_text(summary: Summary) -> str:
    lines = ["  ".join(f"{count} {status}" for status, count in summary.statuses), ""]
    for one in summary.distributions:
        mean_text, median_text = points_text(one.mean), points_text(one.median)
        lines.append(f"{one.name}: mean {mean_text}, median {median_text}")
        most = max(one.bins) or 1
        for index, count in enumerate(one.bins):
            bar = "█" * round(BAR * count / most)
            lines.append(f"  {one.label(index):>12}  {count:5}  {bar}".rstrip())
        lines.append("")
    for part in summary.parts:
        lines.append(part.name)
        lines += [f"  {count:5}  {verdict}" for verdict, count in part.verdicts]
        if part.ratio is not None:
            lines.append(f"         median time of right ones: {part.ratio:.2f} of the target's")
        lines += [f"  {count:5}  slow: {cause}" for cause, count in part.causes]
        lines.append("")
    for group in summary.alike:
        lines.append(f"the same code: {', '.join(group)}")
    for student, why in summary.trouble:
        lines.append(f"{student}: {why}")
    submissions = count_text(sum(count for _, count in summary.statuses), "submission")
    lines.append(
        f"{submissions}, each {summary.seconds:.1f} s (median), "
        f"{summary.cpu_seconds:.1f} s of processor time"
    )
    lines += [f"isolation: {words}" for words in summary.isolation if words]
    return "\n".join(lines) + "\n"
