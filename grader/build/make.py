"""Builds all files for grading with one call of make; reports a compile error in one sentence."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.base.device import find_nvcc
from grader.base.errors import GraderError
from grader.base.files import short, write_whole
from grader.base.lock import locked
from grader.base.processes import Limits, kill_tree, limit_command, processors
from grader.base.progress import SILENT, Screen
from grader.build.library import build_library
from grader.build.own_files import Unusable, own_files

NOT_REMADE = re.compile(r"^make: Target '([^']+)' not remade because of errors", re.M)
# g++ and clang: file:12:5: error: text     nvcc: file(12): error: text, file(12): error #20: text
LOCATED = re.compile(
    r"^(?P<file>[^\s:()][^:()\n]*)(?::(?P<line>\d+)(?::\d+)?|\((?P<nvline>\d+)\)):\s*"
    r"(?:(?:fatal |catastrophic )?error)(?:\s*#[\w-]+)?:\s*(?P<text>.*)$"
)
NOTE = re.compile(r"^(?P<file>[^\s:()][^:()\n]*):(?P<line>\d+)(?::\d+)?: note: (?P<text>.*)$")
MAX_NOTES = 2
UNLOCATED = re.compile(r"^(?!make).*?\berror:\s*(?P<text>.+)$")
UNDEFINED = re.compile(r"undefined reference to [`'‘](?P<symbol>.+?)['’]")
NO_RULE = re.compile(r"No rule to make target ['`‘](?P<target>[^'’]+)['’]")
TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)+(?P<text>\S.*)", re.MULTILINE
)
# Variables of `make check WITH=… PART=…`, hidden from the build.
OWN_VARIABLES = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
OWN_VARIABLES += ("PART", "CASE", "WITH", "SEED", "DEVICE", "NAME")
MAX_LOG = 1_000_000
BUILD_TIMEOUT_S = 900  # of everything: the CPU device's library, references, peers
TARGET_TIMEOUT_S = 180  # of a program
MEAN_TIMEOUT_S = 10  # of a target among very many
TIMED_OUT = 124
# Below build/.
TREES = ("cpu", "gpu", "sanitize", "profile", "debug", "judge", "host", "nvcc", "registers")
FULL_DISK, LEAST_ROOM = "No space left on device", 64 << 20
# For a compiler process: far more than any file of the course needs.
COMPILER = Limits(data_bytes=8 << 30, file_bytes=256 << 20, cpu_s=120)
OUT_OF_TIME = "CPU time limit exceeded"


@dataclass(frozen=True)
class BuildError:
    """The compiler's first error, at the student's line if known."""

    sentence: str  # "transpose.cu:12: expected ';' before 'return'"
    excerpt: str  # the line of the error, or "", and the compiler's notes


def make_environment() -> dict[str, str]:
    environment = {k: v for k, v in os.environ.items() if k not in OWN_VARIABLES}
    environment["LC_ALL"] = "C"  # the compilers' messages are parsed below
    environment.pop("LANGUAGE", None)
    if (nvcc := find_nvcc()) and not shutil.which("nvcc"):
        environment["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), str(Path(nvcc).parent)])
    return environment


def make(root: Path, arguments: list[str], timeout_s: float) -> tuple[int, str]:
    """Runs make; returns the exit status and the output. A compiler that hangs is killed."""
    with building(root) as lock:
        return run_make(root, arguments, timeout_s, lock)


@contextmanager
def building(root: Path) -> Iterator[int]:
    """Lets one grader at a time build in a tree; yields the descriptor of the lock.

    The compilers inherit the descriptor, and so hold the lock even after the grader was killed.
    """
    with locked(root / "build" / "make.lock") as lock:
        unfinished = root / "build" / "make.unfinished"
        if unfinished.exists():
            remove_newer(root, unfinished.stat().st_mtime)
        unfinished.touch()
        yield lock


def run_make(root: Path, arguments: list[str], timeout_s: float, lock: int) -> tuple[int, str]:
    # The CPU device's compiler runs on the same interpreter.
    python = f"PYTHON={sys.executable.replace('$', '$$')}"
    command = [*limit_command(COMPILER), "make", "-s", "--no-print-directory", python, *arguments]
    with tempfile.TemporaryFile() as log:
        try:
            process = subprocess.Popen(
                command,
                cwd=root,
                env=make_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=(lock,),
            )
        except FileNotFoundError as error:
            sentence = "GNU make is not installed: `make setup` says how to get it."
            raise GraderError(sentence) from error
        try:
            status = process.wait(timeout_s)
            (root / "build" / "make.unfinished").unlink()
        except subprocess.TimeoutExpired:
            status = TIMED_OUT
        finally:
            kill_tree(process)
        log.seek(0)
        return status, log.read(MAX_LOG).decode(errors="replace")


def remove_newer(root: Path, moment: float) -> None:
    """Removes the files, perhaps incomplete, that a killed make has written since its start."""
    for tree in TREES:
        for path in (root / "build" / tree).rglob("*"):
            if path.is_file() and path.stat().st_mtime >= moment:
                path.unlink()


def object_of(target: str) -> Path:
    """The object file of a program's source, relative to the root."""
    return Path(target if target.endswith(".o") else f"{target}.o")


