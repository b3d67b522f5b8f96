"""make sass: what nvdisasm and nvcc wrote, put beside the source; the listing, the page."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from cpudevice.model.gpu import load_gpu
from grader.base.device import find_nvcc
from grader.base.errors import UsageError
from grader.cli.commands import COMMANDS
from grader.cli.main import main
from grader.course.load import load_assignment
from grader.explain.registers.collect import Chip, FileEntry
from grader.explain.sass import collect, terminal
from grader.explain.sass.collect import FileSass, find_nvdisasm, with_kernel
from grader.explain.sass.disassembly import Instruction, read_ptx, read_sass
from grader.explain.sass.memory import Move, move_of, operation
from grader.explain.sass.terminal import show_sass
from grader.report.write import sass_page

ROOT = Path(__file__).parents[3]
RECORDED = Path(__file__).parent / "sass"
SOURCE = (RECORDED / "small.cu").read_text().splitlines()
VECTOR, SPILL = "_Z13vector_kernelPK6float4PS_f", "_Z12spill_kernelILi20EEvPKfPf"
SAXPY = load_assignment(ROOT, "saxpy")
H200 = Chip("NVIDIA H200", load_gpu("h200").limits)


def recorded(name: str) -> str:
    """The recorded files of small.cu, as if compiled in place."""
    return (RECORDED / name).read_text().replace("/course/", f"{RECORDED}/")


@pytest.fixture
def small(monkeypatch, tmp_path) -> FileSass:
    """small.cu as a result of collect()."""
    target = tmp_path / "small.ptxas"
    (tmp_path / "small.keep").mkdir()
    target.write_text(recorded("small.ptxas"))
    (tmp_path / "small.keep" / "small.ptx").write_text(recorded("small.ptx"))
    monkeypatch.setattr(collect, "listing_target", lambda entry, chip: str(target))
    monkeypatch.setattr(collect, "disassemble", lambda tool, cubin: recorded("small.sass"))
    entry = FileEntry("small", RECORDED / "small.cu", "build/cpu/small")
    return collect.read_file(ROOT, SAXPY, SAXPY.parts[0], entry, H200, "nvdisasm")


def kernel_named(file: FileSass, name: str) -> collect.KernelSass:
    return next(one for one in file.kernels if one.function.base_name == name)


def line_of(file: FileSass, kernel: str, code: str) -> collect.SourceLine:
    number = next(i for i, text in enumerate(SOURCE, 1) if code in text)
    (lines,) = kernel_named(file, kernel).files.values()
    return next(line for line in lines if line.number == number)


def test_machine_code_is_read_without_what_fills_its_end():
    code = read_sass(recorded("small.sass"))
    assert set(code) == {VECTOR, SPILL}
    last = code[VECTOR][-1]
    assert (last.text, last.address, last.label) == ("EXIT", 0x160, ".L_x_11")
    load = next(one for one in code[VECTOR] if one.text.startswith("LDG"))
    assert load.text == "LDG.E.128 R4, desc[UR6][R4.64]"
    (place,) = load.places
    assert place[1] == 11
    assert not any("reuse" in one.text or "SpillRefill" in one.text for one in code[SPILL])


def test_an_inlined_function_has_its_place_and_that_of_its_call():
    product = next(
        one for one in read_sass(recorded("small.sass"))[VECTOR] if one.text.startswith("FMUL")
    )
    assert [number for _, number in product.places] == [5, 14]
    (ptx,) = [one for one in read_ptx(recorded("small.ptx"))[VECTOR] if "mul.f32" in one.text]
    assert [number for _, number in ptx.places] == [5, 14]


def test_ptx_has_short_parameters_and_its_labels():
    code = read_ptx(recorded("small.ptx"))
    assert code[VECTOR][0].text.startswith("ld.param.u64 %rd1, [param_0]")
    assert not any(one.text.startswith(".") for one in [*code[VECTOR], *code[SPILL]])
    branches = """.visible .entry k(
)
{
	.loc	1 4 2
	@%p1 bra 	$L__BB0_2;
$L__BB0_2:
	ret;
}
	.file	1 "/course/k.cu"
