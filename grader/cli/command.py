"""Commands as data: their names, options and functions, and the parser made of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import UsageError
from grader.course.declare import Assignment

Option = tuple[str, str]  # its name, and what --help says of it

ASSIGNMENTS = ("assignments", "assignments, all by default")
PART = ("--part", "only this part")
CASE = ("--case", "only this case (or pattern)")
ONE_CASE = ("--case", "this case; by default one for speed")
WITH = ("--with", "take this file instead")
SEED = ("--seed", "use this seed for every case")
MODEL = ("--model", "the GPU whose times are modelled on the CPU device")
DEVICE = ("--device", "cpu or gpu; by default a GPU if there is one")
OUT = ("--out", "the folder to make")
ONLY = ("--only", "these assignments, commas between them")


@dataclass(frozen=True)
class Command:
    """One word behind `python -m grader`."""

    name: str
    help: str
    options: tuple[Option, ...]
    run: Callable[[argparse.Namespace, Path, list[Assignment]], None]
    # False: works as well where a grade.py cannot be read, and gets an empty list.
    needs_assignments: bool = True


def split_names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


# How options are read that are not text, or that have a default other than "".
READ = {
    "assignments": {"nargs": "*"},
    "--only": {"type": split_names, "default": []},
    "--with": {"dest": "with_", "default": ""},
    "--engine": {"default": "local"},
    "--repeat": {"type": int, "default": 0},
    "--seconds": {"type": float, "default": 3600.0},
    "--fit": {"action": "store_true"},
}


def parse(
    commands: tuple[Command, ...], words: list[str] | None = None, program: str = "grader"
) -> argparse.Namespace:
    """The command's name and its options; `assignments` holds names, none for all."""
    top = argparse.ArgumentParser(
        prog=f"python -m {program}", description="The command line behind make."
    )
    top.set_defaults(assignments=[], only=[])
    parsers = top.add_subparsers(dest="command", required=True)
    for command in commands:
        parser = parsers.add_parser(command.name, help=command.help, description=command.help)
        for name, text in command.options:
            parser.add_argument(name, help=text, **READ.get(name, {"default": ""}))
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
