"""What goes wrong around a check: processes killed, full disks, false files, vanishing GPUs.

Whatever happens, build/results.json is whole, nothing is left behind, and the next check works.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from grader_mock.house import House

from grader.base.device import choose_device
from grader.base.errors import GraderError
from grader.base.scratch import PREFIX, Scratch, sweep
from grader.build import admission
from grader.build import make as build
from grader.check import answers
from grader.check.results_file import write_results
from grader.course.load import load_assignments
from grader.course.plan import make_plan
from grader.course.results import AssignmentResult
from grader.run import judge
from grader.run.runner import CaseFailure

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def scratch(tmp_path_factory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder for temporary files of the test's graders."""
    folder = tmp_path_factory.mktemp("scratch")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def results_of(house: House) -> dict:
    return json.loads((house.root / "build" / "results.json").read_text())


def running_in(house: House) -> list[int]:
    """Returns the processes whose command line names the house."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if str(house.root).encode() in command:
            found.append(int(pid))
    return found


def wait_for(condition, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---- killed ----


def test_results_are_whole_at_every_moment(tmp_path: Path) -> None:
    """A process in a loop of writes is killed at 50 random moments."""
    device = choose_device("cpu")
    assignments = [AssignmentResult(f"assignment {i}", ()) for i in range(500)]
    for _ in range(50):
        writer = os.fork()
        if writer == 0:
            while True:
                write_results(tmp_path, device, assignments)
        wait_for((tmp_path / "build" / "results.json").is_file)
        time.sleep(random.uniform(0, 0.02))
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        found = json.loads((tmp_path / "build" / "results.json").read_text())
        assert len(found["assignments"]) == 500


@pytest.mark.slow
def test_a_grader_killed_at_any_moment(house: House, scratch: Path) -> None:
    grades = house.root / "twice/grading/grade.py"
    grades.write_text(grades.read_text().replace("timeout_s=0.5", "timeout_s=20"))
    for _ in range(6):
        with house.start("check", **QUIET) as process:
            time.sleep(random.uniform(0.1, 1.5))
            process.kill()
        if (house.root / "build" / "results.json").exists():
            assert results_of(house)["isolation"]
        wait_for(lambda: not running_in(house))
    for left in scratch.glob(f"{PREFIX}*"):
        os.utime(left, (0, 0))
    done = house.grader("check")
    assert done.status == 0, done.errors
    assert (done.results["score"], done.results["finished"]) == (200, True), done.shown
    assert not list(scratch.glob(f"{PREFIX}*"))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.slow
def test_what_was_found_before_the_end_is_kept(
    house: House, scratch: Path, how: signal.Signals
) -> None:
    house.write("pair/right.cu", house_source("right", "hang"))
    house.write("pair/grading/grade.py", (house.root / "pair/grading/grade.py").read_text().replace(
        'Case("one", "--n 1")', 'Case("one", "--n 1", timeout_s=60)'
    ))  # fmt: skip
    results = house.root / "build" / "results.json"
    with house.start("check", **QUIET) as process:
        wait_for(lambda: results.is_file() and len(results_of(house)["assignments"]) == 1)
        process.send_signal(how)
        assert process.wait(20) in (130, 143)
    found = results_of(house)
    assert not found["finished"]
    assert found["assignments"][0]["parts"][0]["score"] == 50
    assert not running_in(house)
    assert not list(scratch.glob(f"{PREFIX}*"))
    house.write("pair/right.cu", house_source("right", "fine"))
    assert house.grader("check").results["score"] == 200


def house_source(function: str, behave: str) -> str:
    return f"//\n//\n// behave: {behave}\nvoid {function}(int n, unsigned* result) {{\n}}\n"


def test_a_killed_judge_is_asked_again(tmp_path: Path) -> None:
    program = tmp_path / "judge"
    program.write_text(
        f"#!/bin/sh\n[ -e {tmp_path}/again ] || {{ touch {tmp_path}/again; kill -9 $$; }}\n"
        'echo \'{"verdict": "ok"}\'\n'
    )
    program.chmod(0o755)
    with tempfile.TemporaryFile() as output:
        assert judge.judge_output(program, "part", output.fileno(), 0, "--n 1").verdict == "ok"
        program.write_text("#!/bin/sh\nkill -9 $$\n")
        with pytest.raises(GraderError, match="gave no verdict"):
            judge.judge_output(program, "part", output.fileno(), 0, "--n 1")


def test_what_a_killed_make_left_is_built_again(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "build/cpu/%: %.in\n\techo half > $@; test -e calm || kill -9 $$PPID; cat $< > $@\n"
    )
    (tmp_path / "one.in").write_text("whole\n")
    (tmp_path / "build" / "cpu").mkdir(parents=True)
    built = tmp_path / "build" / "cpu" / "one"

    with pytest.MonkeyPatch.context() as patch:
        # A killed grader does nothing behind the wait for make.
        patch.setattr(Path, "unlink", lambda path: None)
        assert build.make(tmp_path, ["build/cpu/one"], 20)[0] != 0
    built.write_text("half\n")
    os.utime(tmp_path / "one.in", (0, 0))
    (tmp_path / "calm").touch()
    assert build.make(tmp_path, ["build/cpu/one"], 20)[0] == 0
    assert built.read_text() == "whole\n"
    assert not (tmp_path / "build" / "make.unfinished").exists()


def test_folders_of_the_dead_are_swept(scratch: Path) -> None:
    with Scratch() as used:
        for name in ("cuda-ladder-dead", "another-folder"):
            (scratch / name).mkdir()
        for path in scratch.iterdir():
            os.utime(path, (0, 0))
        sweep()
        assert sorted(p.name for p in scratch.iterdir()) == ["another-folder", Path(used).name]
    assert not Path(used).exists()


@pytest.mark.slow
def test_everything_bad_at_once_hurts_nobody_else(house: House) -> None:
    house.behave("everything")
    done = house.grader("check")
    by_name = {a["name"]: a for a in done.results["assignments"]}
    assert by_name["pair"]["score"] == 100
    verdicts = {c["verdict"] for c in by_name["twice"]["parts"][0]["cases"]}
    assert verdicts == {"timeout"}
    assert not running_in(house)
    left = subprocess.run(["pgrep", "-fx", "sleep 86[0-9]+"], capture_output=True, text=True)
    assert left.stdout == ""


# ---- files ----


def make_folder(file: Path) -> None:
    file.mkdir()


def make_pipe(file: Path) -> None:
    os.mkfifo(file)


def make_link(file: Path) -> None:
    file.symlink_to("/etc/passwd")


def make_dead_link(file: Path) -> None:
    file.symlink_to("nowhere.cu")


def make_huge(file: Path) -> None:
    with open(file, "wb") as out:
        out.truncate(1 << 40)


def make_unreadable(file: Path) -> None:
    if os.getuid() == 0:
        pytest.skip("root reads everything")
    file.touch(0o000)


ODD_FILES = {
    make_folder: ("build_error", "is no file"),
    make_pipe: ("build_error", "is no file"),
    make_dead_link: ("build_error", "is no file"),
    make_unreadable: ("build_error", "cannot be read: Permission denied"),
    make_link: ("forbidden", "is a link that leads out of its folder"),
    make_huge: ("forbidden", "is larger than 512 KiB"),
}


@pytest.mark.parametrize("make", ODD_FILES, ids=lambda make: make.__name__[5:])
def test_a_students_file_that_is_none(house: House, make) -> None:
    file = house.root / "twice" / "twice.cu"
    file.unlink()
    make(file)
    plan = make_plan(
        house.root, load_assignments(house.root, ["twice"]), choose_device("cpu"), "", "", ""
    )
    verdict, error = admission.stop_at_source(house.root, plan.parts[0].submission.file, "twice")
    expected, words = ODD_FILES[make]
    assert verdict == expected
    assert words in error.sentence


def test_names_and_contents_in_no_encoding(house: House) -> None:
    folder = os.fsencode(house.root) + b"/gr\xf6\xdfe \x1b[2J"
    os.mkdir(folder)
    with open(folder + b"/twice.cu", "wb") as file:
        file.write(b"// \xff\xfe\x00 \x80\n" + house_source("twice", "fine").encode())
    done = house.grader("check", "twice", "--with", os.fsdecode(folder), "--case", "one")
    assert done.status == 0, done.errors
    assert done.verdicts() == ["ok"]
    assert "\x1b" not in done.shown


@pytest.mark.slow
def test_a_full_disk_is_told_in_a_sentence(house: House) -> None:
    assert house.grader("check", "twice").status == 0
    outputs = house.root / "build"

    def no_room_for_results() -> None:  # run by the future grader process
        (outputs / f"results.json.{os.getpid()}.part").symlink_to("/dev/full")

    process = house.start(
        "check",
        "twice",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=no_room_for_results,
    )
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert "No space left on device" in errors
    assert len(errors.splitlines()) == 1
    assert results_of(house)["score"] == 100
    assert not [name for name in os.listdir(outputs) if name.endswith(".part")]


def test_a_full_disk_is_not_the_students_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = "as: x.o: No space left on device\n"
    build.check_room(tmp_path, log)  # said by a compiled file, on a disk with room
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, 0))
    with pytest.raises(GraderError, match="is full"):
        build.check_room(tmp_path, log)


# ---- the GPU ----


def test_the_watchdog_of_a_display_is_named(house: House) -> None:
    failure = CaseFailure("timeout", "the launch timed out (cudaErrorLaunchTimeout)")
    cause = answers.cause_of_cuda_error(failure, "twice/twice.cu", "twice")
    assert "without a screen" in cause
    assert "TdrDelay in the registry of Windows" in cause


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("cudaErrorLaunchOutOfResources", "`make registers-twice WITH=twice/twice.cu` shows"),
        ("cudaErrorIllegalAddress", "DEVICE=cpu names the line, or the stack"),
    ],
)
def test_what_a_gpu_has_too_little_of_is_named(house: House, name: str, cause: str) -> None:
    failure = CaseFailure("cuda_error", f"cudaGetLastError() failed: no ({name}) at twice.cu:7")
    found = answers.cause_of_cuda_error(failure, "twice/twice.cu", "twice")
    assert found.startswith("; ")
    assert cause in found


def test_a_gpu_that_is_gone_is_no_students_error(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = CaseFailure("cuda_error", "all devices are busy or unavailable")
    probed = iter([{"name": "Mock GPU"}, {"error": "no GPU answers"}])
    monkeypatch.setattr(answers, "probe_gpu", lambda: next(probed))
    # The message only says so.
    assert answers.cause_of_cuda_error(failure, "twice/twice.cu", "twice") == ""
    with pytest.raises(GraderError, match="The GPU is gone: no GPU answers"):
        answers.cause_of_cuda_error(failure, "twice/twice.cu", "twice")
