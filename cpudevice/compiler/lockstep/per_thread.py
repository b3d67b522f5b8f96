"""Text for loops over the threads of a block, and for the variables that these keep in arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..tokens import Tokens
from .statements import NotInLockstep, Variable

# At most so many variables become arrays, because the arrays share one stack.
MOST_KEPT = 24
# The head of such a loop, and what ends it: cudacpu/lockstep.h.
EACH_THREAD = (
    "::cudacpu::each_thread(blockDim, [&]([[maybe_unused]] const ::uint3& threadIdx, "
    "[[maybe_unused]] const unsigned __cudacpu_t) __attribute__((always_inline)) { "
)
END = " });"


def hidden(variable: Variable) -> str:
    """The name of the array; two variables of one name may exist at a time."""
    return f"__cudacpu_kept_{variable.name}_{variable.position}"


def arrays(variables: Iterable[Variable], before: Variable | None) -> str:
    """The arrays of these variables, on the stack behind that of the variable `before`."""
    text = ""
    for v in variables:
        offset = f"decltype({hidden(before)})::kEnd" if before else "0"
        text += f"::cudacpu::PerThread<{v.type}, __cudacpu_kernel::max_threads(), {offset}> "
        text += f"{hidden(v)}; "
        before = v
    return text


def with_types(
    code: Tokens, variables: Iterable[Variable], unseen: set[str], kept: dict[str, Variable]
) -> list[Variable]:
    """The variables, with types that arrays can have for those that are declared as `auto`.

    The arrays are declared where the names of `unseen` are not known. Of the variables in `kept`
    there are arrays already.
    """
    known, found = dict(kept), []
    for variable in variables:
        words = variable.type.split()
        if "auto" in words:
            if not variable.initial or not set(words) <= {"const", "auto"}:
                raise NotInLockstep
            first, last = variable.initial
            value = [word_outside(code, p, unseen, known) for p in range(first, last + 1)]
            variable = replace(variable, type=f"std::decay_t<decltype({' '.join(value)})>")
        known[variable.name] = variable
        found.append(variable)
    return found


def word_outside(code: Tokens, place: int, unseen: set[str], kept: dict[str, Variable]) -> str:
    """What stands for a word of an expression outside the loop over the threads."""
    word = code.text(place)
    if not code.is_name(place) or code.text(place - 1) in (".", "->", "::"):
        return word
    if word in kept:
        return f"{hidden(kept[word])}[0]"
    if word in unseen:
        raise NotInLockstep
    return word


def keeps(variables: Iterable[Variable]) -> str:
    """Stores the values of the running thread."""
    return "".join(f" {hidden(v)}.keep(__cudacpu_t, {v.name});" for v in variables)


def begin_with_zeros(code: Tokens, variables: Iterable[Variable]) -> None:
    """Gives those a value that are declared without one: else g++ warns where they are kept."""
    for variable in variables:
        if variable.initial:
            continue
        last = variable.position
        while code.text(last + 1) == "[":
            last = code.partner[last + 1]
        code.token(last).after += "{}"
