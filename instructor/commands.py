"""The commands for instructors: `python -m instructor`."""

from argparse import Namespace
from pathlib import Path

from grader.base.device import choose_device, require_profiling
from grader.base.errors import GraderError, UsageError
from grader.base.processes import adopt_orphans
from grader.cli.command import Command, say_written
from grader.course.declare import Assignment
from grader.course.load import load_assignments
from grader.course.plan import choose_model, choose_part
from grader.course.reset import record
from grader.terminal.console import make_console
from grader.terminal.table import TerminalScreen
from grader.timing.choose import choose_clock
from instructor.batch import command as batch


def run_crosscheck(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    if arguments.device == "gpu":
        run_hardware(root, assignments)
        return
    from instructor.crosscheck.crosscheck import crosscheck, write_times
    from instructor.crosscheck.hardware_page import compare
    from instructor.crosscheck.page import show_crosscheck, write_crosscheck
    from instructor.points import write_points

    console = make_console()
    with TerminalScreen(console, choose_device("cpu")) as screen:
        found = crosscheck(root, assignments, arguments.model, arguments.fit, screen)
        hardware = compare(root, assignments, found.gpu.name, screen)
    show_crosscheck(console, found)
    files = [*write_crosscheck(root, found, hardware), write_times(root, arguments.model, found)]
    say_written(root, [*files, write_points(root, assignments)])


def run_hardware(root: Path, assignments: list[Assignment]) -> None:
    """The part of crosscheck that runs on a GPU: stores the measurements for a later `make
    crosscheck`.
    """
    from instructor.crosscheck.hardware import measure

    device = choose_device("gpu")
    with TerminalScreen(make_console(), device) as screen:
        path, result = measure(root, assignments, device, screen)
    failed = [name for name, entry in result["counters"].items() if "error" in entry]
    print(f" counted {len(result['counters'])} files, looked at {len(result['findings'])}")
    for name in failed:
        print(f" {name}: {result['counters'][name]['error']}")
    print(f" {path.relative_to(root)}")


def run_calibrate(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.calibrate import calibrate
    from instructor.repeat import repeat, show_repeats

    device = choose_device("gpu")
    clock = choose_clock(root, device, choose_model(""))
    assignments = choose_part(assignments, arguments.part)
    adopt_orphans()
    console = make_console()
    with TerminalScreen(console, device) as screen:
        if not arguments.repeat:
            chosen = (device, clock, arguments.part, arguments.case, screen)
            files = [calibrate(root, one, *chosen) for one in assignments]
            say_written(root, files)
            return
        chosen = (arguments.part, arguments.case, arguments.repeat, arguments.seconds)
        found = repeat(root, assignments, device, clock, *chosen, screen)
    show_repeats(console, found, device)


def run_measure(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.ladder.table import show_ladder
    from instructor.measure import measure, write_tables
    from instructor.points import PAGE, write_points

    device = choose_device("gpu")
    clock = choose_clock(root, device, choose_model(""))
    adopt_orphans()
    console = make_console()
    for assignment in choose_part(assignments, arguments.part):
        with TerminalScreen(console, device) as screen:
            climbed = measure(root, assignment, device, clock, arguments.part, screen)
        show_ladder(console, assignment.name, device, climbed, "")
    if not arguments.part:
        write_tables(root, "docs", "--measure")
    if (root / PAGE).is_file():
        write_points(root, load_assignments(root, []))


def run_points(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.points import write_points

    say_written(root, [write_points(root, assignments)])


def run_climb(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.climb import climb, show_climbs

    require_profiling()
    console = make_console()
    with TerminalScreen(console, choose_device("cpu")) as screen:
        found = climb(root, assignments, arguments.part, screen)
    if wrong := show_climbs(console, found):
        raise GraderError(f"{wrong} steps do not earn what they should")


def run_handout(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.handout.make import as_text, make_handout

    if not arguments.out:
        raise UsageError("name the folder to make: make handout OUT=dir.")
    require_profiling()
    with TerminalScreen(make_console(), choose_device("cpu")) as screen:
        made = make_handout(root, assignments, Path(arguments.out).resolve(), screen)
    print(as_text(made))


def run_new_assignment(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.new_assignment.create import create

    print("\n".join(create(root, arguments.name)))


def run_class(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    if not arguments.submissions or not arguments.out:
        raise UsageError("make grade-class needs SUBMISSIONS=dir and OUT=dir.")
    batch.grade_class(arguments, root)


def run_gradescope(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from instructor.gradescope.package import make_package

    path, files = make_package(root, assignments, arguments.device, arguments.model)
    print(f" {path.relative_to(root)}: {files} files, to be uploaded as the autograder")


def run_record(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    print("\n".join(record(root, assignments)))


COMMANDS = (
    Command("handout", "the student repository, without answers", "out only", run_handout),
    Command(
        "new-assignment",
        "lay out a small assignment that works",
        "",
        run_new_assignment,
        {"name": "its name, and that of its only part"},
        needs_assignments=False,
    ),
    Command(
        "grade-class",
        "grade a folder of submissions",
        "assignments only device model seed hidden",
        run_class,
        batch.OPTIONS,
    ),
    Command(
        "gradescope",
        "make an autograder for Gradescope",
        "assignments only model",
        run_gradescope,
        {"device": "cpu: Gradescope has no GPU"},
    ),
    Command(
        "calibrate",
        "keep this GPU's times of the rungs, or grade them often",
        "assignments part case",
        run_calibrate,
        {"repeat": "grade so often; all are kept", "seconds": "no new round after these"},
    ),
    Command(
        "crosscheck",
        "modelled times beside measured ones",
        "assignments model device",
        run_crosscheck,
        {"fit": "fit the model's parameters first"},
    ),
    Command(
        "measure", "store the times of this GPU for the handouts", "assignments part", run_measure
    ),
    Command("climb", "a student repository, rung by rung", "assignments part", run_climb),
    Command("points", "what every rung earns, into docs/grading.md", "", run_points),
    Command("record-starters", "make the present files the starters", "assignments", run_record),
)
