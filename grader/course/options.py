"""The options of a case as text: reading numbers, changing them, fitting them to a GPU's memory."""

import re
import shlex
from itertools import pairwise
from math import prod

from grader.course.declare import Case

SIZE_OPTIONS = ("n", "rows")  # halved to shrink a case
USABLE_SHARE = 0.6  # of the free device memory
# Options that set the size of a problem, with their powers: --size is a square's side.
EXTENTS = {"n": 1, "rows": 1, "cols": 1, "width": 1, "height": 1, "size": 2, "samples": 1}
EXTENTS |= {"circles": 1, "m": 1, "k": 1}


def numbers(options: str) -> dict[str, int]:
    """Reads {"rows": 8192, "cols": 8192} from "--rows 8192 --cols 8192"."""
    words = shlex.split(options)
    found = {}
    for option, value in pairwise(words):
        if option.startswith("-") and re.fullmatch(r"-?\d+", value):
            found[option.lstrip("-")] = int(value)
    return found


def size(options: str) -> float:
    """The amount of work for the options: elements, pixels, samples, circles."""
    found = numbers(options)
    return prod(found[name] ** power for name, power in EXTENTS.items() if found.get(name))


def with_number(options: str, name: str, value: int) -> str:
    """The options with `--name value`, replaced in place or added at the end."""
    replaced, count = re.subn(
        rf"(?<!\S)(-{{1,2}}{re.escape(name)})(\s+)-?\d+(?!\S)",
        lambda match: f"{match.group(1)}{match.group(2)}{value}",
        options,
    )
    if count:
        return replaced
    dashes = "-" if len(name) == 1 else "--"
    return f"{options} {dashes}{name} {value}".strip()


def needed_bytes(case: Case, options: str, halvings: int) -> int:
    if case.gpu_bytes is None:
        return 0
    if callable(case.gpu_bytes):
        return case.gpu_bytes(numbers(options))
    return case.gpu_bytes >> halvings


def fit_to_memory(case: Case, options: str, free_bytes: int) -> tuple[str, str]:
    """The options, reduced until the case fits the GPU's memory, and a note for a cut, or ""."""
    usable = int(free_bytes * USABLE_SHARE)
    halvings = 0
    sizes = [name for name in SIZE_OPTIONS if name in numbers(options)]
    shrunk = options
    while needed_bytes(case, shrunk, halvings) > usable:
        if not sizes or numbers(shrunk)[sizes[0]] < 2:
            break
        shrunk = with_number(shrunk, sizes[0], numbers(shrunk)[sizes[0]] // 2)
        halvings += 1
    if not halvings:
        return options, ""
    size = numbers(shrunk)[sizes[0]]
    note = f"shrunk to --{sizes[0]} {size} to fit the GPU's {free_bytes / 2**30:.1f} GiB free"
    return shrunk, note
