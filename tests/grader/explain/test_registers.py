"""make registers: nvcc's listings, the launches beside them, the table, the command on a file."""

import dataclasses
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import textbook
from rich.console import Console

from cpudevice.model.gpu import load_gpu
from cpudevice.model.occupancy import MultiprocessorLimits
from cpudevice.model.profile import parse_profile
from grader.base import device
from grader.base.device import Device, choose_device, find_nvcc
from grader.base.errors import UsageError
from grader.cli.commands import COMMANDS
from grader.cli.main import main
from grader.course.load import load_assignment
from grader.explain.registers import collect
from grader.explain.registers.collect import (
    Chip,
    FileEntry,
    FileRegisters,
    PartRegisters,
    choose_chip,
    entries_of,
    rows_of,
)
from grader.explain.registers.ptxas import Function, read_listing, short_name
from grader.explain.registers.table import show_registers

ROOT = Path(__file__).parents[3]
LISTINGS = Path(__file__).parent / "registers"
H200 = Chip("NVIDIA H200", load_gpu("h200").limits)
TRANSPOSE = load_assignment(ROOT, "transpose")


def listing(name):
    return read_listing((LISTINGS / f"{name}.ptxas").read_text())


def test_a_listing_of_nvcc_is_read():
    assert listing("optimised") == [
        Function("recurse_kernel", True, registers=24),
        Function("shared_kernel", True, registers=14, static_shared=512),
        Function("spill_kernel<double, false>", True, 32, 832, 904, 1152),
        Function("spill_kernel<double, true>", True, 32, 1096, 1156, 1452),
        Function("walk", False, stack=32, spill_stores=28, spill_loads=28),
    ]


def test_a_stack_that_nvcc_cannot_tell_is_known_as_such():
    found = {one.name: one for one in listing("unoptimised")}
    assert [name for name, one in found.items() if not one.stack_known] == ["recurse_kernel"]
    assert found["recurse_kernel"].registers == 24
    assert found["walk"].stack == 24
    assert found["spill_kernel<double, true>"] == Function(
        "spill_kernel<double, true>", True, registers=20, stack=512
    )


def test_a_called_function_that_is_listed_first_takes_nothing_from_its_kernel():
    text = """ptxas info    : Compiling entry function '_Z1kPi' for 'sm_80'
ptxas info    : Function properties for _Z4walkPi
    32 bytes stack frame, 28 bytes spill stores, 28 bytes spill loads
ptxas info    : Function properties for _Z1kPi
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z5leavePi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 16 bytes smem, 368 bytes cmem[0]
"""
    kernel = Function("k", True, registers=40, stack=8, static_shared=16)
    assert read_listing(text) == [kernel, Function("walk", False, 0, 32, 28, 28)]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("c_kernel", "c_kernel"),
        ("k(int*)", "k"),
        ("void ours::(anonymous namespace)::k<double, 3>(double const*)", "k<double, 3>"),
        ("void k<(Kind)1, void (*)(int)>(Box<int>)", "k<(Kind)1, void (*)(int)>"),
        ("_INTERNAL_1e97::(anonymous namespace)::walk(ours::Node const&)", "walk"),
    ],
)
def test_names_are_those_of_the_source(name, short):
    assert short_name(name) == short


def launched(*launches):
    """A profile of kernels: (name, threads, dynamic bytes)."""
    kernels = [
        textbook.kernel(4, (threads, 1, 1), [], name=name, dynamic_shared=dynamic)
        for name, threads, dynamic in launches
    ]
    return parse_profile(textbook.profile(*kernels))


def test_instances_of_a_template_are_in_the_order_of_their_numbers():
    entry = "ptxas info    : Compiling entry function '_Z1kILi{}EEvv' for 'sm_90'\n"
    text = "".join(entry.format(number) for number in (10, 9, 2))
    assert [one.name for one in read_listing(text)] == ["k<2>", "k<9>", "k<10>"]


