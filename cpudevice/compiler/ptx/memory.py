"""PTX for memory: addresses and their spaces, loads, stores, atomics and fences."""

from __future__ import annotations

import re

from .registers import Registers, Unknown, vector
from .rules import HINT, Rules, policy
from .types import ANY, BITS, SHORT_FORMATS, TYPES, P

RULES = Rules()
rule = RULES.rule
UNORDERED = ("plain", "volatile")

# ---- addresses -----------------------------------------------------------------------------------
SPACE = r"(?:shared(?:::cta)?|global|local|const)"


@rule(rf"cvta(?P<to>\.to)?\.(?P<space>{SPACE})\.u(?P<bits>32|64)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    kind = f"u{m['bits']}"
    if not m["space"].startswith("shared"):
        return r.write(o[0], kind, r.read(o[1], kind))
    function = "to_shared" if m["to"] else "from_shared"
    return r.write(o[0], kind, f"static_cast<{TYPES[kind]}>({P}{function}({r.read(o[1], kind)}))")


@rule(r"isspacep\.(?P<space>shared(?:::cta)?|global|local|const)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    name = {"shared": "Shared", "global": "Global", "local": "Local", "const": "Constant"}
    function = f"__is{name[m['space'].split(':')[0]]}"
    return r.write(o[0], "pred", f"{function}({P}generic_address({r.read(o[1], 'u64')})) != 0")


# ---- memory --------------------------------------------------------------------------------------
SCOPE = r"(?:cta|gpu|sys|cluster)"
HINTS = (
    r"(?:\.nc)?(?:\.(?:ca|cg|cs|lu|cv|wb|wt))?(?:\.L1::(?:evict_\w+|no_allocate))?"
    rf"(?:\.L2::(?:evict_\w+))?{HINT}(?:\.L2::(?:64|128|256)B)?"
)
ORDER = (
    rf"(?:\.(?P<volatile>volatile)|\.weak|\.(?P<order>relaxed|acquire|release)\.{SCOPE}"
    r"|\.(?P<mmio>mmio)\.relaxed\.sys)?"
)
MEMORY = rf"{ORDER}(?:\.(?P<space>{SPACE}))?{HINTS}(?:\.v(?P<n>[24]))?\.(?P<t>{ANY})"


def way(m: re.Match[str], parts: int, not_here: str) -> str:
    """How so many parts are loaded or stored, which knows no order of the name `not_here`."""
    how = m["volatile"] or m["order"] or ("relaxed" if m["mmio"] else "plain")
    if parts != int(m["n"] or 1) or m["t"] in ("pred", "tf32") or how == not_here:
        raise Unknown
    bits = parts * BITS[m["t"]]
    if bits > 128 or (parts > 1 and m["mmio"]) or (m["t"] == "b128" and how not in UNORDERED):
        raise Unknown
    return how


def of_vectors(how: str) -> str:
    """The end of the name of a vector's load or store; without an order, all share a function."""
    return "" if how in UNORDERED else f"_{how}"


@rule(rf"ldu?{MEMORY}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    unused = policy(r, m, o, 2)
    to = vector(o[0])
    how = way(m, len(to), "release")
    address = r.address(o[1], m["space"] or "")
    cpp = TYPES[m["t"]]
    if len(to) == 1:
        return unused + r.write(o[0], m["t"], f"{P}load_{how}<{cpp}>({address})", loose=True)
    function = f"{P}load_vector{of_vectors(how)}<{cpp}, {len(to)}>"
    text = f"{unused}const auto __cudacpu_all = {function}({address}); "
    return text + " ".join(
        r.write(one, m["t"], f"{P}part<{cpp}, {i}>(__cudacpu_all)", loose=True)
        for i, one in enumerate(to)
    )


@rule(rf"st{MEMORY}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    unused = policy(r, m, o, 2)
    values = vector(o[1])
    how = way(m, len(values), "acquire")
    address, cpp = r.address(o[0], m["space"] or ""), TYPES[m["t"]]
    read = [r.read(one, m["t"], loose=True) for one in values]
    if len(values) == 1:
        return f"{unused}{P}store_{how}<{cpp}>({address}, {read[0]});"
    return f"{unused}{P}store_vector{of_vectors(how)}<{cpp}>({address}, {', '.join(read)});"


@rule(r"prefetchu?(?:\.(?:global|local))?\.L[12](?:::evict_\w+)?", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"static_cast<void>({r.address(o[0], '')});"


@rule(r"(?:applypriority\.(?:global\.)?L2::evict_normal|discard\.(?:global\.)?L2)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if o[1] != "128":
        raise Unknown
    return f"static_cast<void>({r.address(o[0], '')});"


@rule(r"createpolicy\.(?P<how>fractional|range|cvt)\.?[\w.:]*\.b64", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    kinds = {"fractional": ("f32",), "range": ("u64", "u32", "u32"), "cvt": ("b64",)}[m["how"]]
    # The fraction of the accesses with the policy may be left out.
    given = len(o) - 1
    if given != len(kinds) and not (given == 0 and m["how"] == "fractional"):
        raise Unknown
    unused = ""
    for operand, kind in zip(o[1:], kinds, strict=False):
        place = operand.startswith("[")
        value = r.address(operand, "global") if place else r.read(operand, kind)
        unused += f"static_cast<void>({value}); "
    return unused + r.write(o[0], "b64", "0ull")


CAS_TYPES = "b16 b32 b64"
ATOMICS = {
    "add": ("Add", "u32 s32 u64 f32 f64"), "min": ("Min", "u32 s32 u64 s64"),
    "max": ("Max", "u32 s32 u64 s64"), "and": ("And", "b32 b64"), "or": ("Or", "b32 b64"),
    "xor": ("Xor", "b32 b64"), "exch": ("Exch", "b32 b64"), "inc": ("Inc", "u32"),
    "dec": ("Dec", "u32"),
}  # fmt: skip
ATOMIC = (
    rf"(?:\.(?P<order>relaxed|acquire|release|acq_rel))?(?:\.{SCOPE})?(?:\.(?P<space>shared(?:::cta)?"
    rf"|global))?(?:\.{SCOPE})?\.(?P<op>\w+)(?:\.noftz)?{HINT}\.(?P<t>{ANY})"
)


@rule(rf"(?P<name>atom|red){ATOMIC}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    returns = m["name"] == "atom"
    if not o:
        raise Unknown
    target, rest = (o[0], o[1:]) if returns else ("", o)
    kind, op = m["t"], m["op"]
    short = SHORT_FORMATS.get(kind, "") if op == "add" else ""
    function, known = ATOMICS.get(op, ("CAS", CAS_TYPES) if op == "cas" and returns else ("", ""))
    if not short and kind not in known.split():
        raise Unknown
    count = 3 if op == "cas" else 2
    unused = policy(r, m, rest, count)
    values = ", ".join(r.read(one, kind) for one in rest[1:count])
    address = r.address(rest[0], m["space"] or "")
    before = "__threadfence(); " if m["order"] in ("release", "acq_rel") else ""
    after = " __threadfence();" if m["order"] in ("acquire", "acq_rel") else ""
    call = f"atomic{function}(static_cast<{TYPES[kind]}*>({address}), {values})"
    if short:
        call = f"{P}atomic_sum<{P}{short}>({address}, {values})"
    return f"{unused}{before}{r.write(target, kind, call) if returns else f'{call};'}{after}"


@rule(r"membar\.(?P<scope>cta|gl|sys)|fence(?:\.sc|\.acq_rel)?\.(?P<to>cta|gpu|sys|cluster)", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "__threadfence_block();" if "cta" in (m["scope"], m["to"]) else "__threadfence();"
