"""The declarations in an assignment's grade.py, which check/part.py grades.

An assignment is worth 100 points, shared out by part weight. Of each part 40 % is for correctness
and 60 % for speed unless the part says otherwise; cases of a kind share equally unless a case says
`points=` (out of the part's 40 or 60). `points=0` is for a case that untouched output would pass,
and for a case that is only timed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from cpudevice.model.gpu import SLICE

CORRECTNESS_POINTS = 40.0
PART_POINTS = 100.0


@dataclass(frozen=True)
class Scale:
    """The times that earn points, in units of the target rung's time; log-linear between the ends.

    `full` is high enough that noise does not cost a target points, and low enough that no earlier
    rung gets all points. At `none` the ladder's first rung earns half of the points at most, and a
    starter that is right earns nothing.
    """

    full: float = 1.2  # up to `full` a case earns all its points
    none: float = 10.0  # from `none` on a case earns no points
    # Replace the ends for modelled times.
    modelled_full: float | None = None
    modelled_none: float | None = None

    def of(self, modelled: bool) -> "Scale":
        """The scale of measured or of modelled times."""
        if not modelled:
            return self
        return Scale(self.modelled_full or self.full, self.modelled_none or self.none)


@dataclass(frozen=True)
class Case:
    """A call of the student's function: the runner's options, exactly as typed by hand."""

    name: str
    options: str = ""
    gpu: str | None = None  # instead of `options` where the device is a GPU
    cpu: str | None = None  # instead of `options` on the CPU device
    sanitize: str | None = None  # options under sanitize, which is about 50 times slower
    points: float | None = None  # None: an equal share of the rest
    scale: Scale | None = None  # of a case for speed; None: the part's
    timeout_s: float = 10.0
    # Device memory the case needs on a GPU: bytes, or a function of the options ({"rows": 8192}).
    # Cases that do not fit are shrunk by halving --n or --rows.
    gpu_bytes: int | Callable[[dict[str, int]], int] | None = None

    # The modelled share of the GPU: the size of the CPU device relative to the GPU. Larger than the
    # simulated device for a case whose time is spent in the host and on the link.
    share: float = SLICE
    # The work for options ({"n": 1048576}), in any unit, if not proportional to the size: larger
    # inputs may take more rounds.
    work: Callable[[dict[str, int]], float] | None = None

    # Declared in a file that is not handed out (hidden.py): only the verdict is shown.
    hidden: bool = False

    def options_for(self, device_kind: str) -> str:
        special = {"gpu": self.gpu, "cpu": self.cpu}[device_kind]
        return self.options if special is None else special


@dataclass(frozen=True)
class CourseScore:
    """The pay of the course that a part comes from, for comparison; our own points do not change.

    The course's reference is a program of its own; the target rung stands in for the program.
    """

    course: str  # "CS149"
    cases: tuple[str, ...]  # the cases for speed with pay
    pay: Callable[[float], float]  # points of a right case, by time / the reference's time
    rule: str  # "1.25 a size up to 1.2 times the target's time, then in proportion"

    @property
    def most(self) -> float:
        return len(self.cases) * self.pay(1.0)

    def of(self, ratios: dict[str, float]) -> float | None:
        """The points for {case: time / the target's}; None unless all paid cases have a time."""
        if not set(self.cases) <= set(ratios):
            return None
        return sum(self.pay(ratios[case]) for case in self.cases)


@dataclass(frozen=True)
class Part:
    """A function to write, in the student's file `<name>.cu`."""

    name: str
    contract: str  # the declaration the student's function must match
    target: str  # the rung whose time is the reference, without .cu: "03_padded"
    correctness: list[Case]
    speed: list[Case] = field(default_factory=list)
    # The sizes of the ladder's second table, smallest first; without points. A case with no options
    # for a device is left out on the device; a case that is also in `speed` is timed once.
    sweep: list[Case] = field(default_factory=list)
    # Views of a picture from all sides, "y 15" being 15 degrees about y: frame rates of the entries
    # named in `views_of`, the others compared with the first; without points. See views.py.
    views: list[Case] = field(default_factory=list)
    views_of: list[str] = field(default_factory=list)
    weight: float = 1.0
    # Out of 100, for right answers: fewer if the starter is right already. The rest is for speed.
    correctness_points: float = CORRECTNESS_POINTS
    scale: Scale = Scale()
    # The rung that teaches the cure for a cause of lost time, by the cause's kind (diagnose.py) or
    # by the binding resource (cpudevice/model): {"bank_conflict": "03_padded"}.
    cures: dict[str, str] = field(default_factory=dict)

    course_score: CourseScore | None = None

    # Whether the amount of work depends on the seed, for example on a view: the target is then
    # profiled with the student's seed, again for each version of the file, not once with a fixed
    # seed.
    seed_decides: bool = False

    # For the tests: how many of the points for correctness the starter earns, and the options of a
    # small case, no multiple of anything, whose counters are in tests/golden/.
    starter_points: float = 0.0
    golden: str = ""

    # Outputs are images: the judge writes the student's image, the right image and their difference
    # to build/pictures/.
    pictures: bool = False

    @property
    def speed_points(self) -> float:
        return PART_POINTS - self.correctness_points

    def scale_of(self, case: Case, modelled: bool) -> Scale:
        """The scale of a case for speed, for measured or modelled times."""
        return (case.scale or self.scale).of(modelled)

    @property
    def function(self) -> str:
        """The name of the function declared in the contract."""
        match = re.search(r"([A-Za-z_]\w*)\s*\(", self.contract)
        return match.group(1) if match else self.name


@dataclass(frozen=True)
class Assignment:
    """A directory of the repository with a grading/grade.py."""

    name: str
    parts: list[Part]
    # The place in the course: an assignment uses what earlier assignments teach.
    order: int = 99
    # Files for students in addition to the files of every assignment.
    extras: tuple[str, ...] = ()

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def student_file(self, part: Part) -> str:
        """The students' file of a part, relative to the root: scan/exclusive_scan.cu."""
        return f"{self.name}/{part.name}.cu"

    @property
    def student_files(self) -> list[str]:
        return [self.student_file(part) for part in self.parts]

    @property
    def single_part(self) -> bool:
        """Whether files are directly in ladder/ and wrong/, without a `<part>/` level."""
        return len(self.parts) == 1
