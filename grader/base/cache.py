"""Caches results that depend only on a program and a case, under build/cache/, by content."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

KEPT = 1000  # entries kept of each kind


@contextmanager
def open_cache(root: Path, kind: str, pattern: str = "*", beside: str = "") -> Iterator[Path]:
    """Yields the folder of one kind of entry; removes the entries not used recently at the end.

    `pattern` finds the entries. An entry may have a second file, which ends with `beside`.
    """
    cache = root / "build" / "cache" / kind
    cache.mkdir(parents=True, exist_ok=True)
    yield cache
    prune(cache, pattern, beside)


def content_key(words: Iterable[str], files: Iterable[Path]) -> str:
    """Returns the same key for the same words and contents, whatever the files are called."""
    digest = hashlib.sha256("".join(f"{word}\0" for word in words).encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def prune(cache: Path, pattern: str, beside: str) -> None:
    """Removes the oldest entries; another grader may be doing the same at the same time."""
    entries = sorted(cache.glob(pattern), key=last_use, reverse=True)
    for entry in entries[KEPT:]:
        if beside:
            entry.with_suffix(beside).unlink(missing_ok=True)
        entry.unlink(missing_ok=True)


def last_use(entry: Path) -> float:
    try:
        return entry.stat().st_mtime
    except FileNotFoundError:
        return 0.0
