"""What the handout says of the card on a GPU beside the ladder.

python3 render/figures/card_gpu.py [--size 512] [--samples 64], and afterwards
python3 render/figures/tables.py

The parts of -use_fast_math one by one, what the calls around the kernel take, and, where Nsight
Compute may read a GPU's counters, achieved occupancy and branch efficiency of every rung.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from harness.figures.page_tables import store  # noqa: E402
from harness.figures.programs import NATIVE, compile_programs, run_json  # noqa: E402

MEASURED = Path(__file__).with_name("measured.json")
RUNG_2 = "render/ladder/card/02_intrinsics.cu"
RUNG_4 = "render/ladder/card/04_no_allocation.cu"
# What rung 2 is compiled with.
FLAGS = {
    "nothing": NATIVE["gpu"],
    "`-ftz=true`": [*NATIVE["gpu"], "-ftz=true"],
    "`-prec-div=false`": [*NATIVE["gpu"], "-prec-div=false"],
    "`-prec-sqrt=false`": [*NATIVE["gpu"], "-prec-sqrt=false"],
    "all of them, rung 3": [*NATIVE["gpu"], "-use_fast_math"],
    "PTX for sm_75, compiled by the driver": ["-gencode", "arch=compute_75,code=compute_75"],
}
COUNTERS = {
    "achieved occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "branch efficiency": "smsp__sass_average_branch_targets_threads_uniform.pct",
}
KERNEL = "render_card_kernel"


def flags_of(source: Path) -> list[str]:
    """What line 2 of a file asks for."""
    second = source.read_text().splitlines()[1]
    return second.removeprefix("// flags:").split() if second.startswith("// flags:") else []


def counted(program: Path, options: list[str]) -> dict[str, float]:
    """Each counter of one launch of the kernel, in per cent."""
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--launch-count", "1"]
    command += ["--kernel-name", KERNEL, "--metrics", ",".join(COUNTERS.values())]
    done = subprocess.run(
        [*command, program, *options], capture_output=True, text=True, timeout=600
    )
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line[:1] == '"'))
    if len(rows) < 2:
        raise SystemExit(f"card_gpu.py: ncu counted nothing:\n{done.stdout}{done.stderr}")
    return {name: round(float(rows[1][metric]), 1) for name, metric in COUNTERS.items()}


def name_of(file: Path) -> str:
    """The name of a rung or the solution in the tables."""
    return "solution" if file.parent.name == "solution" else file.stem


def around(times: dict[str, float]) -> dict[str, float]:
    """The kernel and the calls around it, in ms."""
    calls = ("cudaMalloc", "cudaMemcpy", "cudaFree")
    in_ms = {call: round(times[f"{call}_us"] / 1000, 4) for call in calls}
    return {"kernel": round(times["render_ms"], 3)} | in_ms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", default="512")
    parser.add_argument("--samples", default="64")
    wanted = parser.parse_args()
    options = ["--size", wanted.size, "--samples", wanted.samples]
    rungs = [*sorted((ROOT / "render/ladder/card").glob("*.cu")), ROOT / "render/solution/card.cu"]
    with tempfile.TemporaryDirectory() as folder:
        by_flag = {name: Path(folder) / f"flags{k}" for k, name in enumerate(FLAGS)}
        by_rung = {rung: Path(folder) / rung.stem for rung in rungs}
        wanted_programs = {
            by_flag[name]: [*flags, "render/figures/card_time.cu", RUNG_2]
            for name, flags in FLAGS.items()
        }
        for rung, program in by_rung.items():
            sources = ["render/figures/card_time.cu", str(rung)]
            wanted_programs[program] = [*NATIVE["gpu"], *flags_of(rung), *sources]
        compile_programs("gpu", "render", wanted_programs)
        flags = {
            name: {"render": round(run_json(program, *options)["render_ms"], 3)}
            for name, program in by_flag.items()
        }
        store(MEASURED, "card_flags", flags)
        times = run_json(by_rung[ROOT / RUNG_4], *options)
        store(MEASURED, "card_host", {"rung 4": around(times)})
        if shutil.which("ncu"):
            shares = {name_of(rung): counted(program, options) for rung, program in by_rung.items()}
            store(MEASURED, "card_counters", shares, "per cent")


if __name__ == "__main__":
    main()
