"""Occupancy and time of the transpose: runs the experiment of occupancy.cu and stores its times.

python3 transpose/figures/occupancy.py, then python3 transpose/figures/tables.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from harness.figures.page_tables import store  # noqa: E402
from harness.figures.programs import gpu_name  # noqa: E402

PROGRAM = "build/gpu/transpose/occupancy"
RUN_S = 300
# tile, shared memory, blocks on a multiprocessor, share of its threads, time
LINE = re.compile(r"^(padded|rotated) +[\d.]+ KB +(\d+) +\d+ % +([\d.]+) ms .* right$")


def parsed(output: str) -> dict[str, dict[str, float]]:
    """{"8 blocks": {"padded": ms, "rotated": ms}}; of a number that occurs twice, the last."""
    times: dict[str, dict[str, float]] = {}
    for line in output.splitlines():
        if found := LINE.match(line):
            tile, blocks, ms = found.groups()
            times.setdefault(f"{blocks} blocks", {})[tile] = float(ms)
    return times


def main() -> None:
    gpu_name()
    subprocess.run(["make", PROGRAM], cwd=ROOT, check=True)
    command = [str(ROOT / PROGRAM)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=RUN_S)
    print(done.stdout)
    store(HERE / "measured.json", "occupancy", parsed(done.stdout))


if __name__ == "__main__":
    main()
