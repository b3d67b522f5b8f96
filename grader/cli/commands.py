"""The students' commands: everything behind `python -m grader`."""

import contextlib
from argparse import Namespace
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from grader.base.device import choose_device, require_profiling
from grader.base.errors import GraderError, UsageError
from grader.base.processes import adopt_orphans
from grader.base.scratch import sweep
from grader.build.compile_commands import write_compile_commands
from grader.check.check import check
from grader.check.graded import keep
from grader.check.history import Prediction, attempts_of
from grader.check.history import record as record_attempts
from grader.check.results_file import results_json, write_results
from grader.check.sarif import as_annotation, as_compiler, diagnostics_of, read_sarif, write_sarif
from grader.cli.command import ONE_CASE, Command, parse, parse_seed, say_written
from grader.course.declare import Assignment
from grader.course.hidden import add_hidden
from grader.course.plan import Plan, choose_model, choose_part, make_plan
from grader.course.reset import reset
from grader.course.resolve import directory
from grader.course.results import AssignmentResult
from grader.explain.findings import diagnostics_found, sanitize, show_findings
from grader.loop.hints import next_hint
from grader.loop.predict import ask, next_question
from grader.loop.progress import progress
from grader.loop.submit import digest, submit
from grader.loop.watch import watch
from grader.report.job_summary import read_job_summary
from grader.report.work_log import log_table, work_log
from grader.terminal.console import emit, make_console
from grader.terminal.table import TerminalScreen, show_summary
from grader.timing.choose import choose_clock