@dataclass(frozen=True)
class Made:
    """The files that make leaves for a target, and a record of the sources of the files."""

    root: Path
    target: str

    @property
    def object_file(self) -> Path:
        return self.root / object_of(self.target)

    @property
    def record(self) -> Path:
        return self.object_file.with_suffix(".source")

    def digest(self, source: Path) -> str:
        """A digest of the source and the headers in its folder, "" if a file cannot be read."""
        folder = self.root / Path(self.target).parts[2]
        try:
            return own_files(source, (folder,)).digest()
        except (OSError, Unusable):
            return ""

    def is_from(self, digest: str) -> bool:
        return self.record.is_file() and self.record.read_text() == digest

    def remove(self) -> None:
        text = self.object_file.with_suffix(".ii")
        for path in (self.root / self.target, self.object_file, text, self.record):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.object_file.with_suffix(".keep"), ignore_errors=True)

    def exists(self) -> bool:
        return self.object_file.is_file() or (self.root / self.target).is_file()


def source_of(root: Path, target: str) -> Path | None:
    """The course's own source of a target, for example a rung; None without a .cu file."""
    source = root.joinpath(*Path(f"{target}.cu").parts[2:])
    return source if source.is_file() else None


def make_programs(
    root: Path, arguments: list[str], targets: dict[str, Path | None], timeout_s: float
) -> tuple[int, str]:
    """Runs make for `targets`, which maps each target to the student's file, or to None.

    The sources' content decides whether a program is up to date: make compares dates, and a new
    file may be older than the replaced file.
    """
    with building(root) as lock:
        digests: dict[Made, str] = {}
        for target, named in targets.items():
            made, source = Made(root, target), named or source_of(root, target)
            if source is None:
                continue
            digests[made] = made.digest(source)
            if not made.is_from(digests[made]):
                made.remove()
        result = run_make(root, [*arguments, *targets], timeout_s, lock)
        for made, digest in digests.items():
            if digest and made.exists():
                write_whole(made.record, digest)
    return result