"""
    jump, end = read_ptx(branches)["k"]
    assert (jump.text, jump.places) == ("@%p1 bra $L__BB0_2", (("/course/k.cu", 4),))
    assert (end.text, end.label) == ("ret", "$L__BB0_2")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("@!P0 LDG.E.128 R12, desc[UR8][R16.64]", Move("load", 16)),
        ("LDG.E.U8.CONSTANT R1, desc[UR4][R2.64]", Move("load", 1)),
        ("STG.E desc[UR6][R2.64+0x3400], R75", Move("store", 4)),
        ("STS.U16 [R0], R4", Move("shared store", 2)),
        ("LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64]", Move("copy to shared", 16)),
        ("LDSM.16.M88.4 R4, [R8]", Move("shared load", 0)),
        ("ATOMG.E.ADD.64.STRONG.GPU PT, R2, desc[UR4][R2.64], R4", Move("atomic", 8)),
        ("STL [R1], R13", Move("local store", 4)),
        ("IMAD.WIDE R4, R13, 0x10, R4", None),
        ("LDC.64 R4, c[0x0][0x210]", None),
    ],
)
def test_an_instruction_says_what_it_moves(text, move):
    assert move_of(Instruction(text, ())) == move


def test_a_register_that_is_spilled_is_no_local_array():
    assert move_of(Instruction("LDL.64 R2, [R1]", (), spills=True)) == Move("spill load", 8)


def test_the_operation_is_the_name_without_its_condition():
    assert operation("@!UP0 BRA (.L_x_1)") == "BRA"
    assert operation("@%p3 bra $L__BB0_2") == "bra"


def test_each_line_has_what_was_made_of_it(small):
    assert [one.function.name for one in small.kernels] == ["spill_kernel<20>", "vector_kernel"]
    loaded = line_of(small, "vector_kernel", "tile[i] = in[i]")
    assert {move_of(one) for one in loaded.sass} == {
        None,
        Move("load", 16),
        Move("shared store", 16),
    }
    assert any(one.text.startswith("ld.global.v4.u32") for one in loaded.ptx)
    assert any(one.text == "mov.u32 %r3, tile" for one in loaded.ptx)
    # A function's own line has the instructions, not the line of the call.
    assert [one.text for one in line_of(small, "vector_kernel", "return x * a").sass][-1] == (
        "FMUL R8, R8, UR4"
    )
    assert line_of(small, "vector_kernel", "__shared__ float4").sass == []


def test_a_place_in_a_header_of_the_toolkit_is_that_of_its_call():
    file = RECORDED / "small.cu"
    places = (("/usr/local/cuda/include/mma.hpp", 70), (str(file), 14))
    where = collect.place_of(ROOT, file, Instruction("HMMA", places))
    assert where == ("tests/grader/explain/sass/small.cu", 14)
    where = collect.place_of(ROOT, file, Instruction("HMMA", places[:1]))
    assert where == ("tests/grader/explain/sass/small.cu", 0)


def shown(file: FileSass, width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), highlight=False, markup=False)
    show_sass(console, [file])
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_listing_fits_the_terminal(small, width):
    text = shown(small, width)
    assert max(map(len, text.splitlines())) <= width
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "vector_kernel 16 registers, 23 instructions, no spills" in lines
    assert "1 × load 16 B" in lines and "1 × shared store 16 B" in lines
    if width >= 100:
        assert any(line.endswith("LDG.E.128 R4, desc[UR6][R4.64] load 16 B") for line in lines)


def test_the_listing_marks_spills(small):
    text = shown(small)
    words = " ".join(text.split())
    assert "24 registers" in words
    function = kernel_named(small, "spill_kernel").function
    assert function.spill_stores > 0
    said = f"spills: {function.spill_stores} bytes stored, {function.spill_loads} loaded"
    assert said in words
    assert "spill store 4 B" in text and "spill load 8 B" in text and "local" not in text


def test_long_lines_are_counted(small, monkeypatch):
    text = shown(small)
    assert "20 × LDG.E" in text and "20 × ld.global.f32" in text
    assert "the page lists each instruction of lines with more than 12" in text
    monkeypatch.setattr(terminal, "MOST_LISTED", 200)
    assert "20 × LDG.E" not in shown(small)


def test_other_instances_of_a_template_have_a_row_only(small):
    spill = kernel_named(small, "spill_kernel")
    other = collect.replace(spill, function=collect.replace(spill.function, name="spill_kernel<8>"))
    text = shown(collect.replace(small, kernels=[spill, other]))
    assert text.count("spill_kernel<8>") == 1
    assert text.count("spill_kernel<20>") == 2


def test_a_kernel_is_chosen_by_its_name(small):
    (one,) = with_kernel([small], "spill_kernel")
    assert [kernel.function.name for kernel in one.kernels] == ["spill_kernel<20>"]
    with pytest.raises(UsageError, match="did you mean spill_kernel"):
        with_kernel([small], "spil_kernel")


def test_the_page_has_every_instruction(small):
    page = sass_page("saxpy", [small])
    kernel = kernel_named(small, "spill_kernel")
    assert page.count(">LDG.E R") == kernel.moves[Move("load", 4)] == 20
    assert '<td class="good">load 16 B</td>' in page
    assert 'class="bad">spill store 4 B</td>' in page
    assert 'id="term-sass"' in page and 'href="#term-ptx"' in page


@pytest.mark.parametrize(
    ("missing", "words"), [("find_nvcc", "install the CUDA toolkit"), ("find_nvdisasm", "pip")]
)
def test_a_missing_tool_is_named_in_a_sentence(monkeypatch, capsys, missing, words):
    monkeypatch.setattr(collect, "find_nvcc", lambda: "nvcc")
    monkeypatch.setattr(collect, missing, lambda: None)
    assert main(COMMANDS, ["sass", "transpose", "--device", "cpu"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.skipif(
    find_nvcc() is None or find_nvdisasm() is None, reason="needs nvcc and nvdisasm"
)
@pytest.mark.slow
def test_a_rung_end_to_end():
    command = [sys.executable, "-m", "grader", "sass", "saxpy", "--part", "saxpy"]
    command += ["--with", "ladder/saxpy/03_vectorised.cu", "--model", "h200"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert "vector_kernel" in words and "LDG.E.128" in words and "ld.global.v4.f32" in words
    assert "no spills" in words and "for sm_90;" in words
    assert "LDG.E.128" in (ROOT / "build" / "sass" / "saxpy.html").read_text()
