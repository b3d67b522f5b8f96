"""Frame rates of volume's rungs over a turn about x, y and z, and what rows of fetches cost.

python3 render/figures/turn.py [--device cpu] [--volume 1024] [--size 1024] [--step 15] [--keep]
python3 render/figures/turn.py --shapes [--device cpu] [--volume 512] [--size 1024] [--keep]

The second command times the nine shapes of a block in five views. Both print the results. With
--keep the numbers go into render/figures/turn.json, from which draw.py draws volume_views.svg and
volume_near_z.svg, and tables.py writes the handout's tables.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tempfile
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.programs import NATIVE, compile_programs, gpu_name, run_json  # noqa: E402

# The first view is static, for comparison with the others.
TURNED = {"16 × 16": "03_square", "bands": "05_bands", "along the slices": "06_slices"}
# S. Du, S. Zhang 2016, section 3: about z the first band is better off with 32 × 8.
SHAPES = "04_shapes"
NEAR_Z = {"256 × 1": 0, "32 × 8": 3}  # its elements of kShapes
ALL_SHAPES = range(9)
VIEWS = {"x": [45], "y": [0, 45, 90], "z": [45]}  # in which all shapes are timed, in degrees
Rates = list[list[float]]  # [degrees, frames per second]


def compile_all(device: str, folder: Path) -> None:
    """turn.cu with each rung, named as the rung, and fetches.cu."""
    wanted = {folder / "fetches": [*NATIVE[device], "render/figures/fetches.cu"]}
    for rung in (*TURNED.values(), SHAPES):
        sources = ["render/figures/turn.cu", f"render/ladder/volume/{rung}.cu"]
        wanted[folder / rung] = [*NATIVE[device], *sources]
    compile_programs(device, "render", wanted)


def frames_per_s(program: Path, *options: object) -> Rates:
    return [[degrees, round(1000 / ms, 2)] for degrees, ms in run_json(program, *options)]


def measure(wanted: argparse.Namespace, folder: Path) -> dict:
    compile_all(wanted.device, folder)
    voxels = wanted.volume or 1024
    size = ("--volume", voxels, "--size", wanted.size)
    found: dict = {"voxels": voxels, "pixels": wanted.size, "turn": {}, "near_z": {}}
    for name, rung in TURNED.items():
        found["turn"][name] = {
            axis: frames_per_s(folder / rung, *size, "--axis", axis, "--step", wanted.step)
            for axis in "xyz"
        }
    for name, shape in NEAR_Z.items():
        more = ("--axis", "z", "--to", 15, "--step", 1, "--shape", shape)
        found["near_z"][name] = frames_per_s(folder / SHAPES, *size, *more)
    found["row_ns"] = run_json(folder / "fetches", "--volume", voxels)
    return found


def measure_shapes(wanted: argparse.Namespace, folder: Path) -> dict[str, list[float]]:
    """ms by view, "y 45", of each shape in turn."""
    compile_all(wanted.device, folder)
    found: dict[str, list[float]] = {}
    for axis, degrees in VIEWS.items():
        turned = ("--axis", axis, "--from", degrees[0], "--to", degrees[-1], "--step", 45)
        size = ("--volume", wanted.volume or 512, "--size", wanted.size)
        for shape in ALL_SHAPES:
            for view, ms in run_json(folder / SHAPES, *size, *turned, "--shape", shape):
                found.setdefault(f"{axis} {view}", []).append(ms)
    return found


def show(found: dict) -> None:
    static, *others = found["turn"]
    print(f"| about | {static} | {' | '.join(others)} |\n|{'---|' * (2 + len(others))}")
    for axis in "xyz":
        base = [rate for _, rate in found["turn"][static][axis]]
        cells = [f"{fmean(base):.1f} frames/s"]
        for name in others:
            rates = [rate for _, rate in found["turn"][name][axis]]
            gain = fmean(rates) / fmean(base)
            least = min(own / other for own, other in zip(rates, base, strict=True))
            cells.append(f"{fmean(rates):.1f} ({gain:.2f}×, at least {least:.2f}×)")
        print(f"| {axis} | {' | '.join(cells)} |")
    print("\n0 to 15 degrees about z, frames/s:")
    for name, rates in found["near_z"].items():
        only = [rate for _, rate in rates]
        spread = max(only) / min(only)
        print(f"  {name}: {' '.join(f'{rate:.1f}' for rate in only)}   max / min {spread:.3f}")
    x = found["row_ns"]["x"]
    row = "   ".join(f"{axis} {ns:.3f} ({ns / x:.2f})" for axis, ns in found["row_ns"].items())
    print(f"\na row of 32 fetches, ns of the whole GPU (against x): {row}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=NATIVE, default="gpu")
    parser.add_argument("--volume", type=int)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--step", type=int, default=15)
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--keep", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if wanted.shapes:
            found = measure_shapes(wanted, Path(folder))
            for view, times in found.items():
                print(f"{view:5}", *(f"{ms:6.3f}" for ms in times))
        else:
            found = measure(wanted, Path(folder))
            show(found)
    if wanted.keep:
        gpu = gpu_name() if wanted.device == "gpu" else "the CPU device"
        where = {"gpu": gpu, "date": datetime.date.today().isoformat()}
        stored = json.loads((HERE / "turn.json").read_text())
        stored |= {"shapes": where | {"ms": found}} if wanted.shapes else where | found
        (HERE / "turn.json").write_text(json.dumps(stored) + "\n")


if __name__ == "__main__":
    main()
