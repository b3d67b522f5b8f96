"""Computes points: what a case is worth, and what its times earn."""

from statistics import geometric_mean

from grader.base.gpu_state import merge
from grader.course.climb import Standing, next_rung
from grader.course.declare import Case, Part, Scale
from grader.course.results import NO_FAULT, CaseResult, PartResult, Timing
from grader.course.thresholds import Thresholds
from grader.timing.clock import CaseTimes
from grader.timing.score import formula_text, is_faster, share_points, speed_fraction

NOT_RUN = "not run: speed is paid when all cases are right"


def blank_results(
    part: Part, whole: Part, can_time: bool
) -> tuple[list[CaseResult], list[CaseResult]]:
    """Results for the cases for correctness and for speed, with their points and no verdict yet.

    Points are shared among the cases of the `whole` part; `part` has those of them that are run.
    """
    worth = worths(whole, whole.correctness, whole.correctness_points)
    correctness = [CaseResult(c.name, "correctness", "ok", worth[c.name]) for c in part.correctness]
    worth = worths(whole, whole.speed, whole.speed_points)
    speed = [CaseResult(c.name, "speed", "ok", worth[c.name]) for c in part.speed]
    if not can_time:
        for result in speed:
            result.needs_gpu, result.max_score = result.max_score, 0.0
    return correctness, speed


def worths(whole: Part, cases: list[Case], total: float) -> dict[str, float]:
    """What the cases are worth: each has its share among all of its kind, whether run or not."""
    shares = share_points([case.points for case in cases], total)
    return {c.name: whole.weight * s for c, s in zip(cases, shares, strict=True)}


def score_speed(result: CaseResult, times: CaseTimes, scale: Scale) -> None:
    """Fills in times, rates and points of a case that the student's program finished."""
    if times.impossible:
        result.verdict, result.detail = "too_fast", times.impossible
        return
    if times.too_noisy:
        result.verdict, result.max_score, result.detail = "too_noisy", 0.0, times.too_noisy
        return
    student, reference = times.student, times.reference
    if reference is None and times.modelled:
        # There is no lower bound either with which the time could be compared.
        result.leave_out(times.gpu)
        return
    result.time_ms, result.bytes, result.modelled = student.time_ms, times.bytes, times.modelled
    result.limit, result.binds, result.causes = times.limit, student.binds, student.causes
    if times.limit_ms and student.time_ms:
        result.of_limit = times.limit_ms / student.time_ms
    if student.interval:
        interval = times.baseline.interval if times.baseline else None
        gpu, again = merge(student.states), (times.retaken, times.waited_ms)
        result.timing = Timing(student.interval, interval, gpu, times.limit_ms, *again)
    result.solution_ms, result.peers_ms = times.solution_ms, times.peers_ms
    result.peer_ms = min(times.peers_ms.values(), default=None)
    if reference is None:
        result.leave_out(times.gpu)
        return
    result.reference_ms, result.scale = reference.time_ms, scale
    result.score = result.max_score * speed_fraction(student.time_ms, reference.time_ms, scale)
    if result.max_score:
        result.formula = formula_text(result.max_score, student.time_ms, reference.time_ms, scale)


def is_right(results: list[CaseResult]) -> bool:
    """Whether these results earn points for speed: a data race or a time-out earns none."""
    return all(result.verdict in NO_FAULT for result in results)


def pay_for_speed(result: PartResult, whole: Part) -> None:
    """Takes back the points for speed of a part that is wrong somewhere, or not known to be right.

    A wrong program is often the faster one. So a wrong answer costs points whatever the times are:
    those of the case, and those for speed.
    """
    speed = [case for case in result.cases if case.kind == "speed"]
    if not is_right(result.cases):
        result.withheld = sum(case.max_score for case in speed)
        for case in speed:
            case.score, case.formula = 0.0, ""
    elif len(result.cases) - len(speed) < len(whole.correctness):
        for case in speed:
            case.needs_all, case.score, case.max_score = case.max_score, 0.0, 0.0


def compare_with_others(
    result: PartResult, whole: Part, rung: str, measured: Thresholds, modelled: Thresholds
) -> None:
    """Fills in the stars and the position on the ladder.

    `rung` is the rung that the file is, or "". Stored times of rungs: `measured` on this device,
    `modelled` on the GPU whose times are modelled.
    """
    timed = [case for case in result.cases if case.time_ms is not None]
    scored = [case for case in timed if case.reference_ms and (case.max_score or case.needs_all)]
    if not scored:
        return
    result.stars = stars_of(result, whole)
    result.elsewhere = elsewhere_text(whole, timed)
    place = place_on_ladder(scored, measured.rungs(whole.name), whole.target)
    stored = modelled if scored[0].modelled else measured
    result.position = place + step_text(whole, scored, rung, stored)


def elsewhere_text(part: Part, timed: list[CaseResult]) -> str:
    """What the course that a part comes from would pay; "" if some of its times are not known."""
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


def stars_of(result: PartResult, whole: Part) -> list[str]:
    """The stars that the times of a whole, right part have reached: each needs those before it.

    "target" means all points for speed; "library" and "solution" mean times below those of every
    library and of our solution, in every case that earns points. If no library is timed, the
    solution comes next.
    """
    worth = worths(whole, whole.speed, whole.speed_points)
    cases = [case for case in result.cases if case.kind == "speed" and worth[case.name]]
    full = all(case.score >= case.max_score - 1e-9 and case.max_score for case in cases)
    if len(cases) < sum(map(bool, worth.values())) or not cases or not full:
        return []
    stars = ["target"]
    if any(case.peers_ms for case in cases):
        if not all(beats(case, case.peer_ms) for case in cases):
            return stars
        stars.append("library")
    if all(beats(case, case.solution_ms) for case in cases):
        stars.append("solution")
    return stars


def beats(case: CaseResult, rival_ms: float | None) -> bool:
    return rival_ms is not None and is_faster(case.time_ms, rival_ms)


def step_text(part: Part, scored: list[CaseResult], rung: str, stored: Thresholds) -> str:
    """Names the next rung, by the case that lost most; `rung` is what the file is itself, or ""."""
    lost = [case for case in scored if case.time_ms > case.scale.full * case.reference_ms]
    if not lost:
        return ""
    slowest = max(lost, key=points_lost)
    standing = Standing(
        stored.rungs(part.name).get(slowest.name, {}),
        slowest.time_ms / slowest.reference_ms,
        not slowest.modelled,
        rung,
        (slowest.binds, *slowest.causes) if slowest.modelled else (),
    )
    following = next_rung(part, standing)
    if not following:
        return ""
    about = slowest.binds and part.cures.get(slowest.binds) == following
    return f"; next: {following}" + (f", which is about {slowest.limit}" if about else "")


def points_lost(case: CaseResult) -> tuple[float, float]:
    """The points that a case lost, and for cases that lost the same how slow each is."""
    return (case.max_score or case.needs_all) - case.score, case.time_ms / case.reference_ms


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
    """The geometric mean over the cases, for the rungs that have a time for each of them."""
    tables = [rungs.get(case.name, {}) for case in timed]
    common = set.intersection(*map(set, tables)) if tables else set()
    return {name: geometric_mean([table[name] for table in tables]) for name in sorted(common)}
