"""Makes a class of submissions from the repository's own files, for trying `make grade-class`.

    PYTHONPATH=. python3 tests/support/class_of.py DIR [--size 60] [assignment ...]

Solutions, rungs, starters, wrong files and bad archives in turn; the same class each time.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.load import load_assignments

ROOT = Path(__file__).resolve().parents[2]
Files = dict[str, bytes]  # {"saxpy/saxpy.cu": contents}
NAMES = [
    "maria",
    "jonas",
    "aicha",
    "李明",
    "Ольга",
    "Łukasz",
    "فاطمة",
    "josé",
    "さくら",
    "O'Neill",
    "Ünal",
    "Ngũgĩ",
]
WHEN = 1_760_000_000  # the time of every file


def versions(root: Path, assignment: Assignment, part: Part) -> list[tuple[str, bytes]]:
    """All candidates for a part's student file, good and bad, by name."""
    files = [resolve.solution_file(root, assignment, part)]
    for kind in ("ladder", "wrong"):
        files += sorted(resolve.directory(root, assignment, part, kind).glob("*.cu"))
    found = [(path.stem, path.read_bytes()) for path in files]
    starter = root / assignment.name / f"{part.name}.cu"
    return [*found, ("starter", starter.read_bytes())]


def mixed(root: Path, assignments: list[Assignment]) -> Iterator[tuple[str, Files]]:
    """Endless: every version of the first part, each time with another version of the others."""
    pools = {
        f"{assignment.name}/{part.name}.cu": cycle(versions(root, assignment, part))
        for assignment in assignments
        for part in assignment.parts
    }
    for index, pool in enumerate(pools.values()):
        for _ in range(5 * index):  # not the same kind of file in all parts
            next(pool)
    while True:
        chosen = {place: next(pool) for place, pool in pools.items()}
        kind = next(iter(chosen.values()))[0]
        yield kind, {place: data for place, (_, data) in chosen.items()}


# ---- how a submission is handed in ------------------------------------------------------------


def folder(path: Path, files: Files) -> None:
    for place, data in files.items():
        (path / place).parent.mkdir(parents=True, exist_ok=True)
        (path / place).write_bytes(data)


def zipped(path: Path, files: Files) -> None:
    path.with_name(f"{path.name}.zip").write_bytes(zip_bytes(files))


def tarred(path: Path, files: Files) -> None:
    with tarfile.open(path.with_name(f"{path.name}.tar.gz"), "w:gz") as archive:
        for place, data in files.items():
            add(archive, f"submission/{place}", data)


def zip_bytes(files: Files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in files.items():
            archive.writestr(zipfile.ZipInfo(place, (2026, 11, 20, 12, 0, 0)), data)
    return stream.getvalue()


def add(archive: tarfile.TarFile, name: str, data: bytes = b"", **more: object) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(data), WHEN
    for key, value in more.items():
        setattr(info, key, value)
    archive.addfile(info, io.BytesIO(data))


# ---- what goes wrong --------------------------------------------------------------------------


def empty(path: Path, files: Files) -> None:
    path.mkdir()


def mixed_up(path: Path, files: Files) -> None:
    """All files in a single folder, among unrelated files, and an old copy elsewhere."""
    heap = {Path(place).name: data for place, data in files.items()}
    old = {f"old/{name}": b"// last week's\n" + data for name, data in heap.items()}
    folder(path, {**heap, **old, "notes.txt": b"to do", "a.out": b"\x7fELF"})


def nested(path: Path, files: Files) -> None:
    zipped(path, {"Maria's homework/upload.zip": zip_bytes(files)})


def nested_twice(path: Path, files: Files) -> None:
    zipped(path, {"a.zip": zip_bytes({"b.zip": zip_bytes({"c.zip": zip_bytes(files)})})})


def bomb(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path.with_name(f"{path.name}.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in files.items():
            archive.writestr(place, data)
        archive.writestr("zeros", bytes(256 << 20))


def climbing(path: Path, files: Files) -> None:
    """Right files, and paths out of the folder, links and a device."""
    with tarfile.open(path.with_name(f"{path.name}.tar"), "w") as archive:
        for place, data in files.items():
            add(archive, f"../../{place}", b"// from outside")
            add(archive, place, data)
        add(archive, "/tmp/absolute.cu", b"//")
        add(archive, "link.cu", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        add(archive, "null", type=tarfile.CHRTYPE)


def linked(path: Path, files: Files) -> None:
    """The student file is a link to a foreign file."""
    path.mkdir()
    place = path / Path(next(iter(files))).name
    place.symlink_to("/etc/passwd")


def other_course(path: Path, files: Files) -> None:
    """Right files, and a grader with full points for all."""
    generous = {"Makefile": b"check:\n\techo 100\n", "grader/timing/score.py": b"POINTS = 100\n"}
    tarred(path, {**files, **generous, "nickname.txt": b"<b>generous</b>\n"})


def truncated(path: Path, files: Files) -> None:
    data = zip_bytes(files)
    path.with_name(f"{path.name}.zip").write_bytes(data[: len(data) // 2])


def no_archive(path: Path, files: Files) -> None:
    path.with_name(f"{path.name}.pdf").write_bytes(b"%PDF-1.7 my report")


def twice(path: Path, files: Files) -> None:
    """An early submission with a failure, and the submission to count."""
    broken = {place: b"early\n" for place in files}
    zipped(path.with_name(f"{path.name}_2026-11-19T10-00-00"), broken)
    zipped(path.with_name(f"{path.name}_2026-11-20T09-30-00"), files)


def nicknamed(path: Path, files: Files) -> None:
    zipped(path, {**files, "nickname.txt": "Köln 9000\n".encode()})


GOOD: list[Callable[[Path, Files], None]] = [folder, zipped, tarred, nicknamed]
BAD = [empty, mixed_up, nested, nested_twice, bomb, climbing, linked, other_course, truncated]
BAD += [no_archive, twice]
FORMULA = "=HYPERLINK(1)"


def make_class(root: Path, target: Path, assignments: list[Assignment], size: int) -> int:
    """Writes `size` students' submissions, bad students first; returns the number of students."""
    if target.exists():
        shutil.rmtree(target)
    target.mkdir(parents=True)
    solutions = {}
    for assignment in assignments:
        for part in assignment.parts:
            file = resolve.solution_file(root, assignment, part)
            solutions[f"{assignment.name}/{part.name}.cu"] = file.read_bytes()
    bad = islice(BAD, size)
    students = 0
    for way in bad:
        way(target / f"bad-{way.__name__}", solutions)
        students += 1
    names = cycle(NAMES)
    ways = cycle(GOOD)
    for number, (kind, files) in enumerate(islice(mixed(root, assignments), size - students)):
        name = FORMULA if number == 0 else f"{next(names)} {number:03} {kind}"
        next(ways)(target / name, files)
        students += 1
    return students


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--size", type=int, default=60)
    parser.add_argument("assignments", nargs="*", default=[])
    words = parser.parse_intermixed_args()
    assignments = load_assignments(ROOT, words.assignments)
    students = make_class(ROOT, words.directory, assignments, words.size)
    print(f"{students} students in {words.directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
