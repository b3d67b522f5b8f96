"""Which objects are made again: objects of other content, whatever the dates of files."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from grader.build.limited import limited
from grader.build.make import make_programs

# As in harness/rules.mk, but a compiler copies the source and leaves a line in "compiled".
MAKEFILE = """
.SECONDARY:
build/cpu/saxpy/%.o: %.cu
\t@mkdir -p $(@D) && cp $< $@ && echo $< >> compiled
build/cpu/saxpy/%: build/cpu/saxpy/%.o
\t@cp $< $@
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "compiled").touch()
    return tmp_path


def build(root: Path, name: str = "mine") -> str:
    """The content of the program, and how often the source was compiled."""
    target = f"build/cpu/saxpy/{name}"
    make_programs(root, [], {target: root / f"{name}.cu"}, 60.0)
    times = (root / "compiled").read_text().split().count(f"{name}.cu")
    return f"{(root / target).read_text()} {times}"


def test_a_file_without_a_new_date_is_compiled_once(folder: Path) -> None:
    source = folder / "mine.cu"
    for content, compiled in (("one", 1), ("one", 1), ("two", 2), ("two", 2)):
        source.write_text(content)
        os.utime(source, (0, 0))
        assert build(folder) == f"{content} {compiled}"


def test_an_older_file_in_place_of_another(folder: Path) -> None:
    (folder / "older.cu").write_text("older")
    (folder / "mine.cu").write_text("newer")
    os.utime(folder / "older.cu", (0, 0))
    assert build(folder) == "newer 1"
    (folder / "older.cu").rename(folder / "mine.cu")
    assert build(folder) == "older 2"


def test_an_older_file_among_the_courses_own(folder: Path) -> None:
    rung, target = folder / "saxpy" / "01_naive.cu", "build/cpu/saxpy/01_naive"
    rung.parent.mkdir()
    (folder / "Makefile").write_text(MAKEFILE.replace(": %.cu", ": saxpy/%.cu"))
    for content in ("newer", "older"):
        rung.write_text(content)
        if content == "older":
            os.utime(rung, (0, 0))
        make_programs(folder, [], {target: None}, 60.0)
        assert (folder / target).read_text() == content


def test_a_program_of_a_moved_folder_is_still_current(folder: Path, tmp_path: Path) -> None:
    (folder / "first").mkdir()
    for file in ("Makefile", "compiled"):
        (folder / file).rename(folder / "first" / file)
    (folder / "first" / "mine.cu").write_text("one")
    assert build(folder / "first") == "one 1"
    (folder / "first").rename(folder / "second")
    assert build(folder / "second") == "one 1"


def test_a_header_of_its_own_counts(folder: Path) -> None:
    (folder / "mine.cu").write_text('#include "mine.h"\n')
    for content, compiled in (("one", 1), ("one", 1), ("two", 2)):
        (folder / "mine.h").write_text(content)
        os.utime(folder / "mine.h", (0, 0))
        assert build(folder).endswith(f" {compiled}")


def test_a_check_without_end_is_ended() -> None:
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        limited(0.2, lambda: time.sleep(60))
    assert time.monotonic() - start < 10


def test_a_check_gives_what_it_found() -> None:
    assert limited(10, lambda: [1, "two"]) == [1, "two"]
    with pytest.raises(OSError, match="three"):
        limited(10, lambda: Path("/nowhere/three").read_bytes())
