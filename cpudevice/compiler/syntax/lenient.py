"""Three things that nvcc takes and g++ does not.

A value of a constant of type float or double in its class:

    static const float x = 1;                     static constexpr float x = 1;

`return;` where a function returns a value, of which nvcc warns:

    in main                                       return 0;
    as a function's last statement                return {};
    anywhere in a function for the device alone   return {};

With nvcc the value of the last two is whatever a register holds. Others are errors, as with nvcc,
whose host compiler refuses them.

A class's own meaning of a name that the namespace `n` has too:

    using Size = Size<int>;                       using Size = ::n::Size<int>;
"""

from __future__ import annotations

from ..tokens import Tokens
from .kernels import VALUES
from .scopes import Scope, Scopes, declaration

FLOATING = {"float", "double"}
# What may stand between a lambda's parameters and its body.
BEHIND_PARAMETERS = {"->", "::", "<", ">", ",", "*", "&"}


def allow_value(tokens: Tokens, static: int) -> None:
    """Makes the member constexpr, as C++ wants it, if it is such a constant with a value."""
    words = {tokens.text(static + 1): static + 1, tokens.text(static + 2): static + 2}
    if "const" in words and FLOATING & words.keys() and tokens.text(static + 4) == "=":
        tokens.token(words["const"]).out = "constexpr"


def name_outer(tokens: Tokens, using: int, scopes: Scopes) -> None:
    """Says which namespace the name belongs to, in a class that gives its own meaning to it."""
    name = tokens.text(using + 1)
    if tokens.text(using + 2) == "=" and tokens.text(using + 3) == name:
        outer = "".join(f"{part}::" for part in scopes.namespaces())
        tokens.token(using + 3).before += f"::{outer}"


def translate_empty_return(tokens: Tokens, position: int, scopes: Scopes) -> None:
    """Handles the `return` at `position`, behind which a semicolon stands."""
    body = innermost_body(tokens, scopes)
    if body is None or body.kernel is not None:
        return
    first, brace = body.before
    name = function_name(tokens, first, brace)
    if tokens.text(name) == "main" and body is scopes.stack[1]:
        tokens.token(position).after += " 0"
        return
    specifiers = {tokens.text(p) for p in range(first, name)}
    if not specifiers & VALUES or "void" in specifiers:
        return
    is_last = tokens.partner.get(brace) == position + 2
    if is_last or ("__device__" in specifiers and "__host__" not in specifiers):
        tokens.token(position).after += " {}"


def innermost_body(tokens: Tokens, scopes: Scopes) -> Scope | None:
    """The body of the function that the walk is in; None in a lambda, class or namespace."""
    for scope, outer in zip(scopes.stack[:0:-1], scopes.stack[-2::-1], strict=True):
        if scope.kind in ("class", "namespace") or is_lambda(tokens, scope.before[1]):
            return None
        if scope.kind == "function" and outer.kind != "function":
            return scope
    return None


def is_lambda(tokens: Tokens, brace: int) -> bool:
    """Whether the body that the brace opens is that of a lambda."""
    p = brace - 1
    while tokens.is_name(p) or tokens.text(p) in BEHIND_PARAMETERS:
        p -= 1
    if tokens.text(p) == ")":
        p = tokens.partner[p] - 1
    return tokens.text(p) == "]"


def function_name(tokens: Tokens, first: int, brace: int) -> int:
    """Where the name of the function stands whose declaration begins at `first`."""
    places = declaration(tokens, first, brace)
    return next((p - 1 for p in places if tokens.text(p) == "("), first)
