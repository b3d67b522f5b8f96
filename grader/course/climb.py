"""The next rung of a ladder for a file: `make check` and `make explain` both name this one.

It is one step up from where the file stands, as far as that is known, and never

- the rung that the file is, or one before it;
- past the part's target;
- one that is no faster than all rungs before it: its handout says that it gains nothing here.

A file that is a rung stands there. Of another one its time says which rungs it has left behind, and
the causes of lost time which of the others' ideas it lacks: the first of these is next.
"""

from dataclasses import dataclass, field

from grader.course.declare import Part

GAIN = 0.97  # of the time of the best rung before: less is no step
# A file has left a rung behind when its time is below so much of the rung's: measured times are
# sure, modelled ones are held against measured rungs.
MEASURED, MODELLED = 1.02, 0.8


@dataclass(frozen=True)
class Standing:
    """What is known of a file in one case."""

    times: dict[str, float] = field(default_factory=dict)  # {rung: measured ms}; may be empty
    ratio: float | None = None  # the file's time / that of the target rung
    measured: bool = False  # that is a measured ratio
    rung: str = ""  # the rung that the file is
    causes: tuple[str, ...] = ()  # kinds of lost time, and what binds


def steps_of(part: Part, times: dict[str, float]) -> list[str]:
    """The rungs up to the target that gain something; where no times are known, those that cure."""
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
    """The rung to climb to, "" where there is none below the target or at it."""
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
