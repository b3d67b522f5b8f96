"""Commands as data: names, options and functions, and a parser made from the commands."""

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.errors import UsageError
from grader.course.declare import Assignment

# The --help text of an option, unless a command has another text.
OPTIONS = {
    "assignments": "assignments, all by default",
    "part": "only this part",
    "case": "only this case (or pattern)",
    "with": "take this file instead",
    "seed": "use this seed for every case",
    "model": "the GPU whose times are modelled on the CPU device",
    "device": "cpu or gpu; by default a GPU if there is one",
    "hidden": "a file of hidden cases (grader/course/hidden.py)",
    "out": "the folder to make",
    "only": "these assignments, commas between them",
}
ONE_CASE = "this case; by default one for speed"


@dataclass(frozen=True)
class Command:
    """A word behind `python -m grader`."""

    name: str
    help: str
    options: str  # names, with spaces between
    run: Callable[[argparse.Namespace, Path, list[Assignment]], None]
    own: dict[str, str] = field(default_factory=dict)  # more options, with their --help texts
    # False: works even if no grade.py can be read, and gets an empty list.
    needs_assignments: bool = True


def split_names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


# The type of options that are not text, or whose default is not "".
READ = {
    "assignments": {"nargs": "*"},
    "only": {"type": split_names, "default": []},
    "with": {"dest": "with_", "default": ""},
    "engine": {"default": "local"},
    "repeat": {"type": int, "default": 0},
    "seconds": {"type": float, "default": 3600.0},
    "fit": {"action": "store_true"},
    "all": {"action": "store_true"},
}


def parse(
    commands: tuple[Command, ...], words: list[str] | None = None, program: str = "grader"
) -> argparse.Namespace:
    """The command's name and options; `assignments` holds names, none for all."""
    top = argparse.ArgumentParser(
        prog=f"python -m {program}", description="The command line behind make."
    )
    top.set_defaults(assignments=[], only=[])
    parsers = top.add_subparsers(dest="command", required=True)
    for command in commands:
        parser = parsers.add_parser(command.name, help=command.help, description=command.help)
        common = {name: OPTIONS[name] for name in command.options.split()}
        for name, text in (common | command.own).items():
            flag = name if name == "assignments" else f"--{name}"
            parser.add_argument(flag, help=text, **READ.get(name, {"default": ""}))
    arguments = top.parse_args(words)
    arguments.assignments = arguments.only or arguments.assignments
    return arguments


def parse_seed(text: str) -> int | None:
    if not text:
        return None
    if not text.isdigit() or int(text) >= 1 << 63:
        raise UsageError(f'SEED is a whole number from 0 up; "{text}" is not.')
    return int(text)


def say_written(root: Path, files: list[Path]) -> None:
    print("\n " + "  ".join(str(path.relative_to(root)) for path in files))
