"""Reads a submission that may be hostile: a folder, a zip or a tar file, or an archive inside.

Nothing is unpacked to disk and no link is followed: only regular files with a wanted name are read,
into memory, under limits on count, size and the output of decompression. So a path out of the
folder, a device or a link has no effect, and a decompression bomb stops at the limit.
"""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

MAX_FILE = 1 << 20  # of a wanted file
MAX_TOTAL = 200 << 20  # of an unpacked archive, wanted files or not
MAX_ENTRIES = 100_000
MAX_DEPTH = 1  # archives in archives: some platforms wrap a student's own archive in another
# Folders of a student's clone without handwritten files, and folders of answers.
SKIPPED = {".git", ".venv", "build", "__pycache__", "__MACOSX", "ladder", "solution", "wrong"}
ENDINGS = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz")
BROKEN = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, ValueError)
BROKEN += (NotImplementedError, RuntimeError, gzip.BadGzipFile)  # unknown method, encrypted
OPENERS = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\0", lzma.open))


Wanted = Callable[[PurePosixPath], bool]


class Refused(Exception):
    """Why the whole submission is refused, as a sentence."""


@dataclass
class Contents:
    """The wanted files of a submission, and remarks on the others."""

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    names: list[PurePosixPath] = field(default_factory=list)  # of all files

    def note(self, text: str) -> None:
        if text not in self.notes and len(self.notes) < 20:
            self.notes.append(text)


class Capped(io.RawIOBase):
    """A stream that ends with an error at a limit: the decompressed side of a tar file."""

    def __init__(self, source: IO[bytes]):
        self._source = source
        self._left = MAX_TOTAL

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        data = self._source.read(min(len(buffer), 1 << 16))
        self._left -= len(data)
        if self._left < 0:
            raise Refused(f"unpacks to more than {MAX_TOTAL >> 20} MiB")
        buffer[: len(data)] = data
        return len(data)


def read_submission(path: Path, wanted: Wanted) -> Contents:
    """Reads the paths of the submission for which `wanted` is true."""
    contents = Contents()
    if path.is_symlink():
        raise Refused("is a link")
    if path.is_dir():
        read_folder(path, wanted, contents)
    elif path.is_file():
        name = PurePosixPath(path.name)
        if wanted(name):
            contents.names.append(name)
            contents.files[name] = read_regular(path)
        else:
            with path.open("rb") as file:
                read_archive(file, wanted, contents, MAX_DEPTH)
    else:
        raise Refused("is neither a folder nor a file")
    return contents


def read_folder(folder: Path, wanted: Wanted, contents: Contents) -> None:
    archives = []
    for number, (path, kind) in enumerate(walk(folder)):
        if number >= MAX_ENTRIES:
            raise Refused(f"holds more than {MAX_ENTRIES} files")
        name = PurePosixPath(path.relative_to(folder).as_posix())
        if not stat.S_ISREG(kind):
            contents.note(f"{name}: a link or device, ignored")
            continue
        contents.names.append(name)
        if wanted(name):
            contents.files[name] = read_regular(path)
        elif name.name.lower().endswith(ENDINGS):
            archives.append(path)
    if not contents.files:
        for path in archives[:3]:
            contents.note(f"taken from {path.name} in the folder")
            with path.open("rb") as file:
                read_archive(file, wanted, contents, MAX_DEPTH - 1)


def walk(folder: Path) -> Iterator[tuple[Path, int]]:
    """Every path that is not a folder, with its mode; links are not followed."""
    for where, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(set(folders) - SKIPPED)
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        for name in sorted(files) + links:
            path = Path(where, name)
            yield path, path.lstat().st_mode


def read_regular(path: Path) -> bytes:
    """Reads a file that is regular, also after the open."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Refused(f"{path.name} is not a regular file")
        return limited(file, path.name)


def limited(file: IO[bytes], name: str) -> bytes:
    data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise Refused(f"{name} is larger than {MAX_FILE >> 20} MiB")
    return data


def read_archive(file: IO[bytes], wanted: Wanted, contents: Contents, depth: int) -> None:
    try:
        start = file.read(6)
        file.seek(0)
        if start.startswith(b"PK"):
            members = zip_members(file)
        else:
            opener = next((one for magic, one in OPENERS if start.startswith(magic)), None)
            members = tar_members(opener(file) if opener else file)
        take(members, wanted, contents, depth)
    except BROKEN as error:
        raise Refused(f"cannot be read as an archive ({error})") from error


@dataclass(frozen=True)
class Member:
    name: str
    regular: bool
    open: Callable[[], IO[bytes]]  # closed by the caller


def zip_members(file: IO[bytes]) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if sum(info.file_size for info in infos) > MAX_TOTAL:
            raise Refused(f"unpacks to more than {MAX_TOTAL >> 20} MiB")
        for info in infos:
            if not info.is_dir():
                mode = info.external_attr >> 16
                regular = not mode or stat.S_IFMT(mode) in (0, stat.S_IFREG)
                yield Member(info.filename, regular, lambda info=info: archive.open(info))


def tar_members(file: IO[bytes]) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BufferedReader(Capped(file)), mode="r|") as archive:
        for info in archive:
            if not info.isdir():
                # A stream: a member is read before the next is requested, or never.
                opened = lambda info=info: archive.extractfile(info)  # noqa: E731
                yield Member(info.name, info.isreg(), opened)


def take(members: Iterator[Member], wanted: Wanted, contents: Contents, depth: int) -> None:
    own: dict[PurePosixPath, bytes] = {}
    nested: list[tuple[str, bytes]] = []
    for number, member in enumerate(members):
        if number >= MAX_ENTRIES:
            raise Refused(f"holds more than {MAX_ENTRIES} files")
        name = PurePosixPath(member.name)
        if name.is_absolute() or ".." in name.parts or "\\" in member.name:
            contents.note(f"{member.name}: a path out of the archive, ignored")
        elif not member.regular:
            contents.note(f"{name}: a link or device, ignored")
        elif name.parts and not SKIPPED.intersection(name.parts):
            contents.names.append(name)
            if wanted(name):
                with member.open() as file:
                    own[name] = limited(file, name.name)
            elif name.name.lower().endswith(ENDINGS) and len(nested) < 3:
                with member.open() as file:
                    data = file.read(16 * MAX_FILE + 1)
                if len(data) <= 16 * MAX_FILE:
                    nested.append((name.name, data))
    contents.files.update(own)
    if contents.files or not nested:
        return
    if depth <= 0:
        raise Refused("holds archives in archives")
    for inner, data in nested:
        contents.note(f"taken from {inner} in the archive")
        read_archive(io.BytesIO(data), wanted, contents, depth - 1)
