"""The console of all output, and the common style of its tables."""

import codecs
import os
import sys
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

MAX_WIDTH = 100
PLAIN_WIDTH = 100
STYLES = {"ok": "green", "skipped": "dim", "timeout": "yellow", "too_noisy": "yellow"}
FAILED = "red"
MARKS = {"ok": "✓", "skipped": "–"}
# Replacements for a terminal or a file without Unicode.
PLAIN_LETTERS = "plain-letters"
NEAREST = dict(zip("✓✗★▲–−─·…×µ≤→●│└▁▂▃▄▅▆▇█", "+x*^---.~xu<>o|+12345678", strict=True))


def make_console() -> Console:
    """Colours and motion in a terminal only; plain text of a fixed width when piped."""
    reconfigure(sys.stdout)
    console = Console(highlight=False, markup=False, soft_wrap=False)
    if not console.is_terminal:
        width = os.environ.get("COLUMNS", "")
        chosen = int(width) if width.isdigit() else PLAIN_WIDTH
        console = Console(highlight=False, markup=False, width=max(60, min(chosen, MAX_WIDTH)))
    elif console.width > MAX_WIDTH:
        console.width = MAX_WIDTH
    return console


def emit(console: Console, renderable: RenderableType) -> None:
    """Prints; piped text has no blanks at the ends of lines."""
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as capture:
        console.print(renderable)
    for line in capture.get().splitlines():
        console.file.write(line.rstrip() + "\n")
    console.file.flush()


def plain_table(**options: object) -> Table:
    """A table without a frame and with a dimmed header; `options` are those of rich.table.Table."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, **{"padding": (0, 1, 0, 0)} | options)
    table.header_style = table.border_style = "dim"
    return table


def nearest(error: UnicodeError) -> tuple[str, int]:
    """A letter for each status, so that tables stay aligned."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wanted = error.object[error.start : error.end]
    return "".join(NEAREST.get(letter, "?") for letter in wanted), error.end


codecs.register_error(PLAIN_LETTERS, nearest)


def reconfigure(stream: TextIO) -> None:
    """Makes the stream accept every letter."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=PLAIN_LETTERS)
