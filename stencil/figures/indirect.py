"""A launch of a size that only the device knows, in four ways: the handout's table, as Markdown.

python3 stencil/figures/indirect.py [--device cpu] [--capacity 4194304]

Times of a GPU are stored; python3 stencil/figures/tables.py writes them into the handout.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from harness.figures.page_tables import store  # noqa: E402
from harness.figures.programs import NATIVE, compile_programs, run_json  # noqa: E402

# A kernel that launches another kernel is linked with the device's own runtime.
MORE = {"gpu": ["-rdc=true", "-lcudadevrt"], "cpu": []}
WAYS = ("count copied", "launch for all", "count read by the kernel", "launch from the device")
PERCENT = (1, 10, 100)  # of the capacity


def in_ms(columns: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """{"1 % in use": {"count copied": ms}} of what the program prints in µs"""
    return {
        f"{percent} % in use": {way: round(times[way] / 1000, 5) for way in WAYS}
        for percent, times in zip(PERCENT, columns, strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=NATIVE, default="gpu")
    parser.add_argument("--capacity", type=int, default=1 << 22)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "indirect"
        flags = [*NATIVE[wanted.device], *MORE[wanted.device]]
        words = [*flags, "stencil/figures/indirect.cu"]
        compile_programs(wanted.device, "stencil", {program: words})
        columns = [
            run_json(program, "--capacity", wanted.capacity, "--percent", percent)
            for percent in PERCENT
        ]
    if wanted.device == "gpu":
        store(Path(__file__).with_name("measured.json"), "indirect", in_ms(columns))
    head = " | ".join(f"{percent} % in use" for percent in PERCENT)
    print(f"| {wanted.capacity} places | {head} |\n|{'---|' * (1 + len(PERCENT))}")
    for way in WAYS:
        print(f"| {way} | {' | '.join(f'{times[way]:.1f} µs' for times in columns)} |")


if __name__ == "__main__":
    main()
