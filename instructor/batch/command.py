"""`make grade-class`: grades the submissions without a result, then writes the files about the
class.
"""

import argparse
from pathlib import Path

from grader.base.device import choose_device
from grader.base.errors import UsageError
from grader.course.hidden import add_hidden
from grader.course.load import load_assignments
from instructor.batch.course import course_digest, course_files
from instructor.batch.engines.local import default_jobs, grade_locally
from instructor.batch.intake.submissions import collect
from instructor.batch.progress import Progress
from instructor.batch.record import ClassOrder, load_result, only_one, pending, save_order

ENGINES = ("local", "slurm")
# The options of `make grade-class` besides those of other commands.
OPTIONS = {
    "submissions": "one folder or archive per student",
    "out": "where results and the gradebook go",
    "engine": "local (the default) or slurm",
    "jobs": "submissions graded at the same time",
    "roster": "Canvas' or Moodle's file of the class",
    "names": "1: the leaderboard shows names",
    "bundle": "slurm: submissions per task",
    "slurm-options": "slurm: more options of sbatch",
}


def whole_number(name: str, text: str, least: int = 1) -> int | None:
    if not text:
        return None
    if not text.isdigit() or not least <= int(text) < 1 << 63:
        raise UsageError(f'{name} is a whole number from {least} up; "{text}" is not.')
    return int(text)


def make_order(arguments: argparse.Namespace, root: Path) -> ClassOrder:
    if arguments.engine not in ENGINES:
        raise UsageError(f'There is no engine "{arguments.engine}": ENGINE is local or slurm.')
    entries = collect(Path(arguments.submissions).absolute())
    out = Path(arguments.out).absolute()
    if out.is_relative_to(Path(arguments.submissions).absolute()):
        raise UsageError("OUT lies inside SUBMISSIONS, where it would be graded next time.")
    if arguments.engine == "slurm":
        # The machine that submits may have no GPU.
        if arguments.device not in ("", "cpu", "gpu"):
            raise UsageError(f'There is no device "{arguments.device}": DEVICE is cpu or gpu.')
        device = arguments.device or "cpu"
    else:
        device = choose_device(arguments.device).kind
    assignments = load_assignments(root, arguments.assignments)
    add_hidden(root, assignments, arguments.hidden)  # reports an error in the hidden cases now
    order = ClassOrder(
        root=str(root.absolute()),
        out=str(out),
        device=device,
        only=tuple(arguments.assignments),
        model=arguments.model,
        seed=whole_number("SEED", arguments.seed, least=0),
        hidden=str(Path(arguments.hidden).absolute()) if arguments.hidden else "",
        entries=tuple(entries),
    )
    files = course_files(root, assignments, device)
    return ClassOrder(**vars(order) | {"course": course_digest(order, files)})


def grade_class(arguments: argparse.Namespace, root: Path) -> None:
    # Imported late: the modules import jinja2 and more, which other commands need not wait for.
    from instructor.batch.books.write import write_books
    from instructor.batch.engines.slurm import SlurmOptions, grade_on_slurm

    jobs = whole_number("JOBS", arguments.jobs)
    bundle = whole_number("BUNDLE", arguments.bundle)
    order = make_order(arguments, root)
    out = Path(order.out)
    with only_one(out), Progress() as progress:
        save_order(order)
        try:
            if not pending(order):
                progress.say("everything is graded already")
            elif arguments.engine == "slurm":
                options = SlurmOptions(jobs, bundle, arguments.slurm_options)
                grade_on_slurm(order, options, progress)
            else:
                grade_locally(order, jobs or default_jobs(order.device), progress)
        except KeyboardInterrupt:
            progress.say("stopped; the same command continues from here")
            raise
        finally:
            # Also after an interruption: the files then hold what was graded.
            results = [load_result(order, entry) for entry in order.entries]
            write_books(order, results, arguments.roster, bool(arguments.names))
    print(f" {out / 'gradebook.csv'}  {out / 'index.html'}  {out / 'leaderboard.html'}")
