"""A launch of a size that only the device knows, in four ways: the handout's table, as Markdown.

python stencil/figures/indirect.py [--device cpu] [--capacity 4194304]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from harness.figures.programs import NATIVE, compile_programs, run_json  # noqa: E402

# A kernel that launches another one is linked with the device's own runtime.
MORE = {"gpu": ["-rdc=true", "-lcudadevrt"], "cpu": []}
WAYS = ("count copied", "launch for all", "count read by the kernel", "launch from the device")
PERCENT = (1, 10, 100)  # of the capacity


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
    head = " | ".join(f"{percent} % in use" for percent in PERCENT)
    print(f"| {wanted.capacity} places | {head} |\n|{'---|' * (1 + len(PERCENT))}")
    for way in WAYS:
        print(f"| {way} | {' | '.join(f'{times[way]:.1f} µs' for times in columns)} |")


if __name__ == "__main__":
    main()
