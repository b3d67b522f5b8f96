"""The command line behind make: python -m grader check|ladder|reset|list|device …

Ends with 0 when everything could be graded, whatever the score, and with 2 when the grader itself
could not: then with one sentence.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import traceback
from pathlib import Path

from grader.check import check
from grader.compile_commands import write_compile_commands
from grader.device import choose_device
from grader.errors import GraderError, UsageError
from grader.load import load_assignments
from grader.plan import choose_part, make_plan
from grader.processes import adopt_orphans
from grader.reset import reset
from grader.results import write_results
from grader.table import TerminalScreen, make_console, show_summary

ROOT = Path(__file__).resolve().parent.parent


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m grader", description=__doc__.splitlines()[0])
    commands = top.add_subparsers(dest="command", required=True)

    def command(name: str, description: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=description, description=description)
        added.add_argument("assignments", nargs="*", help="assignments, all by default")
        added.add_argument("--part", default="", help="only this part")
        return added

    checks = command("check", "grade the student's files")
    checks.add_argument("--case", default="", help="only this case (or pattern)")
    checks.add_argument("--with", dest="with_", default="", help="grade this file instead")
    checks.add_argument("--model", default="", help="the GPU whose times the CPU device models")
    checks.add_argument("--seed", default="", help="use this seed for every case")
    ladders = command("ladder", "run every rung: a table and a plot")
    for one in (checks, ladders):
        one.add_argument(
            "--device", default="", help="cpu or gpu; by default a GPU if there is one"
        )
    command("reset", "restore the starters")
    command("list", "list assignments, parts and cases")
    commands.add_parser("device", help="print the device that grades by default: cpu or gpu")
    return top


def run(arguments: argparse.Namespace, root: Path) -> None:
    if arguments.command == "device":
        print(choose_device("").kind)
        return
    assignments = load_assignments(root, arguments.assignments)
    if arguments.command == "check":
        run_check(arguments, root, assignments)
    elif arguments.command == "ladder":
        run_ladder(arguments, root, assignments)
    elif arguments.command == "reset":
        for assignment in assignments:
            print("\n".join(reset(root, assignment, arguments.part)))
    elif arguments.command == "list":
        for assignment in assignments:
            for part in assignment.parts:
                cases = " ".join(case.name for case in part.correctness + part.speed)
                print(f"{assignment.name} {part.name}: {cases}")


def run_check(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    seed = parse_seed(arguments.seed)
    device = choose_device(arguments.device)
    case, part = arguments.case, arguments.part
    plan = make_plan(root, assignments, device, arguments.with_, part, case, arguments.model)
    write_compile_commands(root)
    adopt_orphans()
    console = make_console()
    with TerminalScreen(console, device) as screen:
        results = check(plan, seed, screen)
    write_results(root, device, results, plan.model_title)
    show_summary(console, results, device, plan.model_title)


def run_ladder(arguments: argparse.Namespace, root: Path, assignments: list) -> None:
    # matplotlib takes longer to load than a whole check: only here.
    from grader.ladder import climb, write_times
    from grader.ladder_plot import plot
    from grader.ladder_table import show_ladder

    device = choose_device(arguments.device)
    assignments = choose_part(assignments, arguments.part)
    adopt_orphans()
    console = make_console()
    for assignment in assignments:
        with TerminalScreen(console, device) as screen:
            ladders = climb(root, assignment, device, arguments.part, screen)
        show_ladder(console, assignment.name, device, ladders)
        files = [write_times(root, assignment.name, device, ladders)]
        files += plot(root, assignment.name, device, ladders)
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
    arguments = parser().parse_args(argv)
    # Whoever ends us with a signal must not leave the student's program running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        run(arguments, root)
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("grader: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # `make check | head`: nobody reads on, which is no fault.
        with contextlib.suppress(OSError):
            sys.stdout = None
        return 0
    except Exception as error:
        where = write_log(root).relative_to(root)
        print(f"grader: it failed itself ({error}); the details are in {where}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
