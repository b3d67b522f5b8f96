"""`make grade-class` on mock assignments: resumed, interrupted, full disks, books."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import pytest
from grader_mock.house import source
from grader_mock.school import School


@pytest.fixture
def school(tmp_path):
    return School(tmp_path)


def test_a_class_becomes_a_gradebook(school):
    school.hand_in("maria")
    school.hand_in("jonas", "wrong")
    school.hand_in("=1+1", "fine", 20.0, nickname_txt="<b>Köln</b>\n")
    (school.submissions / "aicha").mkdir()
    done = school.grade()
    assert done.status == 0, done.errors
    rows = {row["student"]: row for row in school.rows()}
    assert list(rows) == ["'=1+1", "aicha", "jonas", "maria"]
    assert (rows["maria"]["score"], rows["maria"]["maximum"]) == ("100", "100")
    assert rows["jonas"]["verdicts"].startswith("twice: wrong")
    assert (rows["aicha"]["status"], rows["aicha"]["score"]) == ("rejected", "0")
    assert rows["aicha"]["notes"] == "rejected: holds no file at all"
    for row in rows.values():
        assert (school.out / row["report"]).is_file()
    page = school.out / rows["maria"]["report"]
    report = page.with_suffix(".txt").read_text()
    assert report.startswith("maria\n")
    assert "maria" in page.read_text()
    for text in (report, page.read_text()):
        assert "twice/twice.cu" in text
        assert str(school.out) not in text
    board = (school.out / "leaderboard.html").read_text()
    assert "&lt;b&gt;Köln" in board and "<b>Köln" not in board
    assert "maria" not in board and "anonymous" in board
    assert "maria" in (school.out / "index.html").read_text()
    summary = (school.out / "summary.txt").read_text()
    assert summary.startswith("3 graded  1 rejected")
    suites = ElementTree.parse(next(school.out.glob("students/jonas-*/junit.xml"))).getroot()
    assert len(suites.findall(".//testcase")) == 5
    assert suites.findall(".//failure")[0].get("type") == "wrong"


def test_names_on_the_leaderboard_only_where_asked_for(school):
    school.hand_in("maria")
    school.grade(names=1)
    assert "maria" in (school.out / "leaderboard.html").read_text()


def test_nothing_is_graded_twice(school):
    school.several(2)
    assert school.grade().status == 0
    before = [path.stat().st_mtime_ns for path in school.results()]
    done = school.grade()
    assert "everything is graded already" in done.errors
    assert [path.stat().st_mtime_ns for path in school.results()] == before
    # A new submission of a student is the only thing to do.
    school.hand_in("student 01", "fine", 2.5)
    school.grade()
    assert sorted(school.events("end").values()) == [1, 2]


def test_another_course_is_another_class(school):
    school.hand_in("maria")
    school.grade()
    grade = school.house.root / "twice" / "grading" / "grade.py"
    grade.write_text(grade.read_text().replace("--n 7", "--n 8"))
    school.grade()
    assert list(school.events("end").values()) == [2]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_class_goes_on_where_it_was(school, end):
    school.several(3)
    process = school.start(jobs=1)
    deadline = time.monotonic() + 60
    while not school.results() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(end)
    process.wait(20)
    finished = {path.parent.name for path in school.results()}
    assert 1 <= len(finished) < 3
    time.sleep(0.5)
    assert {path.parent.name for path in school.results()} == finished  # no worker continues
    if end != signal.SIGKILL:
        assert sum(row["status"] == "graded" for row in school.rows()) == len(finished)
    done = school.grade(jobs=1)
    assert done.status == 0, done.errors
    assert all(row["status"] == "graded" for row in school.rows())
    assert set(school.events("end").values()) == {1}


def test_two_commands_on_one_class_are_one_too_many(school):
    school.several(2)
    process = school.house.start(
        *school.words(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not (school.out / "state" / "class.json").exists():
        time.sleep(0.02)
    done = school.grade()
    assert done.status == 2
    assert "is being worked on by another grade-class" in done.errors
    assert process.wait(60) == 0


def test_a_process_that_is_killed_is_named(school):
    """The kernel kills a process when memory runs out; after two attempts the others go on."""
    school.several(2)
    process = school.start(jobs=1)
    killed = 0
    while killed < 2 and process.poll() is None:
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                own = (
                    "instructor.batch.engines.task" in words
                    and str(school.out / "state/class.json") in words
                )
                if own and words[-2].startswith("student_00") and folder.name != str(process.pid):
                    os.kill(int(folder.name), signal.SIGKILL)
                    killed += 1
                    time.sleep(0.5)
    assert process.wait(60) == 0
    first, second = school.rows()
    assert (first["status"], first["score"]) == ("not graded", "")
    assert "ended with status -9" in first["notes"]
    assert second["status"] == "graded"


def test_a_job_of_slurm_is_not_overtaken(school):
    school.hand_in("maria")
    (school.out / "state").mkdir(parents=True)
    (school.out / "state" / "job.txt").write_text("4711\n")
    done = school.grade()
    assert done.status == 2
    assert "a Slurm job still works for this class" in done.errors


def test_a_full_disk_stops_the_class_and_loses_nothing(school, small_disk):
    """The folder for copies has room for some of a copy's files only."""
    school.several(2)
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(small_disk).free - (32 << 10)))
    done = school.grade(environment={"TMPDIR": str(small_disk)}, jobs=1)
    assert done.status == 2
    assert "there is no room left in" in done.errors
    assert "Traceback" not in done.errors
    assert {row["status"] for row in school.rows()} == {"not graded"}
    ballast.unlink()
    done = school.grade(environment={"TMPDIR": str(small_disk)}, jobs=1)
    assert done.status == 0, done.errors
    assert all(row["status"] == "graded" for row in school.rows())


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MiB, where mounting is allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)])
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_grader_that_fails_is_no_fault_of_the_student(school):
    """The judge is broken: no student gets a grade, and the target rung shows the fault first."""
    school.hand_in("maria")
    grade = school.house.root / "twice" / "ladder" / "02_better.cu"
    grade.write_text(source("twice", "wrong"))
    done = school.grade()
    assert done.status == 2
    assert "the target rung of twice does not pass here" in done.errors
    (row,) = school.rows()
    assert (row["status"], row["score"]) == ("not graded", "")


