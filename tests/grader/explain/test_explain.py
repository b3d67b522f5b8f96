"""Explain, compare and debug: causes, pictures, listings, and the commands on real programs."""

import dataclasses
import io
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import textbook
from rich.console import Console

from cpudevice.model.gpu import load_gpu
from cpudevice.model.model import estimate
from cpudevice.model.profile import Example, parse_profile
from grader.base.device import can_profile
from grader.base.errors import UsageError
from grader.base.text import time_text
from grader.course import resolve
from grader.course.climb import Standing, next_rung
from grader.course.load import load_assignment
from grader.course.resolve import Submission
from grader.explain import pictures
from grader.explain.compare import show_comparison
from grader.explain.explain import Explained
from grader.explain.listing import TERMS, large, listed, per_request, terms
from grader.explain.terminal import listing_lines, show_explained
from grader.explain.timeline import has_timeline, lanes_of
from grader.loop.debug import coordinates, kernel_lines
from grader.report.write import explain_page
from grader.timing.diagnose import cause_of, slowdowns, stride

ROOT = Path(__file__).parents[3]
ASSIGNMENT = load_assignment(ROOT, "transpose")
PART = ASSIGNMENT.parts[0]
NAIVE = "transpose/ladder/01_naive.cu"


def example(step: int, size: int = 4, first: int = 0) -> dict:
    offsets = [first + step * lane for lane in range(32)]
    return {"block": [0, 0, 0], "warp": 0, "bytes": size, "offsets": offsets}


def line(access: str, **counters: object):
    """The only line of a profile with a kernel of a single line."""
    shown = counters.pop("example", None)
    stored = textbook.line(access, 100, 26, **counters) | {"example": shown}
    profile = parse_profile(textbook.profile(textbook.kernel(8, (256, 1, 1), [stored])))
    return profile.kernels[0].lines[0]


def explained(variant: str, file: str = NAIVE, store_line: int = 26) -> Explained:
    stored = textbook.transpose(variant, 2048)
    for kernel in stored["kernels"]:
        kernel.update(file=file, line=24)
        for one in kernel["lines"]:
            one.update(file=file, line=store_line)
            step = {"global_store": 8192 if variant == "naive" else 4, "shared_load": 128}
            one["example"] = example(step.get(one["access"], 4))
    profile = parse_profile(stored)
    timed = estimate(profile)
    submission = Submission(PART, ROOT / file, "build/cpu/transpose/transpose")
    found = slowdowns(timed, profile.host)
    case, options = PART.speed[0], "--rows 2048 --cols 2048 --seed 1"
    return Explained(
        ROOT,
        ASSIGNMENT,
        PART,
        submission,
        case,
        options,
        profile,
        timed,
        found,
        wrong="",
        next_rung=next_rung(PART, standing_of(submission.file, found)),
    )


def standing_of(file: Path, found: list) -> Standing:
    """Returns the standing of a rung, or of a file of which only the causes are known."""
    rung = resolve.rung_of(ROOT, ASSIGNMENT, PART, file)
    return Standing(rung=rung, causes=tuple(slowdown.kind for slowdown in found))


def shown_text(show, *arguments) -> str:
    console = Console(width=100, file=io.StringIO(), highlight=False, markup=False)
    show(console, *arguments)
    return console.file.getvalue()


# Causes.
CAUSES = [
    (
        line("global_store", sectors=32, ideal_sectors=4, lines128=32, example=example(16384)),
        "uncoalesced",
        "neighbouring threads write 16384 bytes apart: 32 sectors per request, 4 would do",
    ),
    (
        line("global_load", sectors=5, ideal_sectors=4, lines128=2, example=example(4, first=12)),
        "misaligned",
        "begins 12 bytes after the start of a sector: 5 sectors per request, 4 would do",
    ),
    (
        line("global_load", sectors=17.5, ideal_sectors=4, lines128=9),
        "uncoalesced",
        "scattered addresses: 17.5 sectors per request",
    ),
    (
        line("shared_load", wavefronts=32, ideal_wavefronts=1, example=example(128)),
        "bank_conflict",
        "read 128 bytes apart, all in one bank: each request takes 32 steps, 1 would do",
    ),
    (
        line("shared_store", wavefronts=2, ideal_wavefronts=1, example=example(8)),
        "bank_conflict",
        "write 8 bytes apart, all in 16 of the 32 banks: each request takes 2 steps",
    ),
    (line("local_store", sectors=4, ideal_sectors=4), "local_memory", "lives in memory"),
    (line("atomic_global", conflicts=31), "atomics", "31 threads of a warp wait"),
    (line("global_load", sectors=4, ideal_sectors=4, lines128=1), "", ""),
    # All lanes read the same word: less than what different words would need.
    (line("global_load", sectors=1, ideal_sectors=4, lines128=1), "", ""),
    (line("shared_load", wavefronts=4, ideal_wavefronts=4), "", ""),
    (line("barrier"), "", ""),
]


