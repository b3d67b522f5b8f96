"""Chooses the next rung for a file, for `make check` and `make explain`.

The next rung is the rung above the file's position, as far as the position is known, and never

- the file's own rung, or a rung before;
- past the part's target;
- a rung no faster than all rungs before, whose handout says that the rung gains nothing.

The position of a rung is the rung. The time of another file tells the rungs that the file beats,
and the causes of its lost time tell which ideas of the other rungs the file lacks: the first idea
is next.
"""

from dataclasses import dataclass, field

from grader.course.declare import Part

GAIN = 0.97  # of the time of the best rung before: a smaller gain is not counted
# A file is past a rung if its time is below this share of the rung's time: measured times are
# certain, modelled times are compared with measured rungs.
MEASURED, MODELLED = 1.02, 0.8


@dataclass(frozen=True)
class Standing:
    """What is known about a file in a case."""

    times: dict[str, float] = field(default_factory=dict)  # {rung: measured ms}; may be empty
    ratio: float | None = None  # the file's time / the target rung's time
    measured: bool = False  # whether the ratio is measured
    rung: str = ""  # the file's own rung, if any
    causes: tuple[str, ...] = ()  # the kinds of lost time, and what binds


def steps_of(part: Part, times: dict[str, float]) -> list[str]:
    """The rungs up to the target that gain something; without times, the rungs named as cures."""
    if part.target not in times:
        return [r for r in sorted({*part.cures.values(), part.target}) if r <= part.target]
    steps: list[str] = []
    best = float("inf")
    for rung in sorted(times):
        if rung <= part.target and times[rung] < GAIN * best:
            steps.append(rung)
            best = times[rung]
    return steps if part.target in steps else [*steps, part.target]


def next_rung(part: Part, file: Standing) -> str:
    """The rung to climb to, "" if no rung up to the target is left."""
    steps = steps_of(part, file.times)
    if file.rung:
        return next((rung for rung in steps if rung > file.rung), "")
    left = [rung for rung in steps if not is_left_behind(part, file, rung)]
    if file.measured:
        return left[0] if left else ""
    lacking = sorted(part.cures[cause] for cause in file.causes if cause in part.cures)
    first = next((rung for rung in lacking if left and rung >= left[0]), "")
    return next((rung for rung in left if first and rung >= first), "")


def is_left_behind(part: Part, file: Standing, rung: str) -> bool:
    if file.ratio is None or part.target not in file.times or rung not in file.times:
        return False
    slack = MEASURED if file.measured else MODELLED
    return file.ratio * file.times[part.target] < slack * file.times[rung]
