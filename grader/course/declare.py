"""What an assignment's grade.py declares. Declarations only: check/part.py grades them.

An assignment is worth 100 points, shared out by part weight. Of each part 40 % is for correctness
and 60 % for speed unless it says otherwise; within those, cases share equally unless a case says
`points=` (out of the part's 40 or 60). `points=0` is for a case that untouched output would pass,
and for one that is only timed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from cpudevice.model.gpu import SLICE

CORRECTNESS_POINTS = 40.0
PART_POINTS = 100.0


@dataclass(frozen=True)
class Scale:
    """Which times earn points, in units of the target rung's time; log-linear between the ends.

    `full` is high enough that noise does not cost a target points, and low enough that no earlier
    rung gets all of them. At `none` the ladder's first rung earns half of the points at most, and a
    starter that is right earns nothing.
    """

    full: float = 1.2  # up to here a case earns all of its points
    none: float = 10.0  # from here on it earns none
    # These replace the ends for modelled times.
    modelled_full: float | None = None
    modelled_none: float | None = None

    def of(self, modelled: bool) -> "Scale":
        """The scale of measured or of modelled times."""
        if not modelled:
            return self
        return Scale(self.modelled_full or self.full, self.modelled_none or self.none)


@dataclass(frozen=True)
class Case:
    """One call of the student's function: the runner's options, exactly as typed by hand."""

    name: str
    options: str = ""
    gpu: str | None = None  # instead of `options` where the device is a GPU
    cpu: str | None = None  # instead of `options` on the CPU device
    sanitize: str | None = None  # instead of them under sanitize, which is about 50 times slower
    points: float | None = None  # None: an equal share of what the others leave
    scale: Scale | None = None  # of a case for speed; None: the part's
    timeout_s: float = 10.0
    # Device memory the case needs on a GPU: bytes, or a function of the options ({"rows": 8192}).
    # Cases that do not fit are shrunk by halving --n or --rows.
    gpu_bytes: int | Callable[[dict[str, int]], int] | None = None

    # What share of the GPU is modelled on the CPU device: the size of the CPU device relative to
    # the GPU. Larger than the simulated device for a case whose time is that of the host and the
    # link.
    share: float = SLICE
    # The work that these options ({"n": 1048576}) stand for, in any unit, if it is not proportional
    # to their size, because larger inputs take more rounds, for instance.
    work: Callable[[dict[str, int]], float] | None = None

    # Declared in a file that is not handed out (hidden.py): only its verdict is shown.
    hidden: bool = False

    def options_for(self, device_kind: str) -> str:
        special = {"gpu": self.gpu, "cpu": self.cpu}[device_kind]
        return self.options if special is None else special


@dataclass(frozen=True)
class CourseScore:
    """How the course that a part comes from pays, for comparison; our own points do not change.

    Its reference is a program of its own; here the target rung stands in for it.
    """

    course: str  # "CS149"
    cases: tuple[str, ...]  # the cases for speed that it pays for
    pay: Callable[[float], float]  # points of a right case, by its time / the reference's
    rule: str  # "1.25 a size up to 1.2 times the target's time, then in proportion"

    @property
    def most(self) -> float:
        return len(self.cases) * self.pay(1.0)

    def of(self, ratios: dict[str, float]) -> float | None:
        """The points for {case: time / the target's}; None unless all its cases are there."""
        if not set(self.cases) <= set(ratios):
            return None
        return sum(self.pay(ratios[case]) for case in self.cases)


@dataclass(frozen=True)
class Part:
    """One function to write, in one student file `<name>.cu`."""

    name: str
    contract: str  # the declaration the student's function must match
    target: str  # the rung whose time is the reference, without .cu: "03_padded"
    correctness: list[Case]
    speed: list[Case] = field(default_factory=list)
    # The sizes of the ladder's second table, smallest first; without points. A case with no options
    # for a device is left out there; one that is also in `speed` is timed once.
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
    # by what binds a kernel (cpudevice/model): {"bank_conflict": "03_padded"}.
    cures: dict[str, str] = field(default_factory=dict)

    course_score: CourseScore | None = None

    # The amount of work depends on the seed, a view for instance: the target is then profiled with
    # the student's seed, again for each version of the file, and not once with its own.
    seed_decides: bool = False

    # For the tests: how many of the points for correctness the starter earns, and the options of a
    # small case, no multiple of anything, whose counters are in tests/golden/.
    starter_points: float = 0.0
    golden: str = ""

    # Outputs are images: the judge writes the student's, the right one and their difference to
    # build/pictures/.
    pictures: bool = False

    @property
    def speed_points(self) -> float:
        return PART_POINTS - self.correctness_points

    def scale_of(self, case: Case, modelled: bool) -> Scale:
        """The scale of a case for speed, for times that are measured or modelled."""
        return (case.scale or self.scale).of(modelled)

    @property
    def function(self) -> str:
        """The name of the function that the contract declares."""
        match = re.search(r"([A-Za-z_]\w*)\s*\(", self.contract)
        return match.group(1) if match else self.name


@dataclass(frozen=True)
class Assignment:
    """A directory of the repository with a grading/grade.py."""

    name: str
    parts: list[Part]
    # Its place in the course: an assignment uses what earlier ones teach.
    order: int = 99
    # Files that students get in addition to those that every assignment has.
    extras: tuple[str, ...] = ()

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def student_file(self, part: Part) -> str:
        """The file of a part that students write, relative to the root: scan/exclusive_scan.cu."""
        return f"{self.name}/{part.name}.cu"

    @property
    def student_files(self) -> list[str]:
        return [self.student_file(part) for part in self.parts]

    @property
    def single_part(self) -> bool:
        """With one part, files are directly in ladder/ and wrong/, without a `<part>/` level."""
        return len(self.parts) == 1
