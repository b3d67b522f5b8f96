"""Runs a command and turns an error into a sentence and an exit status.

0: everything could be graded, whatever the score. 2: the grader itself failed.
"""

import contextlib
import errno
import signal
import sys
import traceback
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.files import NO_ROOM
from grader.cli.command import Command, parse
from grader.course.load import load_assignments
from grader.course.results import RESULTS

ROOT = Path(__file__).resolve().parents[2]
STOPPED = 130  # by Ctrl-C
FULL = (*NO_ROOM, errno.EROFS, errno.EFBIG)  # nothing more can be written


def main(
    commands: tuple[Command, ...],
    argv: list[str] | None = None,
    root: Path = ROOT,
    program: str = "grader",
) -> int:
    arguments = parse(commands, argv, program)
    # A signal that ends the grader must also end the student's program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    command = next(command for command in commands if command.name == arguments.command)
    try:
        needed = command.needs_assignments
        command.run(
            arguments, root, load_assignments(root, arguments.assignments) if needed else []
        )
    except GraderError as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("grader: stopped.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # `make check | head`: the reader has stopped, which is not an error.
        with contextlib.suppress(OSError):
            sys.stdout = None
        return 0
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
    """Reports an internal error of the grader in a sentence."""
    try:
        where = f"the details are in {write_log(root).relative_to(root)}"
    except OSError:
        where = traceback.format_exc()
    print(f"grader: it failed itself ({error}); {where}.", file=sys.stderr)
    return 2


def write_log(root: Path) -> Path:
    log = root / "build" / "grader.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(traceback.format_exc())
    return log