@pytest.mark.parametrize(("profiled", "kind", "words"), CAUSES)
def test_causes(profiled, kind, words):
    found, sentence = cause_of(profiled)
    assert found == kind
    assert words in sentence


def test_the_costliest_cause_comes_first_and_small_ones_are_left_out():
    found = explained("naive").slowdowns
    assert [slowdown.kind for slowdown in found] == ["uncoalesced"]
    assert explained("padded").slowdowns == []


def test_lines_that_hardly_run_are_not_marked_for_their_few_threads():
    few = {**textbook.global_line("global_load", 1, 4, 1, number=7), "lanes": 2, "bytes": 8}
    for others, found in ((10, [7]), (1000, [])):
        lines = [few, textbook.global_line("global_load", others, 4, 1, number=8)]
        profile = parse_profile(textbook.profile(textbook.kernel(8, (256, 1, 1), lines)))
        assert [f.line.line for f in slowdowns(estimate(profile), [])] == found


def test_no_line_needs_more_than_it_moves():
    one = line("global_load", sectors=1, ideal_sectors=4)
    assert one.ideal_sectors == one.sectors and per_request(one) == "1 sector (1)"


def test_what_one_thread_does_for_its_warp_is_no_finding():
    together = textbook.global_line("global_load", 10, 4, 1, number=8)
    for requests, found in ((10, []), (1000, [7])):
        alone = textbook.global_line("global_store", requests, 1, 1, number=7)
        alone |= {"lanes": requests, "bytes": 4 * requests, "ideal_sectors": requests}
        profile = parse_profile(
            textbook.profile(textbook.kernel(8, (256, 1, 1), [alone, together]))
        )
        assert [f.line.line for f in slowdowns(estimate(profile), [])] == found


def test_a_kernel_of_few_active_lanes_is_named():
    kernel = textbook.kernel(800, (256, 1, 1), [textbook.global_line("global_load", 10, 4, 1)])
    kernel |= {"active_lane_average": 2.2, "warp_instructions": 10_000_000}
    (found,) = slowdowns(estimate(parse_profile(textbook.profile(kernel))), [])
    assert (found.kind, found.line) == ("divergence", None)
    assert "of a warp's 32 threads 2.2 are at work on average" in found.sentence


def test_an_edge_is_named_only_where_a_request_begins_behind_it():
    aligned = line("global_load", sectors=8, ideal_sectors=4)
    whole = dataclasses.replace(aligned, example=Example((0, 0, 0), 0, 4, (*range(0, 128, 4),)))
    assert "some of its requests begin in the middle of a sector" in cause_of(whole)[1]
    half = tuple(4 * lane if lane % 8 < 4 else None for lane in range(32))
    gaps = dataclasses.replace(aligned, example=Example((0, 0, 0), 0, 4, half))
    assert cause_of(gaps) == (
        "divergence",
        "the threads of a warp that read leave gaps: 8 sectors per request, 4 would do",
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([{}], ""),
        ([{"launches": 6}], "each of 6 launches"),
        (
            [{"launches": 5}, {"warp_instructions": 10_000_000}],
            "once; {whole} in 6 launches that differ in size or work",
        ),
    ],
)
def test_it_says_of_which_launches_a_time_is(more, said):
    shown = explained("naive")
    kernels = [textbook.kernel(8, (256, 1, 1), [], **one) for one in more]
    profile = parse_profile(textbook.profile(*kernels))
    shown = dataclasses.replace(shown, profile=profile, estimate=estimate(profile))
    whole = sum(one.launch_us * one.kernel.launches for one in shown.estimate.kernels)
    assert shown.launches(shown.kernels[0]) == said.format(whole=time_text(whole / 1e3))


