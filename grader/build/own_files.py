"""Finds the files that a student wrote: the graded file and its own headers.

Headers are looked for wherever a compiler would look among files that a student can write: in the
folder of the including file and in the folders on the compiler's command line. The grader opens
each header with care before a compiler does: a pipe would keep the compiler waiting forever.
"""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.source_text import MAX_BYTES, blank_comments, decode, read_regular
from grader.build.directives import BLANKS, directives

INCLUDES = {"include", "include_next", "import"}
OPERAND = re.compile(r'[<"]([^>"]*)[>"]')


@dataclass(frozen=True)
class Include:
    line: int
    operand: str  # as written: <name>, "name", or a macro

    @property
    def header(self) -> str:
        """The name, "" if a macro makes the name."""
        found = OPERAND.match(self.operand)
        return found[1].strip() if found else ""


@dataclass(frozen=True)
class OwnFile:
    path: Path
    content: bytes
    text: str  # without comments
    includes: list[Include]


class Unusable(Exception):
    """A file that cannot be read as a source; the message ends a sentence about the file."""

    def __init__(self, line: int, sentence: str):
        super().__init__(line, sentence)
        self.line, self.sentence = line, sentence


@dataclass
class OwnFiles:
    """The files in the order of their first inclusion; `folders`: see own_files()."""

    folders: tuple[Path, ...]
    files: list[OwnFile] = field(default_factory=list)
    bytes: int = 0
    seen: set[Path] = field(default_factory=set)  # where headers were looked for

    def add(self, path: Path, folder: Path) -> OwnFile:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise Unusable(1, "is a link that leads out of its folder: put the file itself there.")
        try:
            content = read_regular(path)
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise Unusable(1, f"is larger than {MAX_BYTES >> 10} KiB.") from None
            raise
        self.bytes += len(content)
        if self.bytes > MAX_BYTES:
            raise Unusable(1, f"is larger than {MAX_BYTES >> 10} KiB together with its headers.")
        text = blank_comments(decode(content))
        file = OwnFile(path, content, text, list(includes(text)))
        self.files.append(file)
        return file

    def add_headers(self, file: OwnFile) -> None:
        for include in file.includes:
            for folder in (file.path.parent, *self.folders):
                path = folder / include.header
                if include.header and path not in self.seen:
                    self.seen.add(path)
                    if is_there(path) and not self.has(path):
                        self.add_header(path, folder, include)

    def add_header(self, path: Path, folder: Path, include: Include) -> None:
        try:
            self.add_headers(self.add(path, folder))
        except OSError as error:
            why = error.strerror
            sentence = f"includes {include.header}, which cannot be read: {why}."
            raise Unusable(include.line, sentence) from None
        except Unusable as error:
            sentence = f"includes {include.header}, which {error.sentence}"
            raise Unusable(include.line, sentence) from None

    def has(self, path: Path) -> bool:
        return any(file.path.resolve() == path.resolve() for file in self.files)

    def find(self, file: OwnFile, include: Include) -> OwnFile | None:
        """The student's header that an #include in `file` means; None for other headers."""
        if include.header:
            for folder in (file.path.parent, *self.folders):
                path = (folder / include.header).resolve()
                for header in self.files:
                    if header.path.resolve() == path:
                        return header
        return None

    def digest(self) -> str:
        """A digest of the files, which does not depend on the place of their folder."""
        digest, folder = hashlib.sha256(), self.files[0].path.parent
        for file in self.files:
            place = os.path.relpath(file.path, folder)
            digest.update(os.fsencode(place) + f"\0{len(file.content)}\0".encode())
            digest.update(file.content)
        return digest.hexdigest()


def includes(text: str) -> Iterator[Include]:
    for name, rest, line in directives(text):
        if name in INCLUDES:
            yield Include(line, rest.lstrip(BLANKS).strip())


def is_there(path: Path) -> bool:
    """Whether a compiler, which skips folders, would open the path."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
    except ValueError:
        return False  # a name with a zero byte


def own_files(path: Path, folders: tuple[Path, ...] = ()) -> OwnFiles:
    """The file at `path` and its own headers; `folders` are the `-I` folders open to students.

    Raises Unusable, or OSError if the file at `path` cannot be read.
    """
    found = OwnFiles(folders)
    try:
        found.add_headers(found.add(path, path.parent))
    except RecursionError:
        raise Unusable(1, "includes headers that include each other too deeply.") from None
    return found