def test_bad_archives_cost_only_themselves(school):
    school.hand_in("maria")
    (school.submissions / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (school.submissions / "essay.pdf").write_bytes(b"%PDF")
    with zipfile.ZipFile(school.submissions / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("zeros", bytes(210 << 20))
    school.hand_in("cheat", Makefile="check:\n\techo 100\n")
    assert school.grade().status == 0
    rows = {row["student"]: row for row in school.rows()}
    assert rows["maria"]["score"] == rows["cheat"]["score"] == "100"
    assert "changes files of the course, which does not count: Makefile" in rows["cheat"]["notes"]
    for name, words in (("broken", "archive"), ("essay.pdf", "archive"), ("bomb", "200 MiB")):
        assert rows[name]["status"] == "rejected"
        assert words in rows[name]["notes"]


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,twice (991),Essay (7)
    Points Possible,,,,,100,10
"Doe, Jane",4711,s1,jane,CS149,,3
"Roe, Rick",4712,s2,rick,CS149,,
"""
MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 4711,Jane Doe,jane@example.org,,,50,
Participant 4713,Nobody Else,n@example.org,,,50,
"""


def test_canvas_and_moodle_get_their_own_file_back(school, tmp_path):
    school.hand_in("doejane_4711_99_submission")
    school.hand_in("Rick Roe_4712_assignsubmission_file_", "wrong")
    roster = tmp_path / "canvas.csv"
    roster.write_text(CANVAS)
    assert school.grade(roster=roster).status == 0
    possible, jane, rick = school.rows("canvas.csv")
    assert (possible["Student"], possible["twice (991)"]) == ("Points Possible", "100")
    assert (jane["Student"], jane["SIS Login ID"], jane["twice (991)"]) == (
        "Doe, Jane",
        "jane",
        "100",
    )
    assert rick["twice (991)"] == school.rows()[0]["score"] != "100"
    assert "Essay (7)" not in jane  # what is not ours is not touched
    roster.write_text(MOODLE)
    school.grade(roster=roster)
    jane, nobody = school.rows("moodle.csv")
    assert (jane["Identifier"], jane["Grade"]) == ("Participant 4711", "50")
    assert jane["Feedback comments"] == "twice: 100 of 100"
    assert (nobody["Grade"], nobody["Email address"]) == ("", "n@example.org")


SECRET = """
from grader.course.declare import Case
HIDDEN = {"twice": [Case("the secret size", "--n 4242")]}
"""


def test_hidden_cases_count_and_stay_hidden(school, tmp_path):
    """Cases stay hidden from a student who makes the compiler print the file, too."""
    hidden = tmp_path / "secret.py"
    hidden.write_text(SECRET)
    school.hand_in("maria")
    thief = school.hand_in("thief") / "twice" / "twice.cu"
    thief.write_text('#include "../hidden.py"\nerror 1\n' + source("twice"))
    assert school.grade(hidden=hidden).status == 0
    printed = "".join(path.read_text() for path in school.out.glob("students/*/*"))
    assert "hidden 1" in printed
    assert "4242" not in printed and "secret size" not in printed


def test_wrong_options_are_sentences(school):
    school.hand_in("maria")
    for options, words in (
        ({"engine": "cloud"}, "no engine"),
        ({"jobs": "many"}, "JOBS is a whole number"),
        ({"out": school.submissions / "maria"}, "inside SUBMISSIONS"),
        ({"roster": school.house.root / "Makefile"}, "neither Canvas"),
        ({"submissions": "nowhere"}, "not a folder"),
    ):
        done = school.grade(**options)
        assert done.status == 2
        assert words in done.errors
        assert len(done.errors.strip().splitlines()) <= 3
