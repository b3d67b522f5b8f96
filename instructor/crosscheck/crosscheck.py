"""`make crosscheck`: compares modelled with measured times, for every rung whose time is stored.

The measured times are those of <name>/grading/thresholds/*.json. The first, third, fifth … rung of
each part may be used to fit the model's parameters (FIT=1); the others only show how well the model
predicts, and whether a fit is worth keeping. docs/model-against-measurement.md gets the result, and
tests/cpudevice/model/times/<model>.json the times, with which a test compares the rungs' scores.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cpudevice.model.gpu import DEFAULT, DIRECTORY, Gpu, MissingUnit, load_gpu
from cpudevice.model.model import estimate
from cpudevice.model.profile import Profile
from grader.base.device import choose_device
from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.base.progress import Progress, Screen
from grader.build.make import build
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.needs import unmet
from grader.course.options import EXTENTS, numbers, size
from grader.course.thresholds import Thresholds, load_thresholds
from grader.run.profiled import profile_all
from grader.timing.modelled import job_for
from instructor.crosscheck import fit as fitting
from instructor.crosscheck.fit import Accuracy, Point, Ranking, accuracy, modelled_ms, rank

WORTH_IT = 0.9  # of the error with hand-set parameters: fitted parameters must have a smaller error
TIMES = Path("tests") / "cpudevice" / "model" / "times"
SIZE_TOLERANCE = 0.15  # of the case on the CPU device, as a share of the case on the GPU


@dataclass(frozen=True)
class Wanted:
    """A rung with a stored time, and the program that is profiled."""

    assignment: Assignment
    part: Part
    case: Case
    rung: str
    measured_ms: float
    program: str


@dataclass(frozen=True)
class Fitted:
    """Parameters set by hand beside those of a fit to half the points."""

    hand: Gpu
    fitted: Gpu
    better: bool  # whether the fitted parameters are better on the half that was not fitted

    @property
    def kept(self) -> Gpu:
        return self.fitted if self.better else self.hand


@dataclass(frozen=True)
class Crosscheck:
    gpu: Gpu  # the whole GPU
    points: list[Point]
    times_ms: dict[Point, float]
    fit: Fitted | None = None
    failed: list[str] = field(default_factory=list)  # rungs that could not be profiled: sentences

    def half(self, fitted: bool) -> list[Point]:
        """The points whose times can be compared."""
        return [point for point in self.points if point.comparable and point.fitted == fitted]

    def ranking(self, wanted: Callable[[Point], bool]) -> Ranking:
        return rank(filter(wanted, self.points), self.times_ms)

    def accuracy(self, wanted: Callable[[Point], bool]) -> Accuracy:
        return accuracy(filter(wanted, self.points), self.times_ms)


def crosscheck(
    root: Path, assignments: list[Assignment], model: str, fit: bool, screen: Screen
) -> Crosscheck:
    gpu = load_gpu(model)
    wanted = wanted_points(root, assignments, gpu.name)
    if not wanted:
        raise GraderError(
            f"No times measured on an {gpu.name} are stored in */grading/thresholds/."
        )
    points, failed = count_points(root, wanted, gpu, screen)
    found = None
    if fit:
        screen.step("fitting", 0, 0)
        found = try_fit(points, gpu)
        gpu = found.kept
        if found.better:
            store(model or DEFAULT, gpu)
    times_ms = {point: modelled_ms(point, gpu) for point in points}
    return Crosscheck(gpu, points, times_ms, found, failed)


def try_fit(points: list[Point], hand: Gpu) -> Fitted:
    """Fits to a half and tests on the other half: a fit that improves only its own half is not
    kept.

    Nor is a fit that ranks rungs worse: times are used for ranking.
    """
    fitted = fitting.fit(points, hand)
    others = [point for point in points if not point.fitted]
    off = [fitting.typical_factor(others, gpu) - 1 for gpu in (hand, fitted)]
    tau = [
        rank(points, {point: modelled_ms(point, gpu) for point in points}).tau
        for gpu in (hand, fitted)
    ]
    return Fitted(hand, fitted, better=off[1] < WORTH_IT * off[0] and not tau[1] < tau[0])


def wanted_points(root: Path, assignments: list[Assignment], gpu: str) -> list[Wanted]:
    found = []
    for assignment in assignments:
        thresholds: Thresholds = load_thresholds(root, assignment.name, gpu)
        for part in assignment.parts:
            rungs = [
                rung
                for rung in resolve.rungs(root, assignment, part)
                if not unmet(resolve.rung_file(root, assignment, part, rung), choose_device("cpu"))
            ]
            for case in part.speed:
                measured = thresholds.rungs(part.name).get(case.name, {})
                for rung in rungs:
                    if rung in measured:
                        target = resolve.rung_program(assignment, part, rung, "profile")
                        found.append(Wanted(assignment, part, case, rung, measured[rung], target))
    return found


def corresponds(case: Case) -> bool:
    """Whether the CPU device's case is the GPU's, reduced to the modelled share.

    Then both have the same extents, and the same values of all other options: fewer pixels, for
    instance, but the same number of samples along a ray.
    """
    options = [case.options_for(kind) for kind in ("gpu", "cpu")]
    if len({frozenset(EXTENTS.keys() & numbers(one).keys()) for one in options}) > 1:
        return False
    if len({frozenset(others(one)) for one in options}) > 1:
        return False
    gpu, cpu = (case.work(numbers(one)) if case.work else size(one) for one in options)
    return abs(gpu * case.share / cpu - 1) <= SIZE_TOLERANCE


def others(options: str) -> Iterable[tuple[str, int]]:
    """The options that set the amount of work besides the extents."""
    return {k: v for k, v in numbers(options).items() if k not in (*EXTENTS, "repeats")}.items()


def fills(profile: Profile, share: float, gpu: Gpu) -> bool:
    """Whether the main kernel occupies the modelled share of the GPU.

    The work of a few threads shrinks with the problem, but their number does not.
    """
    heaviest = estimate(profile, gpu.slice(share)).heaviest
    if share == 1 or heaviest is None:
        return True
    kernel = heaviest.kernel
    return kernel.blocks / kernel.launches >= gpu.multiprocessors * share


def count_points(
    root: Path, wanted: list[Wanted], gpu: Gpu, screen: Screen
) -> tuple[list[Point], list[str]]:
    """The points, and sentences about rungs that could not be profiled."""
    screen.step("building", 0, 0)
    targets = dict.fromkeys(one.program for one in wanted)
    targets |= {resolve.judge_program(one.assignment): None for one in wanted}
    errors = build(root, targets)
    failed = [f"{target} could not be built: {e.sentence}" for target, e in errors.items()]
    wanted = [one for one in wanted if one.program not in errors]
    jobs = [
        job_for(
            root, one.program, resolve.judge_program(one.assignment), one.part.name, one.case
        ).of_ours()
        for one in wanted
    ]
    progress = Progress(screen, "counting", len(jobs))
    outcomes = profile_all(root, jobs, progress.advance)
    points = []
    for one, job in zip(wanted, jobs, strict=True):
        outcome = outcomes[job]
        if outcome.profile is None:
            sentence = f"{outcome.verdict}, {outcome.detail}"
            failed.append(f"{one.program} failed {one.case.name}: {sentence}")
            continue
        try:
            comparable = fills(outcome.profile, one.case.share, gpu) and corresponds(one.case)
        except MissingUnit as lacking:
            failed.append(f"{one.program} has no time for {one.case.name}: {lacking}")
            continue
        place = resolve.rungs(root, one.assignment, one.part).index(one.rung)
        points.append(
            Point(
                one.assignment.name,
                one.part.name,
                one.case.name,
                one.rung,
                one.measured_ms,
                outcome.profile,
                fitted=place % 2 == 0,
                share=one.case.share,
                comparable=comparable,
            )
        )
    return points, failed


def write_times(root: Path, model: str, found: Crosscheck) -> Path:
    """A line per rung: case, rung, measured and modelled ms."""
    path = root / TIMES / f"{model or DEFAULT}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        json.dumps([*point.group, point.rung, point.measured_ms, round(found.times_ms[point], 6)])
        for point in found.points
    ]
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n")
    return path


def store(model: str, gpu: Gpu) -> None:
    """Writes the fitted parameters into the GPU's file, with the note that they were fitted."""
    path = DIRECTORY / f"{model}.json"
    stored = json.loads(path.read_text())
    for name in fitting.FREE:
        entry = stored["parameters"][name]
        value = float(f"{getattr(gpu, name):.4g}")
        if value != entry["value"]:
            source = f"fitted to kernels measured on an {stored['name']}"
            stored["parameters"][name] = {"value": value, "source": source}
    write_json(path, stored)
