"""Which objects are made again: those of other content, whatever the dates of files are."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from grader.build import make
from grader.build.limited import limited
from grader.build.make import make_programs


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A make that writes the target's name in place of compiling, if there is no object."""
    compiled: list[str] = []

    def compile_missing(root: Path, arguments: list[str], timeout_s: float) -> tuple[int, str]:
        for target in arguments:
            object_file = root / f"{target}.o"
            if not object_file.is_file():
                object_file.parent.mkdir(parents=True, exist_ok=True)
                object_file.write_text(target)
                compiled.append(target)
        return 0, ""

    monkeypatch.setattr(make, "make", compile_missing)
    return compiled


def build(root: Path) -> None:
    make_programs(root, [], {"build/cpu/saxpy/mine": root / "mine.cu"}, 1.0)


@pytest.mark.parametrize("year", [1970, 2030])
def test_a_file_of_any_date_is_compiled_once(tmp_path: Path, made: list[str], year: int) -> None:
    source, date = tmp_path / "mine.cu", (year - 1970) * 366 * 86400
    for content, compiled in (("one", 1), ("one", 1), ("two", 2), ("two", 2)):
        source.write_text(content)
        os.utime(source, (date, date))
        build(tmp_path)
        assert len(made) == compiled


def test_a_header_of_its_own_counts(tmp_path: Path, made: list[str]) -> None:
    (tmp_path / "mine.cu").write_text('#include "mine.h"\n')
    for content, compiled in (("one", 1), ("one", 1), ("two", 2)):
        (tmp_path / "mine.h").write_text(content)
        os.utime(tmp_path / "mine.h", (0, 0))
        build(tmp_path)
        assert len(made) == compiled


def test_a_check_without_end_is_ended() -> None:
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        limited(0.2, lambda: time.sleep(60))
    assert time.monotonic() - start < 10


def test_a_check_gives_what_it_found() -> None:
    assert limited(10, lambda: [1, "two"]) == [1, "two"]
    with pytest.raises(OSError, match="three"):
        limited(10, lambda: Path("/nowhere/three").read_bytes())