def test_shared_memory_binds_no_kernel_that_has_none():
    loads = textbook.global_line("global_load", 1000, 4, 1) | {"lines128": 32_000_000}
    kernel = textbook.kernel(8, (256, 1, 1), [loads])
    found = estimate(parse_profile(textbook.profile(kernel)))
    assert found.limit == "l1" and ("L1 cache" in {name for name, _, _ in terms(found.kernels[0])})


def test_a_rung_is_not_sent_back_to_what_it_knows():
    ladder = ROOT / "transpose" / "ladder"
    for stem, cure in (("02_shared", "03_padded"), ("03_padded", ""), ("06_vectorised", "")):
        rung = explained("shared", file=str((ladder / f"{stem}.cu").relative_to(ROOT)))
        assert rung.cure("bank_conflict") == cure
    assert explained("shared", file="transpose/transpose.cu").cure("bank_conflict") == "03_padded"


def test_a_finding_in_a_header_names_it():
    found = explained("naive").slowdowns[0]
    assert explained("naive").place(found) == "line 26"
    elsewhere = dataclasses.replace(found.line, file="transpose/tiles.cuh")
    header = dataclasses.replace(found, line=elsewhere)
    assert explained("naive").place(header) == "tiles.cuh:26"


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [([0, 4, 8], 4), ([8, 4, 0], -4), ([0, None, 8, 12], 4), ([0, 4, 9], None), ([7], None)],
)
def test_stride(offsets, expected):
    assert stride(Example((0, 0, 0), 0, 4, tuple(offsets))) == expected
    assert stride(None) is None


HOST = [
    (
        [{"op": "memcpy_h2d", "bytes": 1 << 26}, {"op": "memcpy_d2h", "bytes": 1 << 26}],
        ["pageable"],
    ),
    ([{"op": "managed_fault", "bytes": 1 << 26}], ["faults"]),
    ([{"op": "malloc", "bytes": 1 << 20}, {"op": "free"}], ["allocation"]),
    ([{"op": "memcpy_h2d", "bytes": 1 << 26, "pinned": True}], []),
]


@pytest.mark.parametrize(("host", "kinds"), HOST)
def test_causes_in_the_hosts_code(host, kinds):
    profile = parse_profile(textbook.profile(host=host))
    assert [f.kind for f in slowdowns(estimate(profile), profile.host)] == kinds


def test_one_stream_overlaps_nothing():
    copy = {"bytes": 1 << 24, "pinned": True, "async": True, "stream": 1}
    up, down = copy | {"op": "memcpy_h2d"}, copy | {"op": "memcpy_d2h"}
    launch = {"op": "launch", "kernel": 0, "stream": 1}
    kernel = textbook.kernel(1 << 16, (256, 1, 1), [])
    for streams, kinds in ((1, ["no_overlap"]), (2, [])):
        host = [up, launch, down | {"stream": streams}]
        profile = parse_profile(textbook.profile(kernel, host=host))
        assert [f.kind for f in slowdowns(estimate(profile), profile.host)] == kinds


# Pictures.
PICTURED = [
    (pictures.sectors_picture, example(4), "128 bytes in 4 sectors of 32 bytes: 100 %"),
    (pictures.sectors_picture, example(8192), "128 bytes in 32 sectors of 32 bytes: 12.5 %"),
    (pictures.sectors_picture, example(16, 16), "512 bytes in 16 sectors"),
    (pictures.sectors_picture, example(0), "4 bytes in 1 sectors"),
    (pictures.banks_picture, example(128), "1 of 32 banks of shared memory: 32 steps"),
    (pictures.banks_picture, example(132), "32 of 32 banks of shared memory: one step"),
    (pictures.banks_picture, example(0), "1 of 32 banks of shared memory: one step"),
]


@pytest.mark.parametrize(("draw", "shown", "words"), PICTURED)
def test_pictures_are_well_formed_and_say_what_they_show(draw, shown, words):
    request = Example((0, 0, 0), 0, shown["bytes"], tuple(shown["offsets"]))
    picture = draw(request, False)
    assert words in ElementTree.fromstring(picture).find("{*}title").text
    assert draw(request, False) == picture


def test_a_request_of_no_lane_does_not_break_a_picture():
    request = Example((0, 0, 0), 0, 4, (None,) * 32)
    for draw in (pictures.sectors_picture, pictures.banks_picture):
        ElementTree.fromstring(draw(request, True))


