"""The command line behind make: python -m grader check|ladder|reset|list|device …

Ends with 0 when everything could be graded, whatever the score, and with 2 when the grader itself
could not: then with one sentence.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import signal
import sys
import traceback
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.batch import command as batch
from grader.check import check
from grader.command_line import parse
from grader.compile_commands import write_compile_commands
from grader.device import can_count, choose_device
from grader.errors import GraderError, UsageError
from grader.files import NO_ROOM
from grader.hidden import add_hidden
from grader.hints import next_hint
from grader.history import attempts_of
from grader.history import record as record_attempts
from grader.job_summary import read_job_summary
from grader.load import load_assignments
from grader.plan import Plan, choose_model, choose_part, make_plan
from grader.processes import adopt_orphans
from grader.progress import progress
from grader.reset import record, reset
from grader.resolve import directory
from grader.results import RESULTS, AssignmentResult, write_results
from grader.sanitize_report import sanitize, show_findings
from grader.scratch import sweep
from grader.submit import digest, submit
from grader.table import TerminalScreen, emit, make_console, show_summary
from grader.watch import watch

ROOT = Path(__file__).resolve().parent.parent
STOPPED = 130  # by Ctrl-C
FULL = (*NO_ROOM, errno.EROFS, errno.EFBIG)  # nothing more can be written
NO_COUNTING = "Counting needs g++, which is not installed: `make setup` says how to get it."


def run(arguments: argparse.Namespace, root: Path) -> None:
    if arguments.command in WITHOUT_ASSIGNMENTS:
        WITHOUT_ASSIGNMENTS[arguments.command](arguments, root)
        return
    assignments = load_assignments(root, arguments.assignments)
    COMMANDS[arguments.command](arguments, root, assignments)


def run_check(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    console = make_console()
    grade(arguments, root, assignments, console, console)


def grade(
    arguments: argparse.Namespace,
    root: Path,
    assignments: list,
    console: Console,
    tables: Console,
    folded: bool = False,
) -> None:
    """One check; progress is shown on `console`, what was found on `tables`."""
    seed = parse_seed(arguments.seed)
    device = choose_device(arguments.device)
    case, part = arguments.case, arguments.part
    assignments = add_hidden(root, assignments, arguments.hidden)
    plan = make_plan(root, assignments, device, arguments.with_, part, case, arguments.model)
    write_compile_commands(root)
    adopt_orphans()
    sweep()
    # Before the check: whoever saves while it runs has not been graded on that.
    digests = file_digests(plan)

    def keep(results: list[AssignmentResult], finished: bool = False) -> None:
        write_results(root, device, results, plan.model_title, finished)

    with TerminalScreen(console, device, tables, folded) as screen:
        results = check(plan, seed, screen, keep)
    keep(results, finished=True)
    if not arguments.with_ and not arguments.case:
        title, now = plan.model_title, datetime.now()
        record_attempts(root, attempts_of(results, device, title, now, digests))
    show_summary(tables, results, device, plan.model_title)


def file_digests(plan: Plan) -> dict[str, str]:
    """{part: SHA-256 of the file that is graded}; a file that cannot be read has none."""
    digests = {}
    for planned in plan.parts:
        with contextlib.suppress(OSError):
            if planned.submission:
                digests[planned.part.name] = digest(planned.submission.file.read_bytes())
    return digests


def run_explain(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.explain import explain
    from grader.explain_page import write_pages
    from grader.explain_terminal import show_explained

    console = make_console()
    for assignment in choose_part(assignments, arguments.part):
        plan = counting_plan(arguments, root, [assignment], arguments.with_)
        with TerminalScreen(console, plan.device) as screen:
            explained = explain(plan, arguments.case, parse_seed(arguments.seed), screen)
        for one in explained:
            show_explained(console, one)
        files = write_pages(root, assignment.name, explained)
        say_written(root, files)


def run_compare(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.compare import show_comparison
    from grader.explain import explain

    console = make_console()
    for assignment in choose_part(assignments, arguments.part):
        versions = []
        for file in (arguments.a, arguments.b):
            plan = counting_plan(arguments, root, [assignment], file)
            with TerminalScreen(console, plan.device) as screen:
                explained = explain(plan, arguments.case, parse_seed(arguments.seed), screen)
            versions.append({one.part.name: one for one in explained})
        common = [name for name in versions[0] if name in versions[1]]
        if not common:
            raise UsageError(f"A and B serve no part of {assignment.name} in common.")
        for name in common:
            show_comparison(console, versions[0][name], versions[1][name])


def run_registers(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.registers.collect import choose_chip, collect
    from grader.registers.table import show_registers

    device = choose_device(arguments.device)
    chip = choose_chip(device, choose_model(arguments.model), bool(arguments.model))
    adopt_orphans()
    console = make_console()
    part, with_, case = arguments.part, arguments.with_, arguments.case
    for assignment in choose_part(assignments, part):
        with TerminalScreen(console, device) as screen:
            found = collect(root, assignment, part, with_, case, chip, screen)
        show_registers(console, assignment, found)


def counting_plan(arguments: argparse.Namespace, root: Path, assignments: list, file: str) -> Plan:
    """What is counted runs on the CPU device, whether there is a GPU or not."""
    if not can_count():
        raise UsageError(NO_COUNTING)
    device = choose_device("cpu")
    return make_plan(root, assignments, device, file, arguments.part, "", arguments.model)


def run_debug(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.debug import debug

    device = choose_device("cpu")
    plan = make_plan(root, assignments, device, arguments.with_, arguments.part, "")
    seed = parse_seed(arguments.seed)
    debug(plan, arguments.case, seed, arguments.block, arguments.thread)


def run_crosscheck(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    if arguments.device == "gpu":
        run_hardware(root, assignments)
        return
    from grader.crosscheck import crosscheck, write_times
    from grader.crosscheck_page import show_crosscheck, write_crosscheck
    from grader.hardware_page import compare

    console = make_console()
    with TerminalScreen(console, choose_device("cpu")) as screen:
        found = crosscheck(root, assignments, arguments.model, arguments.fit, screen)
        hardware = compare(root, assignments, found.gpu.name, screen)
    show_crosscheck(console, found)
    files = write_crosscheck(root, found, hardware)
    say_written(root, [*files, write_times(root, arguments.model, found)])


def run_sanitize(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    seed = parse_seed(arguments.seed)
    device = choose_device("cpu")
    plan = make_plan(root, assignments, device, arguments.with_, arguments.part, arguments.case)
    adopt_orphans()
    console = make_console()
    with TerminalScreen(console, device) as screen:
        results = sanitize(plan, seed, screen)
    show_findings(console, root, results)


def run_hardware(root: Path, assignments: list) -> None:
    """The GPU's half: what it measures is kept, and compared by a later `make crosscheck`."""
    from grader.hardware import measure

    device = choose_device("gpu")
    with TerminalScreen(make_console(), device) as screen:
        path, result = measure(root, assignments, device, screen)
    failed = [name for name, entry in result["counters"].items() if "error" in entry]
    print(f" counted {len(result['counters'])} files, looked at {len(result['findings'])}")
    for name in failed:
        print(f" {name}: {result['counters'][name]['error']}")
    print(f" {path.relative_to(root)}")


