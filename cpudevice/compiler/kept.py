"""Archives of the run-time library that all checkouts of a user share.

A kept archive is named after a digest of everything that decides the content: the library's sources
and headers, the compiler, and the options. The folder is cuda-ladder in $XDG_CACHE_HOME or in
~/.cache. A checkout builds its own archives if the user cannot write to the folder, or other users
can.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

UNUSED_DAYS = 30  # after which an archive is deleted


def digest(words: Iterable[str], files: Iterable[Path], root: Path) -> str:
    """A name for a product of the words and the files, the same wherever `root` lies."""
    found = hashlib.sha256("\0".join(words).encode())
    for file in sorted(files):
        text = file.read_bytes()
        found.update(f"\0{file.relative_to(root)}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def take(name: str, target: Path) -> bool:
    """Copies a kept archive to `target`; false without a kept archive."""
    with contextlib.suppress(OSError, RuntimeError):
        kept = folder() / name
        os.utime(kept)
        copy(kept, target)
        return True
    return False


def keep(name: str, archive: Path) -> None:
    """Keeps a copy of an archive, and deletes archives unused for UNUSED_DAYS."""
    with contextlib.suppress(OSError, RuntimeError):
        kept = folder()
        copy(archive, kept / name)
        long_ago = time.time() - UNUSED_DAYS * 24 * 3600
        for path in kept.iterdir():
            if path.stat().st_mtime < long_ago:
                path.unlink()


def folder() -> Path:
    """The user's folder of archives, made if missing; OSError if another user could have written to
    the folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    found = Path(base) / "cuda-ladder"
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = found.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{found} is not the user's alone")
    return found


def copy(source: Path, target: Path) -> None:
    """Copies a file; no process sees an incomplete target."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"new.{os.getpid()}.{target.name}")
    try:
        shutil.copyfile(source, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
