"""Runs a GPU's tools, ncu and compute-sanitizer, and parses their output."""

import csv
import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

PROGRAM_S = 40.0
STOPPED = "\nstopped: it took too long\n"
# The names of ncu's counters in this package; each counter is summed over the launches of a kernel.
METRICS = {
    "load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "instructions": "smsp__inst_executed.sum",
    "lanes": "smsp__thread_inst_executed.sum",
    # Not compared; the parts of a modelled time.
    "local_load_requests": "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "local_store_requests": "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "time_ns": "gpu__time_duration.sum",
    "dram_bytes": "dram__bytes.sum",
    "registers": "launch__registers_per_thread",
}
# The four checkers of compute-sanitizer, with their texts for the kinds of sanitize.
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
WORDINGS = (
    ("misaligned", re.compile(r"(?:Address|Access (?:at|to)) 0x[0-9a-f]+ is misaligned")),
    ("bad_access", re.compile(r"(?:Address|Access (?:at|to)) 0x[0-9a-f]+ is out of bounds")),
    ("race", re.compile(r"Race reported between")),
    ("uninitialised", re.compile(r"Uninitialized __\w+__ memory read")),
    ("barrier", re.compile(r"Barrier error detected")),
)


def run(command: list[str], root: Path, limit_s: float = PROGRAM_S) -> str:
    """Returns the output of a command, whatever its exit status; ends the command's children too.

    STOPPED is appended if the command did not finish in time.
    """
    process = subprocess.Popen(
        command,
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        output += STOPPED
    return output


def parse_counters(text: str) -> dict[str, dict[str, float]]:
    """{kernel: {counter: sum over its launches}} from ncu's raw page as CSV.

    Lines that begin with "==" come before the table, and the table's second line holds the units.
    """
    lines = [line for line in text.splitlines() if line.startswith('"')]
    kernels: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(lines):
        if not row.get("ID"):
            continue
        counts = kernels.setdefault(row["Kernel Name"], dict.fromkeys(("launches", *METRICS), 0.0))
        counts["launches"] += 1
        for name, metric in METRICS.items():
            counts[name] += parse_count(row.get(metric))
    return kernels


def parse_count(text: str | None) -> float:
    """Large numbers are grouped: "1,048,576"; a missing value is "n/a"."""
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return 0.0


def parse_findings(text: str) -> Counter[str]:
    """How often each kind of fault is reported."""
    return Counter(kind for line in reported(text) for kind in kinds_of(line))


def reported(text: str) -> Iterable[str]:
    """The lines of compute-sanitizer's own, without the program's."""
    return (line for line in text.splitlines() if line.startswith("========="))


def kinds_of(line: str) -> list[str]:
    return [kind for kind, wording in WORDINGS if wording.search(line)]


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "nothing was printed"