def test_a_kernel_has_a_row_for_each_of_its_launches():
    functions = [
        Function("k<1>", True, registers=54),
        Function("k<2>", True, registers=40, static_shared=1024),
        Function("other", True, registers=8),
        Function("walk", False, stack=32),
    ]
    profile = launched(("k", 256, 0), ("k", 128, 60_000), ("k", 256, 0))
    rows = rows_of(functions, profile, H200)
    shown = [
        (
            row.function.name,
            row.launch and row.launch.threads,
            row.occupancy and row.occupancy.warps,
        )
        for row in rows
    ]
    # 54 registers: 36 warps fit. 60 000 and 61 024 bytes of shared memory: three blocks of 4 warps.
    # 40 registers: 48 warps.
    assert shown == [
        ("k<1>", 128, 12),
        ("k<1>", 256, 32),
        ("k<2>", 128, 12),
        ("k<2>", 256, 48),
        ("other", None, None),
        ("walk", None, None),
    ]
    assert rows_of(functions, None, H200)[0].launch is None


def shown(*files, part=0):
    console = Console(width=100, file=io.StringIO(), highlight=False, markup=False)
    found = PartRegisters(TRANSPOSE.parts[part], TRANSPOSE.parts[part].speed[0], H200, list(files))
    show_registers(console, TRANSPOSE, [found])
    # Columns are as wide as the contents.
    return "\n".join(" ".join(line.split()) for line in console.file.getvalue().splitlines())


def entry(name):
    return FileEntry(name, Path(f"{name}.cu"), f"build/cpu/transpose/{name}")


def test_the_table_says_what_limits_and_what_cannot_start():
    fits = Function("fits_kernel", True, registers=54)
    large = Function("large_kernel", True, registers=137, stack=80, static_shared=512)
    profile = launched(("fits_kernel", 256, 0), ("large_kernel", 1024, 64))
    text = shown(FileRegisters(entry("one"), rows_of([fits, large], profile, H200)))
    assert "one fits_kernel 54 0 0 0 256 50% registers\n" in text
    assert "\nlarge_kernel 137 80 0 512 + 64 1024 0 registers: it cannot start\n" in text
    assert "cudaLimitStackSize" not in text
    assert "instances" not in text


def test_the_table_says_where_blocks_are_those_of_another_instance():
    functions = [Function("k<1>", True, registers=32), Function("k<2>", True, registers=32)]
    one = rows_of(functions, launched(("k", 256, 0)), H200)
    assert "each row has the blocks of all of them" in shown(FileRegisters(entry("one"), one))
    none = rows_of(functions, launched(), H200)
    assert "each has the blocks" not in shown(FileRegisters(entry("one"), none))


def test_the_table_says_what_is_not_known():
    rows = rows_of(listing("unoptimised"), None, H200)
    text = shown(
        FileRegisters(entry("one"), rows, "timeout, no answer within 5 s"),
        FileRegisters(entry("empty"), []),
    )
    assert "one recurse_kernel 24 ≥ 0 0 0 – –\n" in text
    assert "\ncalls walk + 24 20 / 20\n" in text
    assert "cudaDeviceSetLimit(cudaLimitStackSize, …)" in text
    assert "one: not known how it is launched: timeout, no answer within 5 s" in text
    assert "\nempty no kernel\n" in text
    assert "for sm_90;" in text
    assert "of the 64 that a multiprocessor of NVIDIA H200 can hold" in text


def test_the_gpu_that_is_here_decides_unless_another_is_named():
    limits = MultiprocessorLimits(100, 2048, 32, 65536, 228 << 10, 1024)
    here = Device("gpu", "NVIDIA B200", architecture=100, limits=limits)
    model = load_gpu("t4")
    assert choose_chip(here, model, asked=False) == Chip("NVIDIA B200", limits)
    assert choose_chip(here, model, asked=True).limits.architecture == 75
    assert choose_chip(Device("cpu", "a processor"), model, asked=False).name == "NVIDIA T4"
    with pytest.raises(UsageError, match="MODEL="):
        choose_chip(Device("gpu", "an old one", architecture=70), model, asked=False)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """The folder of a library with the answers of NVIDIA's driver."""
    folder = tmp_path_factory.mktemp("driver")
    library = str(folder / "libcuda.so.1")
    source = str(LISTINGS / "driver.cpp")
    subprocess.run(["g++", "-shared", "-fPIC", source, "-o", library], check=True, timeout=60)
    return folder


