"""What can be said of a kernel by a look at its body, which is not parsed."""

from __future__ import annotations

import re

from ..tokens import Tokens

# Words that may stand before a parenthesis in a kernel that calls nothing of importance.
HARMLESS = {
    "if", "for", "switch", "return", "sizeof", "alignof", "alignas", "__attribute__",
    "int", "unsigned", "float", "double", "char", "short", "long", "bool", "size_t",
    "min", "max", "abs", "fabs", "fabsf", "fmin", "fminf", "fmax", "fmaxf", "sqrt", "sqrtf",
    "rsqrtf", "exp", "expf", "log", "logf", "sinf", "cosf", "powf", "floorf", "ceilf", "fma",
    "fmaf", "__ldg", "__fmaf_rn", "__popc", "__clz", "__ffs",
}  # fmt: skip
MAKES_VECTOR = re.compile(r"make_[a-z]+\d$")
# A loop that reads what another processor writes needs one of them, or an atomic function in its
# condition.
READS_ANEW = {
    "volatile", "asm", "__asm", "__asm__", "atomic", "atomic_ref", "atomic_flag",
    "thread_scope_system", "counting_semaphore", "binary_semaphore",
    "__nanosleep", "__ldcv", "__ldcg", "__threadfence_system",
}  # fmt: skip
NOT_SIMPLE = {"while", "do", "goto", "volatile", "asm", "__asm__", "operator"}


def needs_globals(tokens: Tokens, body: int) -> bool:
    """Whether the body has a lambda or class, which cannot use local copies of threadIdx."""
    for p in range(body + 1, tokens.partner.get(body, body)):
        text = tokens.text(p)
        if text in ("struct", "class", "union"):
            return True
        if text == "[" and tokens.text(p + 1) != "[" and tokens.text(p - 1) != "[":
            before = tokens.token(p - 1)
            if before.kind == "punctuation" and before.text not in (")", "]", ">"):
                return True
            if before.text == "return":
                return True
    return False


def is_simple(tokens: Tokens, parameters: int, body: int) -> bool:
    """Whether the body surely neither waits, nor spins, nor calls what needs threadIdx."""
    if needs_globals(tokens, body):
        return False
    for p in range(parameters, tokens.partner.get(body, body)):
        text = tokens.text(p)
        if text in NOT_SIMPLE:
            return False
        if text == "(" and p > body:
            before = tokens.text(p - 1)
            if tokens.is_name(p - 1) and before not in HARMLESS and not MAKES_VECTOR.match(before):
                return False
            if before == ">" or (
                before == ")" and tokens.text(tokens.partner.get(p - 1, p) + 1) == "*"
            ):
                return False
    return True


def reads_anew(tokens: Tokens) -> bool:
    """Whether the file has a word without which no kernel of it can wait for the host."""
    for p in range(len(tokens.code)):
        text = tokens.text(p)
        if text in READS_ANEW:
            return True
        if text == "while":
            condition = range(p + 1, tokens.partner.get(p + 1, p + 1))
            if any(tokens.text(q).startswith("atomic") for q in condition):
                return True
    return False
