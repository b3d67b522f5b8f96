"""grader/setup.sh: instant when ready, one command without leave to install, clear sentences."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = "sh dirname uname mkdir mv cat grep printf env test true"


class Machine:
    """A copy of the script in a world with a chosen PATH."""

    def __init__(self, root: Path):
        self.root = root / "house"
        self.path = root / "path"
        (self.root / "grader").mkdir(parents=True)
        self.path.mkdir()
        for name in ("setup.sh", "requirements.txt"):
            shutil.copy2(ROOT / "grader" / name, self.root / "grader" / name)
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

    def setup(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.root / "grader" / "setup.sh")],
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


def test_the_second_time_is_instant(machine):
    machine.setup()
    times = []
    for _ in range(5):
        start = time.monotonic()
        assert machine.setup().returncode == 0
        times.append(time.monotonic() - start)
    assert min(times) < 0.05


def test_a_changed_list_of_packages_is_looked_at_again(machine):
    machine.setup()
    later = time.time() + 10
    os.utime(machine.root / "grader" / "requirements.txt", (later, later))
    machine.without("g++")
    assert machine.setup().returncode == 2


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
