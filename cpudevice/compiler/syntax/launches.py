"""Launches: the configuration is pushed, then the kernel is called like a function.

kernel<<<grid, block>>>(x);   (::cudacpu::push_launch(grid, block), kernel(x));
"""

from __future__ import annotations

from ..tokens import CLOSERS, OPENERS, Tokens


def launch(tokens: Tokens, position: int) -> int:
    """Rewrites the launch whose <<< is at `position`; returns where its arguments begin."""
    end = position + 3
    while end < len(tokens.code):
        if tokens.is_triple(end, ">") and tokens.text(end + 3) == "(":
            break
        if tokens.text(end) in (";", "}"):
            raise tokens.error(
                position,
                "this <<< of a kernel launch has no matching >>> with the kernel's "
                "arguments in parentheses after it",
            )
        end = tokens.partner.get(end, end) + 1 if tokens.text(end) in OPENERS else end + 1
    if end == position + 3:
        raise tokens.error(position, "a launch needs a grid and a block between <<< and >>>")
    configuration = tokens.plain(position + 3, end - 1)
    tokens.erase(position, end + 2)
    start = callee_start(tokens, position)
    tokens.token(start).before += f"(::cudacpu::push_launch({configuration}), "
    tokens.token(tokens.partner[end + 3]).after += ")"
    return end + 3


def callee_start(tokens: Tokens, position: int) -> int:
    """The start of the expression for the kernel that ends before `position`."""
    p = position - 1
    while True:
        if tokens.text(p) == ">":
            depth = 0
            while p > 0:
                if tokens.text(p) == ">":
                    depth += 1
                elif tokens.text(p) == "<":
                    depth -= 1
                    if depth == 0:
                        break
                elif tokens.text(p) in CLOSERS:
                    p = tokens.partner.get(p, p)
                p -= 1
            p -= 1
        elif tokens.text(p) in (")", "]"):
            p = tokens.partner.get(p, p)
            if continues_left(tokens, p - 1):
                p -= 1
                continue
        if tokens.text(p - 1) == "template":
            p -= 1
        if tokens.text(p - 1) == "::":
            p -= 1
            if not continues_left(tokens, p - 1):
                return p
            p -= 1
        elif tokens.text(p - 1) in (".", "->"):
            p -= 2
        else:
            return p


def continues_left(tokens: Tokens, position: int) -> bool:
    """Whether an expression that continues after `position` includes the text before it."""
    text = tokens.text(position)
    if text == ")":
        opening = tokens.partner.get(position, position)
        return tokens.text(opening - 1) not in ("if", "while", "for", "switch")
    if text in ("]", ">"):
        return True
    return tokens.is_name(position) and text not in ("return", "else", "do")
