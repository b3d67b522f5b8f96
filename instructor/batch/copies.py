"""Makes a submission's own copy of the prepared course, and grades the files put into it."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.processes import kill_tree, start
from instructor.batch.enclose import HOME, command_in, environment_in, user_inside
from instructor.batch.record import ClassOrder, disk_full, prepared


@contextmanager
def clean_copy(order: ClassOrder) -> Iterator[Path]:
    """A copy of the prepared course, removed at the end; no links: a program may damage files."""
    with tempfile.TemporaryDirectory(prefix=prefix(order), ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "course")
        command = ["cp", "-a", "--reflink=auto", str(prepared(Path(order.out))), str(copy)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            if "No space left" in done.stderr or "quota" in done.stderr:
                raise disk_full(Path(folder).parent)
            raise GraderError(f"the course could not be copied: {done.stderr.strip()[-200:]}")
        yield copy


def prefix(order: ClassOrder) -> str:
    """The prefix of the class's temporary folders."""
    return f"cuda-ladder-class-{hashlib.sha256(order.out.encode()).hexdigest()[:8]}-"


def remove_stale(order: ClassOrder) -> None:
    """Removes copies that a killed run left on the machine; only with the class's lock held."""
    for path in Path(tempfile.gettempdir()).glob(f"{prefix(order)}*"):
        shutil.rmtree(path, ignore_errors=True)


def grade_copy(order: ClassOrder, copy: Path, files: dict[str, bytes], title: str = "") -> dict:
    """Grades student files in a copy; raises GraderError with the grader's own sentence.

    `title` is the student's name, for the report's page.
    """
    for place, data in files.items():
        (copy / place).write_bytes(data)
    (copy / "build").mkdir(exist_ok=True)
    user = user_inside()
    if user is not None:
        give_to(copy, user)
    words = {"only": order.only, "device": order.device, "model": order.model, "seed": order.seed}
    words["title"] = title
    command = command_in(copy, "instructor.batch.inside", json.dumps(words))
    with tempfile.TemporaryFile() as log:
        process = start(
            command,
            cwd=HOME,
            env=environment_in(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            status = process.wait(order.limit_s)
        except subprocess.TimeoutExpired as error:
            sentence = f"grading did not end within {order.limit_s:g} s"
            raise GraderError(sentence) from error
        finally:
            kill_tree(process)
        log.seek(0)
        last = (log.read(1 << 20).decode(errors="replace").strip().splitlines() or ["?"])[-1]
    if status != 0:
        raise disk_full(copy) if "No space left" in last else GraderError(last)
    try:
        return json.loads((copy / "build" / "class.json").read_text())
    except (OSError, ValueError) as error:
        raise GraderError(f"grading left no result: {error}") from error


def give_to(copy: Path, user: int) -> None:
    """Gives the whole copy to another user; for a link the link itself, never the target."""
    os.chown(copy, user, user)
    for where, folders, files in os.walk(copy):
        for name in (*folders, *files):
            os.chown(os.path.join(where, name), user, user, follow_symlinks=False)
