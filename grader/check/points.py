"""Computes points: the worth of a case, and the points for its times."""

from collections.abc import Iterable
from dataclasses import replace
from statistics import geometric_mean

from grader.base.gpu_state import merge
from grader.check.verdict import TimedCase
from grader.course.climb import Standing, next_rung
from grader.course.declare import Case, Part, Scale
from grader.course.results import (
    NO_FAULT,
    NO_POINTS,
    CaseResult,
    PartResult,
    Points,
    Times,
    Timing,
    Verdict,
)
from grader.course.thresholds import Thresholds
from grader.timing.clock import CaseTimes
from grader.timing.score import formula_text, is_faster, share_points, speed_fraction

NOT_RUN = "not run: speed is paid when all cases are right"


def worth_of_part(whole: Part) -> dict[str, float]:
    """The worth of each case of the part in points, by name."""
    return worths(whole, whole.correctness, whole.correctness_points) | worths(
        whole, whole.speed, whole.speed_points
    )


def worths(whole: Part, cases: list[Case], total: float) -> dict[str, float]:
    """The worth of cases: each case has a share among all cases of the same kind, run or not."""
    shares = share_points([case.points for case in cases], total)
    return {c.name: whole.weight * s for c, s in zip(cases, shares, strict=True)}


def compare_times(times: CaseTimes, scale: Scale) -> TimedCase:
    """The times of a case that the student's program finished."""
    if times.impossible:
        return TimedCase(Verdict("too_fast", times.impossible))
    if times.too_noisy:
        return TimedCase(Verdict("too_noisy", times.too_noisy), left_out=True)
    student, reference = times.student, times.reference
    if student.lacks:
        return TimedCase(Verdict("skipped", f"right, but {student.lacks}"), left_out=True)
    no_reference = Verdict("skipped", f"right, but {no_target_time(times)}")
    if reference is None and times.modelled:
        # The lower bound of a modelled time is not known either.
        return TimedCase(no_reference, left_out=True)
    compared = Times(
        time_ms=student.time_ms,
        peers_ms=times.peers_ms,
        solution_ms=times.solution_ms,
        bytes=times.bytes,
        limit=times.limit,
        of_limit=times.limit_ms / student.time_ms if times.limit_ms and student.time_ms else None,
        modelled=times.modelled,
        binds=student.binds,
        causes=student.causes,
        timing=timing_of(times),
    )
    if reference is None:
        return TimedCase(no_reference, compared, left_out=True)
    return TimedCase(times=replace(compared, reference_ms=reference.time_ms, scale=scale))


def no_target_time(times: CaseTimes) -> str:
    """Why the target rung has no time, as a clause."""
    if times.baseline and times.baseline.lacks:
        return f"the target rung has no time: {times.baseline.lacks}"
    return f"there is no target time for {times.gpu}"


def timing_of(times: CaseTimes) -> Timing | None:
    """The certainty of a measured time; None for a modelled time."""
    student, baseline = times.student, times.baseline
    if not student.interval:
        return None
    return Timing(
        student.interval,
        baseline.interval if baseline else None,
        merge(student.states),
        times.limit_ms,
        times.retaken,
        times.waited_ms,
    )


def points_for_answer(worth: float, verdict: Verdict) -> Points:
    """The points of a case for correctness."""
    return Points(worth if verdict.is_ok else 0.0, worth)


def points_for_time(worth: float, timed: TimedCase) -> Points:
    """The points of a case for speed."""
    times = timed.times
    if timed.left_out:
        return NO_POINTS
    if times.scale is None:
        return Points(max_score=worth)
    compared = (times.time_ms, times.reference_ms, times.scale)
    formula = formula_text(worth, *compared) if worth else ""
    return Points(worth * speed_fraction(*compared), worth, formula)


def is_right(verdicts: Iterable[Verdict]) -> bool:
    """Whether the verdicts earn points for speed: a data race or a time-out earns none."""
    return all(verdict.name in NO_FAULT for verdict in verdicts)


def withhold(cases: list[CaseResult], whole: Part) -> list[CaseResult]:
    """Takes back the points for speed of a part with a wrong answer, or with unknown answers.

    A wrong program is often the faster program. So a wrong answer costs the points of the case and
    all points for speed, whatever the times are.
    """
    right = is_right(case.judged for case in cases)
    answers = sum(case.kind == "correctness" for case in cases)
    if right and answers == len(whole.correctness):
        return cases

    def withheld(points: Points) -> Points:
        if not right:
            return replace(points, score=0.0, formula="")
        return replace(points, needs_all=points.max_score, score=0.0, max_score=0.0)

    return [
        replace(case, points=withheld(case.points)) if case.kind == "speed" else case
        for case in cases
    ]


def withheld_points(cases: list[CaseResult]) -> float:
    """The points for speed that a part lacks because of a wrong answer."""
    if is_right(case.judged for case in cases):
        return 0.0
    return sum(case.max_score for case in cases if case.kind == "speed")


