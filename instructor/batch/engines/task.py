"""The process in which an engine grades: some submissions of a class, one after another.

python -m instructor.batch.engines.task CLASS.json SLUG...             what local.py starts
python -m instructor.batch.engines.task CLASS.json --wave FILE NUMBER  a task of a Slurm array
python -m instructor.batch.engines.task CLASS.json --prepare           makes the prepared course
"""

import json
import os
import signal
import sys
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.processes import adopt_orphans
from instructor.batch.course import prepare
from instructor.batch.engines.one import grade_one
from instructor.batch.record import ClassOrder, load_order, state

# exit statuses: an error with its message; a full disk, so that other tasks need not try
FAILED, FULL = 2, 3


def grade_slugs(order: ClassOrder, slugs: list[str]) -> int:
    entries = {entry.slug: entry for entry in order.entries}
    for slug in slugs:
        try:
            grade_one(order, entries[slug])
        except GraderError as error:
            print(error, flush=True)
            return FULL
    return 0


def main(arguments: list[str]) -> int:
    adopt_orphans()
    os.umask(0o022)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    order = load_order(Path(arguments[0]))
    try:
        if arguments[1] == "--prepare":
            prepare(order)
            return 0
        if arguments[1] == "--wave":
            bundles = json.loads(Path(arguments[2]).read_text())
            return grade_slugs(order, bundles[int(arguments[3])])
    except GraderError as error:
        print(error, flush=True)
        # A process that waits for a job on another machine reads the sentence from error.txt.
        (state(Path(order.out)) / "error.txt").write_text(f"{error}\n")
        return FAILED
    return grade_slugs(order, arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
