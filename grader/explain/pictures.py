"""Draws SVG: a warp's addresses over the sectors of memory, or a warp's lanes over banks.

Plain text with fixed formatting, so the same profile gives the same picture, byte for byte.
"""

from collections import defaultdict

from cpudevice.model.profile import SECTOR_BYTES, Example
from grader.timing.diagnose import BANK_BYTES, BANKS, Slowdown

LANES = 32
PITCH = 26  # from lane to lane
LEFT = 76
TOP = 44
BOX = 20
DROP = 110  # from the lanes to the sectors or banks
WIDTH = LEFT + LANES * PITCH + 16
SECTORS_IN_LINE = 4
MAX_WORDS = 40  # at most, in a stack of boxes

STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#404a54}"
    ".small{font-size:10px}.dim{fill:#7b858f}.middle{text-anchor:middle}.end{text-anchor:end}"
    ".sector{fill:#fff;stroke:#9aa5b0}.wasted{fill:#f0f2f4;stroke:#9aa5b0}"
)


def slowdown_picture(slowdown: Slowdown) -> str:
    """The SVG of a slowdown's example request, "" if no picture shows the slowdown."""
    line = slowdown.line
    if line is None or line.example is None or not any(o is not None for o in line.example.offsets):
        return ""
    if line.space == "shared":
        return banks_picture(line.example, line.is_store)
    # Local memory has no picture: every lane's offsets are in a memory of its own.
    if line.space == "global":
        return sectors_picture(line.example, line.is_store)
    return ""