def run_ladder(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    # matplotlib takes longer to load than a whole check: only here.
    from grader.ladder import climb, write_times
    from grader.ladder_plot import plot, plot_by_size, plot_views
    from grader.ladder_table import show_ladder

    device = choose_device(arguments.device)
    if device.kind == "cpu" and not can_count():
        raise UsageError(NO_COUNTING)
    gpu = choose_model(arguments.model)
    assignments = choose_part(assignments, arguments.part)
    adopt_orphans()
    console = make_console()
    for assignment in assignments:
        with TerminalScreen(console, device) as screen:
            ladders = climb(root, assignment, device, arguments.part, screen, gpu)
        show_ladder(console, assignment.name, device, ladders, gpu.name)
        files = [write_times(root, assignment.name, device, ladders, gpu.name)]
        files += plot(root, assignment.name, device, ladders)
        files += plot_by_size(root, assignment.name, device, ladders)
        files += plot_views(root, assignment.name, device, ladders)
        say_written(root, files)


def run_calibrate(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.calibrate import calibrate
    from grader.repeat import repeat, show_repeats

    device = choose_device("gpu")
    assignments = choose_part(assignments, arguments.part)
    adopt_orphans()
    console = make_console()
    with TerminalScreen(console, device) as screen:
        if not arguments.repeat:
            files = [calibrate(root, one, device, arguments.part, screen) for one in assignments]
            say_written(root, files)
            return
        chosen = (arguments.part, arguments.case, arguments.repeat, arguments.seconds)
        found = repeat(root, assignments, device, *chosen, screen)
    show_repeats(console, found, device)


def run_hint(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from rich.markdown import Markdown

    console = make_console()
    for assignment in assignments:
        hint = next_hint(root, assignment, arguments.part, arguments.hint)
        emit(console, Text(f"\n {hint.title}\n", style="bold"))
        emit(console, Padding(Markdown(hint.text), (0, 1)))
        if hint.number == hint.last:
            part = assignment.part(hint.part)
            rung = directory(root, assignment, part, "ladder") / f"{part.target}.cu"
            code = "; the ladder has the code" if rung.is_file() else ""
            emit(console, Text(f"\n That was the last one{code}.", style="dim"))


def run_progress(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    console = make_console()
    assignments = choose_part(assignments, arguments.part)
    emit(console, progress(root, assignments, console, arguments.part))


def run_report(arguments: argparse.Namespace, root: Path) -> None:
    from grader.report.command import write_report

    adopt_orphans()
    with TerminalScreen(make_console(), choose_device("cpu")) as screen:
        path = write_report(root, screen)
    say_written(root, [path])


def run_watch(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    if len(assignments) != 1:
        raise UsageError("watch looks at one assignment: make watch-saxpy.")
    choose_part(assignments, arguments.part)
    console = make_console()
    options = parse(["check", assignments[0].name])
    options.device, options.model = arguments.device, arguments.model

    def check_part(part: str, tables: Console) -> None:
        options.part = part
        try:
            grade(options, root, assignments, console, tables, folded=True)
        except GraderError as error:
            emit(tables, Text(f"\n {error}", style="red"))

    watch(root, assignments[0], arguments.part, check_part, console)


def run_handout(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.handout.make import as_text, make_handout

    if not arguments.out:
        raise UsageError("name the folder to make: make handout OUT=dir.")
    if not can_count():
        raise UsageError(NO_COUNTING)
    with TerminalScreen(make_console(), choose_device("cpu")) as screen:
        made = make_handout(root, assignments, Path(arguments.out).resolve(), screen)
    print(as_text(made))


def run_new_assignment(arguments: argparse.Namespace, root: Path) -> None:
    from grader.new_assignment.create import create

    print("\n".join(create(root, arguments.name)))


def run_job_summary(arguments: argparse.Namespace, root: Path) -> None:
    print(read_job_summary(root), end="")


def run_submit(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    print("\n".join(submit(root, assignments)))


def run_reset(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    for assignment in assignments:
        print("\n".join(reset(root, assignment, arguments.part)))


def run_class(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    if not arguments.submissions or not arguments.out:
        raise UsageError("make grade-class needs SUBMISSIONS=dir and OUT=dir.")
    batch.grade_class(arguments, root)


def run_gradescope(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    from grader.gradescope.package import make_package

    path, files = make_package(root, assignments, arguments.device, arguments.model)
    print(f" {path.relative_to(root)}: {files} files, to be uploaded as the autograder")


def run_record(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    print("\n".join(record(root, assignments)))


def run_list(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    for assignment in assignments:
        for part in assignment.parts:
            cases = " ".join(case.name for case in part.correctness + part.speed)
            print(f"{assignment.name} {part.name}: {cases}")


def run_device(arguments: argparse.Namespace, root: Path) -> None:
    print(choose_device("").kind)


COMMANDS = {
    "check": run_check,
    "sanitize": run_sanitize,
    "ladder": run_ladder,
    "calibrate": run_calibrate,
    "explain": run_explain,
    "compare": run_compare,
    "registers": run_registers,
    "debug": run_debug,
    "crosscheck": run_crosscheck,
    "handout": run_handout,
    "hint": run_hint,
    "progress": run_progress,
    "submit": run_submit,
    "watch": run_watch,
    "reset": run_reset,
    "grade-class": run_class,
    "gradescope": run_gradescope,
    "record-starters": run_record,
    "list": run_list,
}
# These work as well where a grade.py cannot be read.
WITHOUT_ASSIGNMENTS = {
    "device": run_device,
    "job-summary": run_job_summary,
    "new-assignment": run_new_assignment,
    "report": run_report,
}


def say_written(root: Path, files: list[Path]) -> None:
    print("\n " + "  ".join(str(path.relative_to(root)) for path in files))


def parse_seed(text: str) -> int | None:
    if not text:
        return None
    if not text.isdigit() or int(text) >= 1 << 63:
        raise UsageError(f'SEED is a whole number from 0 up; "{text}" is not.')
    return int(text)


def write_log(root: Path) -> Path:
    log = root / "build" / "grader.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(traceback.format_exc())
    return log


def main(argv: list[str] | None = None, root: Path = ROOT) -> int:
    arguments = parse(argv)
    # Whoever ends us with a signal must not leave the student's program running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        run(arguments, root)
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("grader: stopped.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # `make check | head`: nobody reads on, which is no fault.
        with contextlib.suppress(OSError):
            sys.stdout = None
        return 0
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("grader."):
            raise
        sentence = "that is for those who give the course; a student repository does not have it."
        print(f"grader: {sentence}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno not in FULL:
            return failed(root, error)
        print(
            f"grader: {error.filename or 'a file'} cannot be written: {error.strerror}. What was "
            f"found before is in {RESULTS}; make room and start again.",
            file=sys.stderr,
        )
        return 2
    except Exception as error:
        return failed(root, error)
    return 0


def failed(root: Path, error: Exception) -> int:
    """The grader's own fault, told in a sentence."""
    try:
        where = f"the details are in {write_log(root).relative_to(root)}"
    except OSError:
        where = traceback.format_exc()
    print(f"grader: it failed itself ({error}); {where}.", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