def build(
    root: Path,
    targets: dict[str, Path | None],
    settings: tuple[str, ...] = (),
    screen: Screen = SILENT,
) -> dict[str, BuildError]:
    """Builds all targets with one make; returns the failures: {target: first error}.

    `targets` maps each target to the student's file, or to None; `settings` are variables of make:
    ("ARCHITECTURE=90",).
    """
    build_library(root, targets, screen, COMPILER, make_environment())
    screen.step("building the programs", 0, 0)
    limit_s = max(BUILD_TIMEOUT_S, len(targets) * MEAN_TIMEOUT_S)
    options = ["-k", f"-j{processors()}", *settings]
    status, log = make_programs(root, options, targets, limit_s)
    if status == 0:
        return {}
    check_room(root, log)
    # make names the failed targets, unless make was stopped or printed too much before.
    whole = status != TIMED_OUT and len(log) < MAX_LOG
    named = set(NOT_REMADE.findall(log)) if whole else set()
    failed = {}
    for target, source in targets.items():
        if named and target not in named:
            continue
        # Built again one by one: the output of a parallel build mixes the errors of the targets.
        status, log = make_programs(root, ["-k", *settings], {target: source}, TARGET_TIMEOUT_S)
        if status == TIMED_OUT:
            sentence = f"the compiler did not finish within {TARGET_TIMEOUT_S} s"
            failed[target] = BuildError(sentence, "")
        elif OUT_OF_TIME in log:
            sentence = f"the compiler did not finish within {COMPILER.cpu_s} s of processor time"
            failed[target] = BuildError(sentence, "")
        elif status != 0:
            failed[target] = first_error(root, log, source)
    return failed


def build_or_raise(root: Path, targets: Iterable[str], screen: Screen = SILENT) -> None:
    """Builds the course's own targets; a failure is a GraderError."""
    for target, error in build(root, dict.fromkeys(targets), screen=screen).items():
        raise failed_build(target, error)


def failed_build(target: str, error: BuildError) -> GraderError:
    return GraderError(f"{target} could not be built: {error.sentence}.")


def check_room(root: Path, log: str) -> None:
    """Raises GraderError if the disk is full, which is not the student's error."""
    if FULL_DISK in log:
        for folder in (root, Path(tempfile.gettempdir())):
            if shutil.disk_usage(folder).free < LEAST_ROOM:
                raise GraderError(f"The disk of {folder} is full: nothing can be built.")


def first_error(root: Path, log: str, source: Path | None) -> BuildError:
    """The first error in a compiler's output, preferably in the student's own file."""
    lines = log.splitlines()
    located = {number: match for number, line in enumerate(lines) if (match := LOCATED.match(line))}
    own = [n for n, m in located.items() if source and same_file(root, m.group("file"), source)]
    for number in (*own, *located):
        match = located[number]
        line = int(match.group("line") or match.group("nvline"))
        path = source if number in own and source else Path(root, match.group("file"))
        excerpt = [quote(path, line), *notes_of(root, lines[number + 1 :])]
        sentence = f"{short(root, path)}:{line}: {match.group('text')}"
        return BuildError(sentence, "\n".join(filter(None, excerpt)))
    undefined = UNDEFINED.search(log)
    if undefined:
        name = short(root, source) if source else "the program"
        return BuildError(f"{name} does not link: nothing defines {undefined['symbol']}", "")
    no_rule = NO_RULE.search(log)
    if no_rule:
        return BuildError(f"make has no rule for {no_rule.group('target')}", "")
    for line in log.splitlines():
        match = UNLOCATED.match(line)
        if match:
            return BuildError(match.group("text").strip(), "")
    traceback = TRACEBACK.search(log)
    if traceback:
        return BuildError(f"a tool of the build stopped: {traceback['text']}", "")
    lines = [line for line in log.splitlines() if line.strip() and not line.startswith("make")]
    return BuildError(lines[0].strip() if lines else "the build failed without a message", "")


def notes_of(root: Path, lines: list[str]) -> list[str]:
    """The notes on the compiler's first error, each with the declaration in question."""
    found: list[str] = []
    for line in lines:
        if LOCATED.match(line) or len(found) == MAX_NOTES:
            break
        note = NOTE.match(line)
        if note and "from macro" not in note["text"]:
            declaration = quote(Path(root, note["file"]), int(note["line"]))
            shown = f"note: {note['text']}"
            found.append(shown if declaration in shown else f"{shown}: {declaration}")
    return found


def same_file(root: Path, named: str, source: Path) -> bool:
    return Path(root, named).resolve() == source.resolve()


def quote(path: Path, line: int) -> str:
    try:
        return path.read_text(errors="replace").splitlines()[line - 1].strip()[:160]
    except (OSError, IndexError):
        return ""
