"""The handout's tables of times: python3 stencil/figures/tables.py [--take]

--take puts the times of the last `make ladder-stencil DEVICE=gpu`, or of a part, in place of the
stored times first.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from harness.figures.page_tables import (
    Table,
    Times,
    markdown,
    run,
    three_digits,
    title,
    titles,
)

MASKS = {"01_int_flag": "256 MiB", "02_byte_flag": "64 MiB", "08_compaction": "8 MiB + list"}
BITS = "8 MiB"
# What the two tables of masks show, in this order.
ITEMS = ("100 %", "50 %", "10 %", "1 %", "0 %")
KINDS = [f"{share} random" for share in ITEMS] + [f"{share} grouped" for share in ITEMS[1:4]]
DEPTHS = range(1, 7)
SCENES = ("diffuse", "mirror", "large")
# Frames per second on a GeForce GTX 560, in V. and A. Frolov's note; there is no sixth of the last.
NOTE = {
    "diffuse": ("diffuse in the note, GTX 560", ["40", "37", "34", "32", "30", "29.5"]),
    "mirror": ("mirror in the note", ["30", "25", "23.7", "20", "19.4", "18.8"]),
    "large": ("23 000 primitives in the note", ["32", "23", "18.6", "16.1", "14.4", ""]),
}
PERSISTENT = {
    "01_count_copied": "1 count copied",
    "02_launch_all": "2 launch for all",
    "03_fixed_items": "3 eight per thread",
    "04_grid_stride": "4 grid-stride",
    "05_persistent": "5 persistent",
    "06_larger_chunks": "6 larger chunks",
    "07_refill": "7 refill",
    "solution": "solution",
}
WAYS = (
    ("count copied", "count copied to the host"),
    ("launch for all", "launch for all"),
    ("count read by the kernel", "count read by the kernel"),
    ("launch from the device", "launch from the device"),
)
WORK = {"even": "even", "heavy tail": "tail", "uneven warps": "warps"}


def by_mask(times: Times, heavy: bool) -> str:
    cases = [f"{kind}, heavy" if heavy else kind for kind in KINDS]
    head = [kind.replace(" random", "") for kind in KINDS]
    rows = (
        [
            title(entry),
            MASKS.get(entry, BITS),
            *(three_digits(1000 * times[case][entry]) for case in cases),
        ]
        for entry in times[cases[0]]
    )
    return markdown(["µs", "mask", *head], rows)


def frames(times: Times) -> str:
    rows = []
    for scene in SCENES:
        for entry in times[f"{scene} at depth 1"]:
            rates = [1000 / times[f"{scene} at depth {depth}"][entry] for depth in DEPTHS]
            rows.append([f"{scene}, {title(entry)}", *map(three_digits, rates)])
        name, rates = NOTE[scene]
        rows.append([name, *rates])
    return markdown(["", *map(str, DEPTHS)], rows)


def indirect(times: Times) -> str:
    """In µs with one digit behind the point: what is compared are differences of a few."""
    rows = (
        [name, *(f"{1000 * case[way]:.1f} µs" for case in times.values())] for way, name in WAYS
    )
    return markdown(["4 194 304 places", *times], rows)


if __name__ == "__main__":
    run(
        Path(__file__),
        {
            "light": lambda stored: by_mask(stored["stencil_test"]["times"], heavy=False),
            "heavy": lambda stored: by_mask(stored["stencil_test"]["times"], heavy=True),
            "frames": lambda stored: frames(stored["mirror"]["times"]),
            "write_back": Table(
                "write_back",
                {
                    "all of 2^26": "all active",
                    "50 % of 2^26": "half at random",
                    "10 % grouped of 2^26": "10 % in groups",
                    "1 % of 2^26": "1 % at random",
                    "none of 2^26": "none",
                },
                {"01_or_tree": "1 OR tree", "02_vote": "2 votes", "03_reduce_or": "3 reduce or"}
                | titles("04_ballot", "05_many_words", "solution"),
                head="2²⁶ items, light work",
            ),
            "indirect": lambda stored: indirect(stored["indirect"]["times"]),
            "several": Table(
                "persistent",
                WORK,
                {entry: PERSISTENT[entry] for entry in [*PERSISTENT][1:4]},
                head="2²² items",
            ),
            "persistent": Table(
                "persistent",
                WORK | {"ramp, a tenth used": "ramp, a tenth in use"},
                PERSISTENT,
                head="2²² items",
            ),
        },
        experiments=[["indirect.py"]],
    )
