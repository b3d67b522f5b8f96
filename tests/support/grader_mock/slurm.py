"""A real Slurm of a node on the loopback interface, for tests: no root, no munge, no database."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

CONF = """
ClusterName=ladder
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmdParameters=config_overrides
AuthType=auth/none
CredType=cred/none
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=10
MaxArraySize=3
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000
PartitionName=all Nodes=localhost Default=YES State=UP
"""
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")


def slurm_missing() -> str:
    """Why Slurm cannot be used, or ""."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    return f"{missing[0]} is not installed (Debian: slurm-wlm)" if missing else ""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Cluster:
    """slurmctld and slurmd in the foreground of the test, until close()."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("state", "spool"):
            (folder / name).mkdir()
        self.conf = folder / "slurm.conf"
        ports = {"controller": free_port(), "daemon": free_port()}
        self.conf.write_text(CONF.format(folder=folder, user=getpass.getuser(), **ports))
        self.environment = {
            "SLURM_CONF": str(self.conf),
            "PATH": f"{os.environ['PATH']}:/usr/sbin",
        }
        self.processes: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> Cluster:
        self.start("slurmctld", "-D", "-f", str(self.conf))
        self.start_node()
        deadline = time.monotonic() + 30
        while "idle" not in self.ask("sinfo", "--noheader", "--format=%T"):
            if time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError((self.folder / "slurmctld.log").read_text()[-2000:])
            time.sleep(0.2)
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes.values()):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def start(self, name: str, *arguments: str) -> None:
        self.processes[name] = subprocess.Popen(
            [name, *arguments],
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start_node(self) -> None:
        self.start("slurmd", "-D", "-f", str(self.conf), "-N", "localhost")

    def kill_node(self, word: str) -> None:
        """Acts like a power cut: kills the daemon, each task with `word` in the command, and the
        step.

        A task's parent is Slurm's step daemon, which has left the test's process tree.
        """
        node = self.processes["slurmd"]
        doomed = [node.pid]
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
                if "--wave" in command and word in command:
                    parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                    doomed += [int(parent), int(folder.name)]
        for pid in doomed:
            if pid > 1:
                os.kill(pid, signal.SIGKILL)
        node.wait(10)

    def ask(self, *command: str) -> str:
        done = subprocess.run(
            command, env=os.environ | self.environment, capture_output=True, text=True, timeout=30
        )
        return done.stdout
