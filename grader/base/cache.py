"""What depends only on a program and its case, kept under build/cache/ by content."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

KEPT = 1000  # entries of each kind


@contextmanager
def open_cache(root: Path, kind: str, pattern: str = "*", beside: str = "") -> Iterator[Path]:
    """The folder of one kind of entry; what was not used lately is forgotten at the end.

    `pattern` finds the entries, and each may have another file with the ending `beside`.
    """
    cache = root / "build" / "cache" / kind
    cache.mkdir(parents=True, exist_ok=True)
    yield cache
    prune(cache, pattern, beside)


def content_key(words: Iterable[str], files: Iterable[Path]) -> str:
    """The same for the same words and contents, whatever the files are called."""
    digest = hashlib.sha256("".join(f"{word}\0" for word in words).encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def prune(cache: Path, pattern: str, beside: str) -> None:
    """Another grading may do the same at the same time."""
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