def compare_with_others(
    result: PartResult, whole: Part, rung: str, measured: Thresholds, modelled: Thresholds
) -> PartResult:
    """Adds the stars and the position on the ladder.

    `rung` is the name of a file that is a rung, or "". Stored times of rungs: `measured` on the
    device of the check, `modelled` for the GPU whose times are modelled.
    """
    timed = [case for case in result.cases if case.time_ms is not None]
    scored = [
        case for case in timed if case.reference_ms and (case.max_score or case.points.needs_all)
    ]
    if not scored:
        return result
    place = place_on_ladder(scored, measured.rungs(whole.name), whole.target)
    stored = modelled if scored[0].times.modelled else measured
    return replace(
        result,
        stars=stars_of(result, whole),
        elsewhere=elsewhere_text(whole, timed),
        position=place + step_text(whole, scored, rung, stored),
    )


def elsewhere_text(part: Part, timed: list[CaseResult]) -> str:
    """The pay of the course that a part comes from; "" if times are missing."""
    course = part.course_score
    if course is None:
        return ""
    ratios = {
        case.name: case.time_ms / case.reference_ms
        for case in timed
        if case.reference_ms and case.verdict == "ok"
    }
    points = course.of(ratios)
    if points is None:
        return ""
    return f"{course.course} would pay {points:.2f} of {course.most:g}: {course.rule}"


def stars_of(result: PartResult, whole: Part) -> tuple[str, ...]:
    """The stars for the times of a whole, right part: each star needs all stars before.

    "target" means all points for speed; "library" and "solution" mean times below those of every
    library and of our solution, in every case that earns points. If no library is timed, the
    solution comes next.
    """
    worth = worths(whole, whole.speed, whole.speed_points)
    cases = [case for case in result.cases if case.kind == "speed" and worth[case.name]]
    full = all(case.score >= case.max_score - 1e-9 and case.max_score for case in cases)
    if len(cases) < sum(map(bool, worth.values())) or not cases or not full:
        return ()
    stars = ("target",)
    if any(case.times.peers_ms for case in cases):
        if not all(beats(case, case.times.peer_ms) for case in cases):
            return stars
        stars += ("library",)
    if all(beats(case, case.times.solution_ms) for case in cases):
        stars += ("solution",)
    return stars


def beats(case: CaseResult, rival_ms: float | None) -> bool:
    return rival_ms is not None and is_faster(case.time_ms, rival_ms)


def step_text(part: Part, scored: list[CaseResult], rung: str, stored: Thresholds) -> str:
    """Names the next rung, by the case that lost most; `rung` is the file's rung, or ""."""
    lost = [case for case in scored if case.time_ms > case.times.scale.full * case.reference_ms]
    if not lost:
        return ""
    slowest = max(lost, key=points_lost)
    times = slowest.times
    standing = Standing(
        stored.rungs(part.name).get(slowest.name, {}),
        times.time_ms / times.reference_ms,
        not times.modelled,
        rung,
        (times.binds, *times.causes) if times.modelled else (),
    )
    following = next_rung(part, standing)
    if not following:
        return ""
    about = times.binds and part.cures.get(times.binds) == following
    return f"; next: {following}" + (f", which is about {times.limit}" if about else "")


def points_lost(case: CaseResult) -> tuple[float, float]:
    """The points that a case lost, then, for equal losses, the slowness of the case."""
    worth = case.max_score or case.points.needs_all
    return worth - case.score, case.time_ms / case.reference_ms


def place_on_ladder(
    timed: list[CaseResult], rungs: dict[str, dict[str, float]], target: str
) -> str:
    """Where the times stand: relative to the target, and between rungs whose times are stored."""
    ratios = [case.time_ms / case.reference_ms for case in timed if case.reference_ms]
    if not ratios:
        return ""
    ratio = geometric_mean(ratios)
    if ratio <= 0.98:
        against = f"{1 / ratio:.2f}× as fast as the target rung {target}"
    elif ratio < 1.02:
        against = f"level with the target rung {target}"
    else:
        against = f"{ratio:.2f}× the time of the target rung {target}"
    means = mean_times(timed, rungs)
    if not means:
        return against
    own = geometric_mean([case.time_ms for case in timed])
    slower = [name for name, ms in means.items() if ms >= own * 0.98]
    if len(slower) == len(means):
        return f"{against}; past every stored rung"
    if not slower:
        return f"{against}; below the first rung"
    return f"{against}; at {min(slower, key=means.__getitem__)}"


def mean_times(timed: list[CaseResult], rungs: dict[str, dict[str, float]]) -> dict[str, float]:
    """The geometric mean over the cases, for the rungs with a time for each case."""
    tables = [rungs.get(case.name, {}) for case in timed]
    common = set.intersection(*map(set, tables)) if tables else set()
    return {name: geometric_mean([table[name] for table in tables]) for name in sorted(common)}
