"""Text with code spans in a terminal: hints, questions, notes, a table of rungs."""

from __future__ import annotations

import re

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown
from rich.segment import Segment
from rich.text import Text

FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
JOINED = "\ue000"  # stands for a blank at which a line must not be broken


class Prose:
    """A text that breaks no code span shorter than a line.

    Without colours a code span keeps its backticks, so that a reader still sees what is code.
    """

    def __init__(self, markdown: str):
        self.markdown = markdown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width
        plain = console.color_system is None

        def join(match: re.Match[str]) -> str:
            code = " ".join(match[1].split())
            shown = f"`{code}`" if plain else code
            if len(shown) <= room:
                shown = shown.replace(" ", JOINED)
            return f"`` {shown} ``" if plain else f"`{shown}`"

        pieces = FENCE.split(self.markdown)
        pieces[::2] = [SPAN.sub(join, piece) for piece in pieces[::2]]
        for text, style, control in console.render(Markdown("".join(pieces)), options):
            yield Segment(text.replace(JOINED, " "), style, control)


class Note:
    """A line of a report: like Prose, without breaks in code spans shorter than a line."""

    def __init__(self, text: Text):
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        def join(match: re.Match[str]) -> str:
            fits = len(match[0]) <= options.max_width
            return match[0].replace(" ", JOINED) if fits else match[0]

        text = self.text.copy()
        text.plain = SPAN.sub(join, text.plain)
        for shown, style, control in console.render(text, options):
            yield Segment(shown.replace(JOINED, " "), style, control)
