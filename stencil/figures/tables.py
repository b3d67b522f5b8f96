"""The handout's tables by mask and by depth: python stencil/figures/tables.py [--take]

Writes them into README.md from measured.json. With --take the times that `make ladder-stencil`, or
`make ladder-stencil PART=mirror`, has left in build/ladder/stencil.json are put into measured.json
first. With --check nothing is written, and a table that differs is an error.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from harness.figures.page_tables import markdown, three_digits, with_tables  # noqa: E402

PAGE = HERE.parent / "README.md"
MEASURED = HERE / "measured.json"
LADDER = ROOT / "build/ladder/stencil.json"
SCRIPT = "figures/tables.py"
MASKS = {"01_int_flag": "256 MiB", "02_byte_flag": "64 MiB", "08_compaction": "8 MiB + list"}
BITS = "8 MiB"
DEPTHS = range(1, 7)
SCENES = ("diffuse", "mirror", "large")
# Frames per second on a GeForce GTX 560, in V. and A. Frolov's note; there is no sixth of the last.
NOTE = {
    "diffuse": ("diffuse in the note, GTX 560", ["40", "37", "34", "32", "30", "29.5"]),
    "mirror": ("mirror in the note", ["30", "25", "23.7", "20", "19.4", "18.8"]),
    "large": ("23 000 primitives in the note", ["32", "23", "18.6", "16.1", "14.4", ""]),
}

BySize = dict[str, dict[str, float]]  # ms by case and rung


def take() -> None:
    """The sizes of the last ladder, beside those of parts that it did not run."""
    stored = json.loads(MEASURED.read_text())
    ladder = json.loads(LADDER.read_text())
    for name, part in ladder["parts"].items():
        if part["by_size"]:
            rounded = {
                case: {entry: float(f"{ms:.4g}") for entry, ms in times.items()}
                for case, times in part["by_size"].items()
            }
            stored[name] = {"gpu": ladder["gpu"], "date": ladder["date"], "by_size": rounded}
    MEASURED.write_text(json.dumps(stored, indent=1) + "\n")


def title(entry: str) -> str:
    """ "03_bit_by_shift" -> "3 bit by shift" """
    number, _, words = entry.partition("_")
    return f"{int(number)} {words.replace('_', ' ')}" if number.isdigit() else entry


def by_mask(times: BySize, heavy: bool) -> str:
    cases = [case for case in times if case.endswith(", heavy") == heavy]
    head = [case.removesuffix(", heavy").replace(" random", "") for case in cases]
    rows = (
        [
            title(entry),
            MASKS.get(entry, BITS),
            *(three_digits(1000 * times[c][entry]) for c in cases),
        ]
        for entry in times[cases[0]]
    )
    return markdown(["µs", "mask", *head], rows)


def frames(times: BySize) -> str:
    rows = []
    for scene in SCENES:
        for entry in times[f"{scene} at depth 1"]:
            rates = [1000 / times[f"{scene} at depth {depth}"][entry] for depth in DEPTHS]
            rows.append([f"{scene}, {title(entry)}", *map(three_digits, rates)])
        name, rates = NOTE[scene]
        rows.append([name, *rates])
    return markdown(["", *map(str, DEPTHS)], rows)


def page() -> str:
    stored = json.loads(MEASURED.read_text())
    masks = stored["stencil_test"]["by_size"]
    tables = {
        "light": by_mask(masks, heavy=False),
        "heavy": by_mask(masks, heavy=True),
        "frames": frames(stored["mirror"]["by_size"]),
    }
    return with_tables(PAGE, SCRIPT, tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--take", action="store_true")
    parser.add_argument("--check", action="store_true")
    wanted = parser.parse_args()
    if wanted.take:
        take()
    text = page()
    if not wanted.check:
        PAGE.write_text(text)
    elif text != PAGE.read_text():
        raise SystemExit(f"{PAGE}: a table is not that of measured.json: python {SCRIPT}")


if __name__ == "__main__":
    main()