def run_check(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    console = make_console()
    folded = not (arguments.all or arguments.case)
    grade(arguments, root, assignments, console, console, folded)


def grade(
    arguments: Namespace,
    root: Path,
    assignments: list[Assignment],
    console: Console,
    tables: Console,
    folded: bool = False,
    prediction: Prediction | None = None,
) -> None:
    """Runs a check; progress goes to `console`, results to `tables`."""
    seed = parse_seed(arguments.seed)
    device = choose_device(arguments.device)
    case, part = arguments.case, arguments.part
    assignments = add_hidden(root, assignments, arguments.hidden)
    plan = make_plan(root, assignments, device, arguments.with_, part, case, arguments.model)
    write_compile_commands(root)
    adopt_orphans()
    sweep()
    # Before the check: the file may be saved again during the check.
    digests = file_digests(plan)

    with TerminalScreen(console, device, tables, folded) as screen:

        def on_part(results: list[AssignmentResult], complete: bool) -> None:
            write_results(root, device, results, plan.model_title, finished=False)
            if complete:
                screen.assignment(results[-1])

        results = check(plan, seed, screen, on_part)
    write_results(root, device, results, plan.model_title)
    write_sarif(root, diagnostics_of(results))
    if not arguments.with_ and not arguments.case:
        title, now = plan.model_title, datetime.now()
        keep(root, results_json(device, results, title), now.timestamp())
        record_attempts(root, attempts_of(results, device, title, now, digests, prediction))
    show_summary(tables, results, device, plan.model_title)


def run_predict(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.terminal.markdown import Prose

    console = make_console()
    if len(assignments) != 1:
        raise UsageError("predict asks about one assignment: make predict-saxpy.")
    question = next_question(root, assignments[0], arguments.part, arguments.rung)
    emit(console, Text(f"\n {question.part}, {question.rung}\n", style="bold"))
    emit(console, Padding(Prose(question.text), (0, 1, 1, 1)))
    prediction = ask(question, arguments.prediction)
    options = parse(COMMANDS, ["check", assignments[0].name])
    options.device, options.model = arguments.device, arguments.model
    options.part = question.part
    grade(options, root, assignments, console, console, folded=True, prediction=prediction)
    log = [one for one in work_log(root) if one.part == question.part]
    emit(console, log_table(log))


def file_digests(plan: Plan) -> dict[str, str]:
    """{part: SHA-256 of the graded file}, without files that cannot be read."""
    digests = {}
    for planned in plan.parts:
        with contextlib.suppress(OSError):
            if planned.submission:
                digests[planned.part.name] = digest(planned.submission.file.read_bytes())
    return digests


def run_explain(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.explain.explain import explain
    from grader.explain.terminal import show_explained
    from grader.report.write import write_pages

    console = make_console()
    for assignment in choose_part(assignments, arguments.part):
        plan = profiling_plan(arguments, root, [assignment], arguments.with_)
        with TerminalScreen(console, plan.device) as screen:
            explained = explain(plan, arguments.case, parse_seed(arguments.seed), screen)
        for one in explained:
            show_explained(console, one)
        if explained:
            say_written(root, write_pages(root, assignment.name, explained))


def run_compare(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.explain.compare import show_comparison
    from grader.explain.explain import explain

    if not arguments.a and not arguments.b:
        raise UsageError(
            "compare needs a file beside yours: A=/tmp/before.cu, or two with B=; both are read as "
            "for WITH=."
        )
    console = make_console()
    for assignment in choose_part(assignments, arguments.part):
        plans = [
            profiling_plan(arguments, root, [assignment], file)
            for file in (arguments.a, arguments.b)
        ]
        common = set.intersection(*(set(plan.served) for plan in plans))
        if not common:
            raise UsageError(f"A and B serve no part of {assignment.name} in common.")
        versions = []
        for plan in plans:
            parts = tuple(one for one in plan.parts if one.part.name in common)
            with TerminalScreen(console, plan.device) as screen:
                seed = parse_seed(arguments.seed)
                explained = explain(
                    replace(plan, parts=parts), arguments.case, seed, screen, worst=False
                )
            versions.append({one.part.name: one for one in explained})
        for name, version in versions[0].items():
            if name in versions[1]:
                show_comparison(console, version, versions[1][name])


def run_registers(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.explain.registers.collect import choose_chip, collect
    from grader.explain.registers.table import show_registers

    device = choose_device(arguments.device)
    chip = choose_chip(device, choose_model(arguments.model), bool(arguments.model))
    adopt_orphans()
    console = make_console()
    part, with_, case = arguments.part, arguments.with_, arguments.case
    for assignment in choose_part(assignments, part):
        with TerminalScreen(console, device) as screen:
            found = collect(root, assignment, part, with_, case, chip, screen)
        show_registers(console, assignment, found)


def run_sass(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.explain.registers.collect import choose_chip
    from grader.explain.sass.collect import collect
    from grader.explain.sass.terminal import show_sass
    from grader.report.write import write_sass_page

    device = choose_device(arguments.device)
    chip = choose_chip(device, choose_model(arguments.model), bool(arguments.model))
    console = make_console()
    part, with_, kernel = arguments.part, arguments.with_, arguments.kernel
    for assignment in choose_part(assignments, part):
        with TerminalScreen(console, device) as screen:
            found = collect(root, assignment, part, with_, kernel, chip, screen)
        show_sass(console, found)
        say_written(root, [write_sass_page(root, assignment.name, found)])


def profiling_plan(
    arguments: Namespace, root: Path, assignments: list[Assignment], file: str
) -> Plan:
    """A plan for profiling, which uses the CPU device even beside a GPU."""
    require_profiling()
    device = choose_device("cpu")
    return make_plan(root, assignments, device, file, arguments.part, "", arguments.model)


def run_debug(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.loop.debug import debug

    device = choose_device("cpu")
    plan = make_plan(root, assignments, device, arguments.with_, arguments.part, "")
    seed = parse_seed(arguments.seed)
    debug(plan, arguments.case, seed, arguments.block, arguments.thread)


def run_sanitize(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    require_profiling()
    seed = parse_seed(arguments.seed)
    device = choose_device("cpu")
    plan = make_plan(root, assignments, device, arguments.with_, arguments.part, arguments.case)
    adopt_orphans()
    console = make_console()
    with TerminalScreen(console, device) as screen:
        results = sanitize(plan, seed, screen)
    write_sarif(root, diagnostics_found(root, results))
    show_findings(console, root, results)


def run_findings(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    shapes = {"": as_compiler, "github": as_annotation}
    if arguments.format not in shapes:
        raise UsageError(f"FORMAT={arguments.format}: use FORMAT=github, or leave it out.")
    for one in read_sarif(root):
        print(shapes[arguments.format](one))


def run_ladder(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    # Imported late: matplotlib takes longer to load than a whole check.
    from grader.ladder.closing import Closing
    from grader.ladder.ladder import climb, write_times
    from grader.ladder.plot import plot, plot_by_size, plot_views
    from grader.ladder.table import show_ladder

    device = choose_device(arguments.device)
    if not device.measures:
        require_profiling()
    model = choose_model(arguments.model)
    assignments = choose_part(assignments, arguments.part)
    adopt_orphans()
    console = make_console()
    for assignment in assignments:
        if show_numbers(console, root, assignment):
            continue
        with Closing() as closing:
            with TerminalScreen(console, device) as screen:
                clock = choose_clock(root, device, model)
                climbed = climb(root, assignment, device, clock, arguments.part, screen, closing)
            modelled = "" if device.measures else model.name
            ladders = climbed.ladders
            show_ladder(console, assignment.name, device, climbed, modelled)
            files = [write_times(root, assignment.name, device, climbed, modelled)]
            files += plot(root, assignment.name, device, ladders)
            files += plot_by_size(root, assignment.name, device, ladders)
            files += plot_views(root, assignment.name, device, ladders)
        say_written(root, files)


def show_numbers(console: Console, root: Path, assignment: Assignment) -> bool:
    """Shows ladder.md, which replaces the rungs in a student repository; False without the page."""
    page = root / assignment.name / "ladder.md"
    if not page.is_file():
        return False
    from grader.terminal.markdown import Prose

    emit(console, Padding(Prose(page.read_text()), (1, 1)))
    return True


def run_hint(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.terminal.markdown import Prose

    console = make_console()
    for assignment in assignments:
        hint = next_hint(root, assignment, arguments.part, arguments.hint)
        emit(console, Text(f"\n {hint.title}\n", style="bold"))
        emit(console, Padding(Prose(hint.text), (0, 1)))
        if hint.number == hint.last:
            part = assignment.part(hint.part)
            rung = directory(root, assignment, part, "ladder") / f"{part.target}.cu"
            code = "; the ladder has the code" if rung.is_file() else ""
            emit(console, Text(f"\n That was the last one{code}.", style="dim"))


def run_progress(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    console = make_console()
    assignments = choose_part(assignments, arguments.part)
    emit(console, progress(root, assignments, console, arguments.part))


def run_report(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    from grader.report.write import write_report

    adopt_orphans()
    with TerminalScreen(make_console(), choose_device("cpu")) as screen:
        path = write_report(root, screen)
    say_written(root, [path])


def run_watch(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    if len(assignments) != 1:
        raise UsageError("watch works on one assignment: make watch-saxpy.")
    choose_part(assignments, arguments.part)
    console = make_console()
    options = parse(COMMANDS, ["check", assignments[0].name])
    options.device, options.model = arguments.device, arguments.model

    def check_part(part: str, tables: Console) -> None:
        options.part = part
        try:
            grade(options, root, assignments, console, tables, folded=True)
        except GraderError as error:
            emit(tables, Text(f"\n {error}", style="red"))

    watch(root, assignments[0], arguments.part, check_part, console)


def run_job_summary(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    print(read_job_summary(root), end="")


def run_submit(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    print("\n".join(submit(root, assignments)))


def run_reset(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    for assignment in assignments:
        print("\n".join(reset(root, assignment, arguments.part)))


def run_list(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    for assignment in assignments:
        for part in assignment.parts:
            cases = " ".join(case.name for case in part.correctness + part.speed)
            print(f"{assignment.name} {part.name}: {cases}")


def run_device(arguments: Namespace, root: Path, assignments: list[Assignment]) -> None:
    print(choose_device("").kind)


COMMANDS = (
    Command(
        "check",
        "grade the student's files",
        "assignments part case with seed model device hidden",
        run_check,
        {"all": "a row for every case, also for those that are right"},
    ),
    Command(
        "predict",
        "ask the handout's question, then grade",
        "assignments part model device",
        run_predict,
        {
            "rung": "the rung whose question it is; by default the next without a prediction",
            "prediction": "your answer, for where there is no terminal",
        },
    ),
    Command(
        "sanitize",
        "find races, bad accesses and the like on the CPU device",
        "assignments part case with seed",
        run_sanitize,
    ),
    Command(
        "ladder", "run every rung: a table and a plot", "assignments part model device", run_ladder
    ),
    Command(
        "explain",
        "count a file line by line and say what makes it slow",
        "assignments part with seed model",
        run_explain,
        {"case": ONE_CASE},
    ),
    Command(
        "compare",
        "the counters of two files side by side",
        "assignments part seed model",
        run_compare,
        {
            "case": ONE_CASE,
            "a": "file A; by default the student's",
            "b": "file B; by default the student's",
        },
    ),
    Command(
        "registers",
        "registers, stack and occupancy of every kernel, by nvcc",
        "assignments part with case model device",
        run_registers,
    ),
    Command(
        "sass",
        "PTX and machine code of a file's kernels below its lines, by nvcc",
        "assignments part with model device",
        run_sass,
        {"kernel": "show only kernels of this name"},
    ),
    Command(
        "debug",
        "gdb, stopped in the kernel on the CPU device",
        "assignments part with seed",
        run_debug,
        {
            "case": ONE_CASE,
            "block": "stop in this block only: 1 or 1,0,0",
            "thread": "stop in this thread only: 5 or 5,0,0",
        },
    ),
    Command(
        "hint", "one more hint", "assignments part", run_hint, {"hint": "show this hint again"}
    ),
    Command("watch", "grade again on each save", "assignments part model device", run_watch),
    Command("submit", "pack the student's files and last results", "only", run_submit),
    Command("progress", "all assignments and parts at a glance", "assignments part", run_progress),
    Command("reset", "restore the starters", "assignments part", run_reset),
    Command("list", "list assignments, parts and cases", "assignments", run_list),
    Command(
        "report", "all that was graded so far as a page", "", run_report, needs_assignments=False
    ),
    Command(
        "job-summary", "the last results as Markdown", "", run_job_summary, needs_assignments=False
    ),
    Command(
        "findings",
        "what the last check or sanitize found, a line each",
        "",
        run_findings,
        {"format": "github: as annotations of a workflow"},
        needs_assignments=False,
    ),
    Command("device", "print the device of choice", "", run_device, needs_assignments=False),
)