# Listing, terminal and page.
def test_the_listing_has_the_source_beside_its_counters():
    one = explained("naive")
    (lines,) = listed(one, one.profile.kernels[0]).values()
    assert [source.number for source in lines] == [24, 25, 26, 27]
    cells = {cell.access: cell for cell in lines[2].cells}
    assert cells["load"].per_request == "4 sectors (4)"
    assert cells["store"].per_request == "32 sectors (4)"
    assert cells["store"].slowdown and not cells["load"].slowdown


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_listing_shows_code_whole_whatever_the_terminals_width(width):
    one = explained("naive")
    (lines,) = listed(one, one.profile.kernels[0]).values()
    shown = [text.plain for text in listing_lines(lines, width)]
    assert max(map(len, shown)) <= width
    words = [word for text in shown for word in text.split()]
    for source in lines:
        code = source.text.split()
        places = range(len(words) - len(code) + 1)
        assert any(words[at : at + len(code)] == code for at in places), source.text
    (marked,) = [text for text in shown if text.startswith("▲")]
    assert marked.endswith("32 sectors (4)")


def test_a_profile_cannot_name_any_file_of_the_machine():
    one = explained("naive")
    assert one.source(NAIVE)
    for path in ("/etc/passwd", "../../etc/passwd", "transpose/../../secret.cu", "LICENSE"):
        assert one.source(path) == []
    (lines,) = listed(explained("naive", "/etc/hosts"), one.profile.kernels[0]).values()
    assert lines


@pytest.mark.parametrize(
    ("value", "words"), [(0, "0"), (999, "999"), (131_072, "131 k"), (4.19e6, "4.19 M")]
)
def test_large_numbers(value, words):
    assert large(value) == words


def test_the_terminal_names_line_cause_and_cure():
    text = shown_text(show_explained, explained("naive"))
    assert "8192 bytes apart: 32 sectors per request, 4 would do" in text
    assert "cure: rung 02_shared" in text
    assert "bound by store requests" in text
    assert "✓ no line does more than it must" in shown_text(show_explained, explained("padded"))


def test_every_term_of_the_model_has_a_name():
    timed = explained("naive").estimate.kernels[0]
    assert set(timed.terms_us) == set(TERMS)


def of_host_part() -> Explained:
    """Two copies of pageable memory around a kernel of some microseconds."""
    stored = textbook.transpose("naive", 64)
    there, back = ({"op": op, "bytes": 1 << 20} for op in ("memcpy_h2d", "memcpy_d2h"))
    profile = parse_profile(stored | {"host": [there, *stored["host"], back]})
    one = dataclasses.replace(explained("naive"), profile=profile, estimate=estimate(profile))
    return dataclasses.replace(one, slowdowns=slowdowns(one.estimate, profile.host))


def test_a_call_that_copies_is_shown_over_time():
    one = of_host_part()
    assert has_timeline(one) and not has_timeline(explained("naive"))
    lanes = {lane.name: lane for lane in lanes_of(one.estimate)}
    there, back = lanes["copies to the device"], lanes["copies to the host"]
    kernels, idle = lanes["kernels"], lanes["nothing on the device"]
    assert there.does == back.does == "1 MiB in 1 copy, pageable"
    assert there.spans[-1][1] <= kernels.spans[0][0] < back.spans[0][0]
    pieces = [*there.spans, *kernels.spans, *back.spans, *idle.spans]
    assert sum(end - begin for begin, end in pieces) == pytest.approx(1, abs=0.01)


def test_a_kernel_that_hardly_counts_is_no_listing():
    one = of_host_part()
    text = shown_text(show_explained, one)
    name = one.kernels[0].kernel.name
    assert f"their lines are on the page: {name}" in text
    assert "each (ideal)" not in text
    assert "✓" not in text
    page = explain_page("transpose", [one])
    assert f"<summary>Kernel <code>{name}</code>" in page


def test_the_page_is_self_contained_and_the_same_each_time():
    page = explain_page("transpose", [explained("shared")])
    assert page == explain_page("transpose", [explained("shared")])
    assert page.count('role="img"') == 1
    for outside in ("src=", 'href="h', "<script", "url("):
        assert outside not in page
    assert "all in one bank" in page


def test_a_comparison_shows_what_differs():
    text = shown_text(show_comparison, explained("naive"), explained("more_per_thread"))
    rows = {row.split("  ")[0].strip(): row for row in text.splitlines() if row.strip()}
    assert rows["global sectors"].split()[-1] == "0.222"
    assert rows["from memory"].split()[-1] == "="
    assert rows["shared steps"].split()[-1] == "–"


