"""The words that each command of `python -m grader` takes."""

from __future__ import annotations

import argparse
import re

from grader.batch.command import OPTIONS as CLASS_OPTIONS

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

COMMANDS: dict[str, tuple[str, tuple[Option, ...]]] = {
    "check": (
        "grade the student's files",
        (
            *(ASSIGNMENTS, PART, CASE, WITH, SEED, MODEL, DEVICE),
            ("--hidden", "a file of hidden cases (grader/hidden.py)"),
        ),
    ),
    "sanitize": (
        "find races, bad accesses and the like on the CPU device",
        (ASSIGNMENTS, PART, CASE, WITH, SEED),
    ),
    "ladder": ("run every rung: a table and a plot", (ASSIGNMENTS, PART, MODEL, DEVICE)),
    "calibrate": (
        "keep this GPU's times of the rungs, or grade them often",
        (
            *(ASSIGNMENTS, PART, CASE),
            ("--repeat", "grade so often, store nothing"),
            ("--seconds", "no new round after these"),
        ),
    ),
    "explain": (
        "count a file line by line and say what makes it slow",
        (ASSIGNMENTS, PART, ONE_CASE, WITH, SEED, MODEL),
    ),
    "compare": (
        "the counters of two files side by side",
        (
            *(ASSIGNMENTS, PART, ONE_CASE, SEED, MODEL),
            ("--a", "file A; by default the student's"),
            ("--b", "file B; by default the student's"),
        ),
    ),
    "registers": (
        "registers, stack and occupancy of every kernel, by nvcc",
        (ASSIGNMENTS, PART, WITH, CASE, MODEL, DEVICE),
    ),
    "debug": (
        "gdb, stopped in the kernel on the CPU device",
        (
            *(ASSIGNMENTS, PART, ONE_CASE, WITH, SEED),
            ("--block", "stop in this block only: 1 or 1,0,0"),
            ("--thread", "stop in this thread only: 5 or 5,0,0"),
        ),
    ),
    "crosscheck": (
        "modelled times beside measured ones",
        (ASSIGNMENTS, MODEL, DEVICE, ("--fit", "fit the model's parameters first")),
    ),
    "hint": ("one more hint", (ASSIGNMENTS, PART, ("--hint", "show this hint again"))),
    "watch": ("grade again on each save", (ASSIGNMENTS, PART, MODEL, DEVICE)),
    "handout": ("the student repository, without answers", (OUT, ONLY)),
    "new-assignment": (
        "lay out a small assignment that works",
        (("--name", "its name, and that of its only part"),),
    ),
    "submit": ("pack the student's files and last results", (ONLY,)),
    "report": ("the last results as a page", ()),
    "progress": ("all assignments and parts at a glance", (ASSIGNMENTS, PART)),
    "reset": ("restore the starters", (ASSIGNMENTS, PART)),
    "grade-class": ("grade a folder of submissions", (ASSIGNMENTS, ONLY, *CLASS_OPTIONS)),
    "gradescope": (
        "make an autograder for Gradescope",
        (ASSIGNMENTS, ONLY, MODEL, ("--device", "cpu: Gradescope has no GPU")),
    ),
    "record-starters": ("make the present files the starters (for maintainers)", (ASSIGNMENTS,)),
    "list": ("list assignments, parts and cases", (ASSIGNMENTS,)),
    "job-summary": ("the last results as Markdown", ()),
    "device": ("print the device that grades by default: cpu or gpu", ()),
}


def names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


# How the words are read that are no text, or not empty where they are not given.
READ = {
    "assignments": {"nargs": "*"},
    "--only": {"type": names, "default": []},
    "--with": {"dest": "with_", "default": ""},
    "--engine": {"default": "local"},
    "--repeat": {"type": int, "default": 0},
    "--seconds": {"type": float, "default": 3600.0},
    "--fit": {"action": "store_true"},
}


def parse(words: list[str] | None = None) -> argparse.Namespace:
    """The command and its options; `assignments` are named one way or the other, none for all."""
    top = argparse.ArgumentParser(
        prog="python -m grader", description="The command line behind make."
    )
    top.set_defaults(assignments=[], only=[])
    commands = top.add_subparsers(dest="command", required=True)
    for command, (description, options) in COMMANDS.items():
        added = commands.add_parser(command, help=description, description=description)
        for name, text in options:
            added.add_argument(name, help=text, **READ.get(name, {"default": ""}))
    arguments = top.parse_args(words)
    arguments.assignments = arguments.only or arguments.assignments
    return arguments