def test_the_driver_is_asked_for_the_limits(driver, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))
    monkeypatch.setattr(device, "find_nvcc", lambda: "nvcc")
    found = choose_device("gpu")
    assert (found.name, found.architecture, found.cache_bytes) == ("Mock GPU", 89, 4 << 20)
    assert found.uuid == "GPU-07070707-0707-0707-0707-070707070707"
    assert found.limits == MultiprocessorLimits(89, 1536, 24, 65536, 100 << 10, 1024)
    monkeypatch.setenv("OLD_DRIVER", "1")
    assert choose_device("gpu") == dataclasses.replace(found, limits=None)


def test_a_student_repository_shows_the_students_file(tmp_path):
    (tmp_path / "transpose" / "ladder").mkdir(parents=True)
    for name in ("transpose.cu", "ladder/01_naive.cu"):
        (tmp_path / "transpose" / name).touch()
    found = entries_of(tmp_path, TRANSPOSE, TRANSPOSE.parts[0], "")
    assert [one.name for one in found] == ["01_naive", "transpose"]
    assert found[1].program == "build/cpu/transpose/transpose"
    (tmp_path / "transpose" / "solution.cu").touch()
    found = entries_of(tmp_path, TRANSPOSE, TRANSPOSE.parts[0], "")
    assert [one.name for one in found] == ["01_naive", "solution"]


def test_without_nvcc_there_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(collect, "find_nvcc", lambda: None)
    assert main(COMMANDS, ["registers", "transpose", "--device", "cpu"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "install the CUDA toolkit" in said


def registers(*options):
    command = [sys.executable, "-m", "grader", "registers", "transpose", *options]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout, done.stderr


def row_of_file(said, name):
    """Returns the words of the first row of a file's kernels, after the file's name."""
    (row,) = [line.split() for line in said.splitlines() if line.startswith(f" {name} ")]
    return row[1:]


RUNG = "ladder/03_padded.cu"
needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="no nvcc here")


@needs_nvcc
@pytest.mark.parametrize("model", ["h200", "t4"])
@pytest.mark.slow
def test_a_rung_end_to_end(model):
    status, said, errors = registers("--with", RUNG, "--case", "33x31", "--model", model)
    assert status == 0, errors
    kernel, count, *words = row_of_file(said, "03_padded")
    assert kernel == "transpose_kernel"
    assert 8 <= int(count) <= 32
    # Stack, spills, shared memory, block, warps.
    assert words == ["0", "0", "4224", "1024", "100%"]
    gpu = load_gpu(model)
    assert f"for sm_{gpu.architecture};" in said
    assert f"of the {gpu.limits.warps} that a multiprocessor of {gpu.name}" in said


@needs_nvcc
@pytest.mark.exhaustive
def test_the_flags_of_a_files_second_line_are_heeded(tmp_path):
    capped = tmp_path / "capped.cu"
    source = (ROOT / "transpose" / "ladder" / "05_more_per_thread.cu").read_text()
    counts = []
    for line in ("//", "// flags: -maxrregcount=24"):
        capped.write_text(f"// The same, with few registers.\n{line}\n{source}")
        status, said, errors = registers("--with", str(capped), "--case", "2x3", "--model", "h200")
        assert status == 0, errors
        counts.append(int(row_of_file(said, "capped")[1]))
    free, few = counts
    assert few <= 24 < free


@needs_nvcc
@pytest.mark.slow
def test_what_nvcc_rejects_is_named_by_line(tmp_path):
    bad = tmp_path / "bad.cu"
    bad.write_text('#include "transpose.h"\n__global__ void k() { nope; }\n')
    status, _, errors = registers("--with", str(bad), "--model", "h200")
    assert status == 2
    assert "bad.cu:2: identifier" in errors
