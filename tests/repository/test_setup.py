"""grader/setup.sh: instant when ready, one command without leave to install, clear sentences."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = "sh dirname uname mkdir mv cp cat grep sed tail printf env test true"
LOCKS = sorted((ROOT / "grader" / "requirements").glob("*.lock"))
# A python3 that has grading's modules alone, and makes an environment whose pip fails.
GRADING_ALONE = " ;; ".join(
    [
        'case "$*" in *import*pytest*) exit 1',
        '*venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python',
        '*"pip install"*) echo "FIRST LINE"; echo "ERROR: no such package"; echo; exit 1',
        '*sys.executable*) echo "$0"',
        "esac",
    ]
)


class Machine:
    """A copy of the script in a world with a chosen PATH."""

    def __init__(self, root: Path):
        self.root = root / "house"
        self.path = root / "path"
        (self.root / "grader").mkdir(parents=True)
        self.path.mkdir()
        shutil.copy2(ROOT / "grader" / "setup.sh", self.root / "grader" / "setup.sh")
        shutil.copytree(ROOT / "grader" / "requirements", self.root / "grader" / "requirements")
        for tool in TOOLS.split():
            found = shutil.which(tool)
            if found:
                (self.path / tool).symlink_to(found)
        # A machine with everything; tests take things away.
        self.tool("python3", f'exec {sys.executable} "$@"')
        for name in ("g++", "clang++", "nm", "make", "git"):
            self.tool(name, "cat >/dev/null; exit 0")
        self.tool("apt-get", 'echo "apt-get $*" >>"$ASKED"')
        self.tool("id", "echo 1000")
        self.tool("sudo", "exit 1")

    def tool(self, name: str, script: str) -> None:
        file = self.path / name
        file.unlink(missing_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def without(self, name: str) -> None:
        (self.path / name).unlink()

    @property
    def asked(self) -> str:
        """Returns the arguments of apt-get; "" without a call."""
        file = self.root / "asked"
        return file.read_text() if file.exists() else ""

    def setup(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.root / "grader" / "setup.sh"), *words],
            env={"PATH": str(self.path), "ASKED": str(self.root / "asked")},
            capture_output=True,
            text=True,
        )


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_a_ready_machine_is_ready(machine):
    done = machine.setup()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    python = (machine.root / "build/setup/python").read_text().strip()
    assert os.access(python, os.X_OK)


@pytest.mark.parametrize("words", [(), ("tests",)])
def test_the_second_time_is_instant(machine, words):
    machine.setup(*words)
    times = []
    for _ in range(5):
        start = time.monotonic()
        assert machine.setup(*words).returncode == 0
        times.append(time.monotonic() - start)
    assert min(times) < 0.05


@pytest.mark.parametrize(
    ("words", "lock"),
    [((), "grading.lock"), (("tests",), "grading.lock"), (("tests",), "tests.lock")],
)
def test_a_changed_list_of_packages_is_looked_at_again(machine, words, lock):
    machine.setup(*words)
    later = time.time() + 10
    os.utime(machine.root / "grader" / "requirements" / lock, (later, later))
    machine.without("g++")
    assert machine.setup(*words).returncode == 2


def test_grading_needs_no_package_of_the_tests(machine):
    machine.tool("python3", GRADING_ALONE)
    done = machine.setup()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (machine.root / ".venv").exists()
    assert machine.setup("tests").returncode == 2
    # Grading goes on after a failed installation of the tests' packages.
    assert machine.setup().returncode == 0


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ("WARNING: a slow server", "ERROR: no such package"),
        (
            "WARNING: Retrying after 'Error(': a connection: [Errno 111] Refused')': /",
            "[Errno 111] Refused",
        ),
    ],
)
def test_the_sentence_about_pip_has_the_reason(machine, first, reason):
    machine.tool("python3", GRADING_ALONE.replace("FIRST LINE", first))
    done = machine.setup("tests")
    assert f"could not be installed: {reason} (build/setup/pip.log" in done.stderr
    assert "python3-numpy" in done.stderr
    assert "python3-hypothesis" in done.stderr


def test_a_folder_that_cannot_be_written(machine):
    # Root may write everywhere: a command that fails stands for the folder.
    refusal = "mkdir: cannot create directory 'build': Permission denied"
    machine.without("mkdir")
    machine.tool("mkdir", f'echo "{refusal}" >&2; exit 1')
    done = machine.setup()
    assert done.returncode == 2
    assert f"{machine.root}/build/setup cannot be written (Permission denied)" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("lock", LOCKS, ids=lambda one: one.stem)
def test_a_lock_has_every_package_with_hashes_and_names_no_server(lock):
    text = lock.read_text()
    assert "://" not in text
    entries = re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]
    assert all(re.match(r"[\w.-]+==[\w.]+.*\\\n +--hash=sha256:", entry) for entry in entries)
    locked = {re.split("==", entry)[0] for entry in entries}
    wanted = re.findall(r"^[\w-]+", lock.with_suffix(".txt").read_text(), re.MULTILINE)
    assert set(wanted) <= locked


def test_both_locks_have_the_same_versions():
    pins = [set(re.findall(r"^([\w-]+)==(\S+)", one.read_text(), re.MULTILINE)) for one in LOCKS]
    grading, tests = ({name for name, _ in one} for one in pins)
    assert grading & tests
    assert all(pin in pins[0] for pin in pins[1] if pin[0] in grading)


def test_without_the_right_to_install_one_command_is_printed(machine):
    machine.without("g++")
    machine.without("nm")
    done = machine.setup()
    assert done.returncode == 2
    assert machine.asked == ""
    assert "sudo apt-get update && sudo apt-get install -y g++" in done.stderr
    assert "binutils" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (machine.root / "build/setup/python").exists()


def test_root_installs(machine):
    machine.tool("id", "echo 0")
    machine.without("clang++")
    done = machine.setup()
    assert done.returncode == 0
    assert "apt-get install -y --no-install-recommends clang" in machine.asked


def test_sudo_without_a_password_installs(machine):
    machine.tool("sudo", 'shift; exec "$@"')
    machine.without("nm")
    machine.setup()
    assert "binutils" in machine.asked


def test_a_missing_clang_is_told_and_no_obstacle(machine):
    machine.without("clang++")
    done = machine.setup()
    assert done.returncode == 0
    assert "apt-get install clang" in done.stderr


def test_no_network(machine):
    machine.tool("id", "echo 0")
    machine.tool("apt-get", "exit 100")
    machine.without("nm")
    done = machine.setup()
    assert done.returncode == 2
    assert "no network?" in done.stderr


def test_another_linux(machine):
    machine.without("apt-get")
    machine.without("nm")
    done = machine.setup()
    assert done.returncode == 2
    assert "neither Debian nor Ubuntu" in done.stderr
    assert "binutils" in done.stderr


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("Darwin 23.1.0", "container"),
        ("Linux 4.4.0-19041-Microsoft", "WSL 2"),
        ("MINGW64_NT-10.0 3.4", "WSL 2"),
    ],
)
def test_other_systems(machine, kernel, words):
    name, release = kernel.split(" ", 1)
    machine.tool("uname", f'[ "$1" = -s ] && echo "{name}" || echo "{release}"')
    done = machine.setup()
    assert done.returncode == 2
    assert words in done.stderr


def test_wsl_2_is_linux(machine):
    machine.tool("uname", '[ "$1" = -s ] && echo Linux || echo 5.15.90.1-microsoft-standard-WSL2')
    assert machine.setup().returncode == 0


def test_an_old_python_is_told(machine):
    # Without the modules, and too old for an installation.
    machine.tool(
        "python3",
        'case "$2" in *version_info*) exit 1 ;; *ensurepip*) exit 0 ;; *import*) exit 1 ;; esac\n'
        "echo Python 3.8.10",
    )
    done = machine.setup()
    assert done.returncode == 2
    assert "Python 3.10 or newer is needed; here is Python 3.8.10." in done.stderr