def sectors_picture(example: Example, store: bool) -> str:
    """The lanes on top, and below every 32-byte sector that the request touches."""
    touched = touched_bytes(example)
    sectors = sorted({byte // SECTOR_BYTES for byte in touched})
    places = sector_places(sectors)
    right = max(places.values(), default=0.0)
    scale = min(1.0, (WIDTH - LEFT - 16) / (right + PITCH)) if sectors else 1.0
    pitch = PITCH * scale
    drawing = lanes_row(example)
    y = TOP + BOX + DROP
    for sector in sectors:
        x = LEFT + places[sector] * scale
        drawing.append(box(x, y, pitch - 2, BOX, "wasted"))
        for first, size, lane in runs(touched, sector):
            at, width = ((pitch - 2) * part / SECTOR_BYTES for part in (first, size))
            drawing.append(box(x + at, y, width, BOX, "", colour(lane)))
    for lane, offset in enumerate(example.offsets):
        if offset is not None:
            share = (offset % SECTOR_BYTES + example.bytes / 2) / SECTOR_BYTES
            x = LEFT + places[offset // SECTOR_BYTES] * scale + min(1.0, share) * (pitch - 2)
            drawing.append(arrow(lane, x, y))
    drawing.append(text(LEFT - 8, y + 14, "sectors", "end"))
    drawing += gap_labels(sectors, places, scale, y)
    used, moved = len(touched), len(sectors) * SECTOR_BYTES
    verb = "stores" if store else "loads"
    title = (
        f"One warp {verb} {used} bytes in {len(sectors)} sectors of {SECTOR_BYTES} bytes: "
        f"{100 * used / max(1, moved):.3g} % of what moves is used"
    )
    return document(title, y + BOX + 34, drawing)


def touched_bytes(example: Example) -> dict[int, int]:
    """{offset of a byte: the first lane that accesses it}."""
    touched: dict[int, int] = {}
    for lane, offset in enumerate(example.offsets):
        if offset is not None:
            for byte in range(offset, offset + min(example.bytes, 16)):
                touched.setdefault(byte, lane)
    return touched


def sector_places(sectors: list[int]) -> dict[int, float]:
    """Where each sector is drawn: neighbours side by side, others after a gap."""
    places, x, before = {}, 0.0, None
    for sector in sectors:
        if before is not None:
            x += PITCH
            if sector != before + 1:
                x += PITCH / 2
            elif sector % SECTORS_IN_LINE == 0:
                x += 4
        places[sector], before = x, sector
    return places


def gap_labels(sectors: list[int], places: dict[int, float], scale: float, y: float) -> list[str]:
    """The address below the first sector of each run; of many runs, the first, middle and last."""
    starts = [s for s in sectors if s - 1 not in places]
    shown = starts if len(starts) <= 8 else [starts[0], starts[len(starts) // 2], starts[-1]]
    labels = []
    for sector in shown:
        x = LEFT + places[sector] * scale
        anchor = "small dim end" if sector == sectors[-1] and len(starts) > 1 else "small dim"
        x += PITCH * scale if "end" in anchor else 0
        labels.append(text(x, y + BOX + 16, f"+{sector * SECTOR_BYTES}", anchor))
    if len(starts) > 8:
        middle = LEFT + LANES * PITCH / 4
        labels.append(text(middle, y + BOX + 16, f"… {len(starts)} places …", "small dim middle"))
    return labels


def banks_picture(example: Example, store: bool) -> str:
    """The lanes on top, and below the 32 banks with the different words wanted in each bank."""
    words: dict[int, dict[int, int]] = defaultdict(dict)  # bank: {word: first lane}
    for lane, offset in enumerate(example.offsets):
        if offset is not None:
            first = offset // BANK_BYTES
            for word in range(first, max(first + 1, (offset + example.bytes) // BANK_BYTES)):
                words[word % BANKS].setdefault(word, lane)
    steps = max((len(wanted) for wanted in words.values()), default=0)
    height = BOX if steps <= 4 else max(5.0, 4 * BOX / min(steps, MAX_WORDS))
    drawing = lanes_row(example)
    y = TOP + BOX + DROP
    for bank in range(BANKS):
        x = LEFT + bank * PITCH
        drawing.append(box(x, y, PITCH - 6, height, "wasted"))
        drawing.append(text(x + (PITCH - 6) / 2, y - 5, str(bank), "small dim middle"))
        for row, (_, lane) in enumerate(sorted(words[bank].items())):
            if row < MAX_WORDS:
                drawing.append(box(x, y + row * height, PITCH - 6, height - 1, "", colour(lane)))
    for lane, offset in enumerate(example.offsets):
        if offset is not None:
            x = LEFT + offset // BANK_BYTES % BANKS * PITCH + (PITCH - 6) / 2
            drawing.append(arrow(lane, x, y - 16))
    drawing.append(text(LEFT - 8, y + 14, "banks", "end"))
    verb = "stores to" if store else "loads from"
    used = sum(1 for wanted in words.values() if wanted)
    what = "one step" if steps == 1 else f"{steps} steps, one after the other"
    title = f"One warp {verb} {used} of {BANKS} banks of shared memory: {what}"
    return document(title, y + max(1, min(steps, MAX_WORDS)) * height + 16, drawing)


# ---- the strokes ------------------------------------------------------------------------------


def lanes_row(example: Example) -> list[str]:
    drawing = [text(LEFT - 8, TOP + 14, "lanes", "end")]
    for lane in range(LANES):
        active = lane < len(example.offsets) and example.offsets[lane] is not None
        fill = colour(lane) if active else "#fff"
        drawing.append(
            box(LEFT + lane * PITCH, TOP, PITCH - 6, BOX, "" if active else "sector", fill)
        )
        x = LEFT + lane * PITCH + (PITCH - 6) / 2
        drawing.append(text(x, TOP - 5, str(lane), "small dim middle"))
    return drawing


def arrow(lane: int, x: float, y: float) -> str:
    start = LEFT + lane * PITCH + (PITCH - 6) / 2
    return (
        f'<path d="M{start:.1f} {TOP + BOX:.1f}L{x:.1f} {y:.1f}" '
        f'stroke="{colour(lane)}" stroke-opacity=".7" fill="none"/>'
    )


def colour(lane: int) -> str:
    """From blue at lane 0 to orange at lane 31."""
    share = lane / (LANES - 1)
    ends = zip((58, 110, 165), (224, 130, 60), strict=True)
    red, green, blue = (round(a + (b - a) * share) for a, b in ends)
    return f"#{red:02x}{green:02x}{blue:02x}"


def box(x: float, y: float, width: float, height: float, class_: str, fill: str = "") -> str:
    look = f' class="{class_}"' if class_ else ""
    look += f' fill="{fill}"' if fill else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{look}/>'


def text(x: float, y: float, words: str, class_: str = "") -> str:
    look = f' class="{class_}"' if class_ else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{look}>{words}</text>'


def runs(touched: dict[int, int], sector: int) -> list[tuple[int, int, int]]:
    """[(first byte, size, lane)]: what each lane accesses in a sector, in order."""
    found: list[tuple[int, int, int]] = []
    for byte in range(SECTOR_BYTES):
        lane = touched.get(sector * SECTOR_BYTES + byte)
        if lane is None:
            continue
        if found and found[-1][2] == lane and sum(found[-1][:2]) == byte:
            found[-1] = (found[-1][0], found[-1][1] + 1, lane)
        else:
            found.append((byte, 1, lane))
    return found


def document(title: str, height: float, drawing: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img"><title>{title}</title>'
        f"<style>{STYLE}</style>" + text(LEFT, 18, title) + "".join(drawing) + "</svg>\n"
    )
