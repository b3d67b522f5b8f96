"""What a program in the sandbox cannot do, on every working level of the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from grader.base.errors import GraderError
from grader.base.processes import Limits, adopt_orphans, kill_tree, processes, wanted_pids
from grader.run import sandbox
from grader.run.confine import LANDLOCK
from grader.run.sandbox import BUBBLEWRAP, CLOSED, LEVELS, LIMITS_ONLY, Box

LIMITS = Limits(data_bytes=1 << 30, file_bytes=1 << 20, processes=64)
WORKING = [level for level in LEVELS.values() if sandbox.works(level)]
CONFINED = [level for level in WORKING if level != LIMITS_ONLY]


def run(level: str, script: str, timeout_s: float = 20) -> tuple[int, str]:
    """The exit code and the output of a shell script in a box."""
    with Box(["/bin/bash"], LIMITS, level) as box:
        process = box.start(
            ["-c", script],
            {"PATH": "/usr/bin:/bin"},
            (),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        wanted_pids.add(process.pid)
        try:
            output = process.communicate(timeout=timeout_s)[0]
        finally:
            kill_tree(process)
        return box.exit_code(process.returncode), output


@pytest.fixture(autouse=True)
def orphans_are_ours() -> None:
    adopt_orphans()


def test_this_machine_has_a_level() -> None:
    assert LIMITS_ONLY in WORKING


@pytest.mark.parametrize("level", WORKING)
def test_a_program_runs_and_its_end_is_told(level: str) -> None:
    assert run(level, "echo hello; exit 3") == (3, "hello\n")
    assert run(level, "kill -SEGV $$")[0] == -11
    assert run(level, "kill -ABRT $$")[0] == -6


@pytest.mark.parametrize("level", CONFINED)
def test_only_its_own_directories_can_be_written(level: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    target = tmp_path / "planted"
    assert run(level, 'echo x > "$HOME/x" && echo y > "$TMPDIR/y" && cat "$HOME/x"')[0] == 0
    for path in (target, "/usr/planted", "/etc/planted", "/planted"):
        assert run(level, f"echo x > {path}")[0] != 0
    assert not target.exists()


@pytest.mark.parametrize("level", CONFINED)
def test_the_repository_cannot_be_read(level: str) -> None:
    root = Path(__file__).parents[3]
    assert run(level, f"cat {root}/README.md")[0] != 0
    assert run(level, f"ls {root}")[0] != 0


@pytest.mark.parametrize("level", WORKING)
def test_the_environment_is_its_own(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "1")
    assert "SECRET" not in run(level, "env")[1]


@pytest.mark.parametrize("level", CONFINED)
def test_there_is_no_network(level: str) -> None:
    if level == LANDLOCK and not tcp_is_restricted():
        pytest.skip("this kernel's Landlock does not know TCP")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"echo hello > /dev/tcp/127.0.0.1/{port}"
        assert run(LIMITS_ONLY, connect)[0] == 0  # the server can be reached at all
        assert run(level, connect)[0] != 0


def tcp_is_restricted() -> bool:
    version = os.uname().release.split(".")
    return (int(version[0]), int(version[1])) >= (6, 7)


@pytest.mark.parametrize("level", [level for level in WORKING if level in CLOSED])
def test_other_processes_cannot_be_seen(level: str) -> None:
    listed = run(level, "ls -d /proc/[0-9]*")[1].split()
    assert 0 < len(listed) < 8


@pytest.mark.parametrize("level", WORKING)
def test_nothing_outlives_the_program(level: str) -> None:
    mark = f"86{os.getpid()}"
    stay = f"sleep {mark} >/dev/null 2>&1 &"
    run(level, f"(setsid {stay}) ; (setsid nohup {stay}) ; sleep 0.2")
    time.sleep(0.1)
    assert not [pid for pid, _, state in processes() if state != "Z" and mark in command_of(pid)]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@pytest.mark.parametrize("level", CONFINED)
@pytest.mark.slow
def test_a_fork_bomb_is_stopped(level: str) -> None:
    before = len(list(processes()))
    script = "for i in $(seq 500); do sleep 30 & done 2>/dev/null; jobs -p | wc -l"
    with Box(["/bin/bash"], LIMITS, level) as box:
        process = box.start(
            ["-c", script],
            {"PATH": "/usr/bin:/bin"},
            (),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wanted_pids.add(process.pid)
        most = 0
        for _ in range(20):
            most = max(most, len(list(processes())) - before)
            time.sleep(0.05)
        kill_tree(process)
    assert most < 250


@pytest.mark.parametrize("level", WORKING)
def test_files_have_a_limit(level: str) -> None:
    code, _ = run(level, 'head -c 10G /dev/zero > "$HOME/large"')
    assert code != 0


def test_the_level_can_be_demanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOLATION", "limits")
    assert sandbox.isolation() == LIMITS_ONLY
    monkeypatch.setenv("ISOLATION", "none")
    with pytest.raises(GraderError, match="ISOLATION is require or one of"):
        sandbox.isolation()
    monkeypatch.setenv("ISOLATION", "require")
    monkeypatch.setattr(sandbox, "works", lambda level: level not in CLOSED)
    with pytest.raises(GraderError, match="Install bubblewrap"):
        sandbox.isolation()
    monkeypatch.setattr(sandbox, "works", lambda level: True)
    assert sandbox.isolation() == BUBBLEWRAP


@pytest.mark.parametrize("level", CONFINED)
@pytest.mark.slow
def test_all_of_it_at_once(level: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    mark = f"87{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        bomb = f"for i in $(seq 300); do sleep {mark} & done 2>/dev/null"
        there = f"/dev/tcp/127.0.0.1/{server.getsockname()[1]}"
        outside = f"echo x > {tmp_path}/planted; echo x > {there}"
        with pytest.raises(subprocess.TimeoutExpired):
            run(level, f"({bomb}); ({outside}) 2>/dev/null; while :; do :; done", 2)
        if level != LANDLOCK or tcp_is_restricted():
            with pytest.raises(BlockingIOError):
                server.accept()
    assert not list(tmp_path.iterdir())
    time.sleep(0.1)
    assert not [pid for pid, _, state in processes() if state != "Z" and mark in command_of(pid)]