# Debug.
def test_where_gdb_stops(tmp_path):
    file = tmp_path / "mine.cu"
    file.write_text(
        "// __global__ void not_this(int a) {\n"
        "template <class T>\n"
        "__global__ void __launch_bounds__(256)\n"
        "first(const T* x,\n"
        "      int n) {\n"
        "  x[n] = 0;\n"
        "}\n"
        "__global__ void declared(int n);\n"
        "__global__ void second() { done(); }\n"
    )
    assert kernel_lines(file) == [6, 9]
    file.write_text("int main() {}\n")
    with pytest.raises(UsageError, match="no kernel"):
        kernel_lines(file)


def test_a_block_and_a_thread_are_a_condition():
    assert coordinates("threadIdx", "") == []
    expected = ["blockIdx.x == 3", "blockIdx.y == 1", "blockIdx.z == 0"]
    assert coordinates("blockIdx", "3,1") == expected
    for bad in ("x", "1,2,3,4", "1;quit", "-1"):
        with pytest.raises(UsageError):
            coordinates("threadIdx", bad)


# The commands on real programs.
def grader(*arguments: str, commands: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", *arguments],
        cwd=ROOT,
        input=commands,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.skipif(not can_profile(), reason="no g++ here")
@pytest.mark.slow
def test_explain_and_compare_the_first_rungs():
    naive = grader("explain", "transpose", "--with", "ladder/01_naive.cu", "--case", "1024x1024")
    assert naive.returncode == 0, naive.stderr
    assert "4 sectors (4)" in naive.stdout
    printed = " ".join(naive.stdout.split())
    assert "write 4096 bytes apart: 32 sectors per request, 4 would do" in printed
    page = (ROOT / "build/explain/transpose.html").read_text()
    assert "<svg" in page and str(ROOT) not in page
    files = ("--a", "ladder/02_shared.cu", "--b", "ladder/03_padded.cu", "--case", "256x257")
    compared = grader("compare", "transpose", *files)
    assert compared.returncode == 0, compared.stderr
    assert "shared steps" in compared.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("explain", "transpose", "--case", "huge"), "case"),
        (("explain", "transpose", "--with", "nothing.cu"), "no file"),
        (("explain", "transpose", "--model", "voodoo"), "MODEL is"),
        (("compare", "saxpy"), "compare needs a file beside yours"),
        (("debug", "transpose", "--thread", "x"), "no block or thread"),
    ],
)
def test_mistakes_are_one_sentence(arguments, words):
    done = grader(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def debug(*arguments: str, commands: str = "quit\n") -> subprocess.CompletedProcess[str]:
    done = grader("debug", *arguments, commands=commands)
    if "ptrace" in done.stderr + done.stdout:
        pytest.skip("gdb may not trace here")
    return done


needs_gdb = pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here")


@needs_gdb
@pytest.mark.slow
def test_gdb_stops_in_the_kernel():
    where = ("--case", "64x64", "--block", "1,0", "--thread", "5,2")
    commands = "cuda\nprint rows\nnext\nprint threadIdx\nkill\nquit\n"
    done = debug("transpose", "--with", "ladder/03_padded.cu", *where, commands=commands)
    assert "[block (1, 0, 0) of (2, 2, 1), thread (5, 2, 0) of (32, 32, 1)]" in done.stdout
    assert "= 64" in done.stdout
    assert "= (5, 2, 0)" in done.stdout


@needs_gdb
@pytest.mark.slow
def test_a_thread_that_no_launch_has_is_named():
    """A case of 32x32 is a single block of the rung; a condition on a second block never holds."""
    where = ("--with", "ladder/03_padded.cu", "--case", "32x32", "--block", "1,0")
    shown = debug("transpose", *where).stdout
    assert "has blockIdx.x == 1 && blockIdx.y == 0 && blockIdx.z == 0; its first launch" in shown
    assert "(0, 0, 0) of (1, 1, 1)" in shown


@needs_gdb
@pytest.mark.slow
def test_debug_without_a_part_takes_one():
    assert "[no thread reached saxpy.cu:" in debug("saxpy").stdout


def test_the_slice_of_the_default_gpu_is_what_is_explained():
    assert explained("naive").estimate.gpu == load_gpu("h200").slice()
