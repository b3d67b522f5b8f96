"""`make submit`: the contents, the words, and the same bytes twice."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path

import pytest
from grader_mock.house import Checked, House, source

from instructor.batch.intake.choose import take_in

FILES = ["twice/twice.cu", "pair/left.cu", "pair/right.cu"]


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Returns a house as handed out, with the starters as files."""
    made = House(tmp_path / "house")
    for name in FILES:
        made.write(f"grader/starters/{name}", "// TODO\n")
    return made


def unpack(house: House, folder: Path) -> dict:
    """Unpacks a submission, checks the checksums and returns the results."""
    with tarfile.open(house.root / "submission.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)
    results = json.loads((folder / "results.json").read_text())
    return {entry["file"]: entry for entry in results}


def said_of(done: Checked, name: str) -> str:
    assert done.status == 0, done.errors
    (line,) = [line for line in done.shown.splitlines() if line.split()[0] == name]
    return line


def test_it_says_what_was_checked_what_has_changed_and_what_is_untouched(
    house: House, tmp_path: Path
) -> None:
    house.write("pair/right.cu", "// TODO\n")
    house.grader("check", "pair", "--part", "left")
    house.grader("check", "twice")
    house.behave("wrong")
    done = house.grader("submit")
    assert "100 / 100 on" in said_of(done, "twice/twice.cu")
    assert "changed since: make check-twice" in said_of(done, "twice/twice.cu")
    assert said_of(done, "pair/left.cu").split()[1:4] == ["50", "/", "50"]
    assert "changed" not in said_of(done, "pair/left.cu")
    assert "the starter, untouched" in said_of(done, "pair/right.cu")
    assert "1 file has no results of its present state" in done.shown
    packed = unpack(house, tmp_path / "unpacked")
    assert (tmp_path / "unpacked/twice/twice.cu").read_text() == source("twice", "wrong")
    assert {name: entry["current"] for name, entry in packed.items()} == {
        "twice/twice.cu": False,
        "pair/left.cu": True,
        "pair/right.cu": False,
    }
    assert packed["pair/left.cu"]["last"]["score"] == 50
    assert packed["pair/right.cu"]["last"] is None


def test_never_checked(house: House) -> None:
    done = house.grader("submit", "--only", "pair")
    assert "never checked: make check-pair PART=left" in said_of(done, "pair/left.cu")
    assert "2 files have" in done.shown and "twice" not in done.shown


def test_the_same_work_makes_the_same_archive(house: House) -> None:
    house.grader("check", "twice")
    first = house.grader("submit")
    packed = (house.root / "submission.tar.gz").read_bytes()
    (house.root / "twice/twice.cu").touch()
    assert house.grader("submit").shown == first.shown
    assert (house.root / "submission.tar.gz").read_bytes() == packed


def test_a_check_of_another_file_is_not_a_result_of_the_students(house: House) -> None:
    house.grader("check", "twice", "--with", "solution")
    assert "never checked" in said_of(house.grader("submit"), "twice/twice.cu")


def test_whoever_grades_the_class_finds_every_file_in_it(house: House) -> None:
    house.write("nickname.txt", "Coalescence\n")
    house.grader("submit")
    taken = take_in(house.root, house.root / "submission.tar.gz", ())
    assert sorted(taken.files) == sorted(FILES)
    assert (taken.nickname, taken.refused, taken.notes) == ("Coalescence", "", [])


def test_a_missing_file_packs_nothing(house: House) -> None:
    (house.root / "pair/left.cu").unlink()
    done = house.grader("submit")
    assert done.status == 2 and "pair/left.cu cannot be read" in done.errors
    assert not (house.root / "submission.tar.gz").exists()
    assert 'no assignment "pear"' in house.grader("submit", "--only", "twice pear").errors
