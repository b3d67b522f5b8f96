"""The output of ncu and compute-sanitizer is read and compared with the CPU device's counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.base.device import Device
from grader.base.progress import SilentScreen
from grader.course.declare import Case
from grader.course.load import load_assignment
from instructor.crosscheck import hardware, hardware_page, hardware_tools
from instructor.crosscheck.crosscheck import corresponds
from instructor.crosscheck.hardware_tools import METRICS, parse_counters, parse_findings

ROOT = Path(__file__).parents[2]
IDENTITY = ("ID", "Process ID", "Kernel Name", "Block Size", "Grid Size")


def raw_page(rows: list[dict[str, str]]) -> str:
    """Returns the output of `ncu --csv --page raw`: messages, names, units, a line per launch."""
    names = [*IDENTITY, *METRICS.values()]
    units = ["" if name in IDENTITY else "sector" for name in names]
    table = [names, units, *([row.get(name, "0") for name in names] for row in rows)]
    lines = [",".join(f'"{cell}"' for cell in line) for line in table]
    return "==PROF== Connected to process 77\n" + "\n".join(lines) + "\n==PROF== Disconnected\n"


def launch(number: int, kernel: str, **counts: str) -> dict[str, str]:
    shown = {METRICS[name]: value for name, value in counts.items()}
    return {"ID": str(number), "Kernel Name": kernel, "Grid Size": "(4, 4, 1)"} | shown


def test_launches_of_a_kernel_are_summed() -> None:
    page = raw_page(
        [
            launch(0, "a_kernel", load_sectors="1,048,576", load_requests="32,768"),
            launch(1, "b_kernel", load_sectors="8"),
            launch(2, "a_kernel", load_sectors="24", load_requests="n/a"),
        ]
    )
    kernels = parse_counters(page)
    assert list(kernels) == ["a_kernel", "b_kernel"]
    assert kernels["a_kernel"]["launches"] == 2
    assert kernels["a_kernel"]["load_sectors"] == 1_048_600
    assert kernels["a_kernel"]["load_requests"] == 32_768
    assert kernels["b_kernel"]["load_sectors"] == 8


def test_no_table_means_no_kernels() -> None:
    assert parse_counters("==ERROR== Failed to initialize the profiler: LibraryNotLoaded\n") == {}


def test_findings_are_told_from_what_the_program_prints() -> None:
    text = """\
Race reported between my left and my right hand
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at transpose_kernel(int)+0x100 in transpose.cu:12
=========     Access at 0x7f1c00001000 is out of bounds
========= Invalid __global__ read of size 16 bytes
=========     Address 0x7f1c00001004 is misaligned
========= Error: Race reported between Write access at a.cu:3 and Read access at a.cu:5
========= Uninitialized __global__ memory read of size 4 bytes
========= Barrier error detected. Divergent thread(s) in block.
========= ERROR SUMMARY: 5 errors
"""
    assert parse_findings(text) == {
        "bad_access": 1,
        "misaligned": 1,
        "race": 1,
        "uninitialised": 1,
        "barrier": 1,
    }


@pytest.fixture(scope="module")
def programs() -> list[hardware.Program]:
    return hardware.counted_programs(ROOT, [load_assignment(ROOT, "transpose")])


def test_every_rung_and_the_solution_are_counted(programs: list[hardware.Program]) -> None:
    rungs = sorted((ROOT / "transpose" / "ladder").glob("*.cu"))
    assert len(programs) == len(rungs) + 1
    assert programs[-1].target("gpu") == "build/gpu/transpose/solution"
    for program in programs:
        assert hardware.kernel_names(ROOT, program), program.file


def test_files_that_are_never_run_are_not_checked() -> None:
    files = [p.file for p in hardware.checked_programs(ROOT, [load_assignment(ROOT, "saxpy")])]
    assert "saxpy/wrong/saxpy/swapped.cu" in files
    assert "saxpy/wrong/saxpy/does_not_compile.cu" not in files
    assert "saxpy/wrong/saxpy/uses_cub.cu" not in files


def test_checkers_are_given_the_input_of_sanitize() -> None:
    sort = load_assignment(ROOT, "sort")
    options = {p.part.name: p.options for p in hardware.checked_programs(ROOT, [sort])}
    assert options["merge_sort"] == "--n 4099 --seed 1"


def test_kernel_names_with_launch_bounds_and_templates(tmp_path: Path) -> None:
    folder = tmp_path / "transpose"
    folder.mkdir()
    (folder / "beside.cuh").write_text("__global__ void from_header_kernel(int n) {}\n")
    (folder / "a.cu").write_text(
        '#include "beside.cuh"\n// __global__ void commented_kernel() {}\n'
        "template <int N> __global__ void __launch_bounds__(256, 2) one_kernel(int n) {}\n"
        "__global__ __launch_bounds__(kSize)\nvoid __maxnreg__(32) two_kernel() {}\n"
        "template __global__ void three_kernel<4>(int);\n"
    )
    transpose = load_assignment(ROOT, "transpose")
    part = transpose.parts[0]
    program = hardware.Program(transpose, part, part.speed[0], "transpose/a.cu")
    expected = ["from_header_kernel", "one_kernel", "two_kernel"]
    assert hardware.kernel_names(tmp_path, program) == expected


def test_what_agrees_is_shown_once() -> None:
    sectors, _, wavefronts, *_ = hardware_page.RATIOS
    assert hardware_page.cell(sectors, 32.0, 32.0) == "32"
    assert hardware_page.cell(sectors, 4.1, 4.0) == "4"
    assert hardware_page.cell(sectors, 1.1, 1.0) == "**1.1, 1**"
    assert hardware_page.cell(wavefronts, 1.1, 1.0) == "1"
    assert hardware_page.cell(sectors, None, None) == "–"
    assert hardware_page.cell(sectors, 2.0, None) == "**2, none**"


def test_wavefronts_are_held_over_requests_in_which_a_lane_takes_part() -> None:
    """120 of 160 requests are predicated off in every lane; the GPU counts two calls."""
    counts = {"shared_load_requests": 0.0, "shared_store_requests": 0.0}
    theirs = counts | {"launches": 2.0, "shared_load_requests": 320.0}
    ours = counts | {"launches": 1.0, "shared_load_requests": 40.0}
    held = hardware_page.over_active_requests(theirs, ours)
    assert (held["shared_load_requests"], held["shared_store_requests"]) == (80, 0)


def test_a_measurement_on_another_input_is_not_compared(programs: list[hardware.Program]) -> None:
    program = programs[0]
    assert hardware_page.same_input({program.file: {"options": program.options}}, program)
    assert not hardware_page.same_input({program.file: {"options": "--rows 1"}}, program)
    assert not hardware_page.same_input({}, program)
    measured = {program.file: {"options": "--rows 1 --cols 1 --seed 1"}}
    then = hardware_page.with_measured_input(measured, program)
    assert then.options == "--rows 1 --cols 1 --seed 1"
    assert hardware_page.same_input(measured, then)
    assert hardware_page.with_measured_input({}, program).options == program.options


def test_the_written_measurement_is_json() -> None:
    result = {"gpu": "X", "date": "2026-11-21", "counters": {"a.cu": {"kernels": {}}}}
    assert json.loads(hardware.as_text(result)) == result
    assert json.loads(hardware.as_text(result | {"findings": {}})) == result | {"findings": {}}


FAKE_NCU = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
cp "$PAGE" "$2"
echo counted
"""
FAKE_SANITIZER = """#!/bin/sh
if [ "$2" = racecheck ]; then echo "========= Error: Race reported between a and b"; fi
"""


def test_a_whole_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses stand-ins for the two tools, and builds nothing."""
    page = tmp_path / "page.csv"
    page.write_text(raw_page([launch(0, "transpose_kernel", load_sectors="96")]))
    for name, script in (("ncu", FAKE_NCU), ("compute-sanitizer", FAKE_SANITIZER)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("PAGE", str(page))
    monkeypatch.setattr(hardware, "build", lambda root, targets: {})
    monkeypatch.setattr(hardware, "DIRECTORY", tmp_path / "kept")
    monkeypatch.setattr(hardware, "LOGS", tmp_path / "logs")
    monkeypatch.setattr(hardware, "PAUSE_S", 0)
    transpose = [load_assignment(ROOT, "transpose")]
    device = Device("gpu", "NVIDIA H200")
    path, result = hardware.measure(ROOT, transpose, device, SilentScreen())
    assert path.name == "nvidia_h200.json"
    assert json.loads(path.read_text()) == result
    counters = result["counters"]["transpose/ladder/01_naive.cu"]
    assert counters["kernels"]["transpose_kernel"]["load_sectors"] == 96
    assert result["findings"]["transpose/wrong/no_barrier.cu"]["kinds"] == {"race": 1}
    assert hardware_page.stored_measurement(ROOT, "NVIDIA H200") == result
    # A second call goes on where the first ended, and counts only what is missing.
    counters["source"] = "another text"
    path.write_text(json.dumps(result))
    page.write_text(raw_page([launch(0, "transpose_kernel", load_sectors="7")]))
    _, again = hardware.measure(ROOT, transpose, device, SilentScreen())
    sectors = [
        entry["kernels"]["transpose_kernel"]["load_sectors"] for entry in again["counters"].values()
    ]
    assert sectors == [7, *[96] * (len(sectors) - 1)]
    assert again["findings"] == result["findings"]
    assert hardware_page.stored_measurement(ROOT, "Tesla T4") is None


def test_checkers_run_where_they_could_find_something(programs: list[hardware.Program]) -> None:
    tools = {program.file: hardware.tools_for(ROOT, program) for program in programs}
    assert tools["transpose/ladder/01_naive.cu"] == ["memcheck", "initcheck"]
    assert tools["transpose/ladder/02_shared.cu"] == list(hardware_tools.TOOLS)


def test_a_program_that_never_ends_is_ended() -> None:
    output = hardware_tools.run(["sh", "-c", "echo begun; sleep 60 & wait"], ROOT, 0.3)
    assert output == f"begun\n{hardware_tools.STOPPED}"


def case(gpu: str, cpu: str, **more: float) -> Case:
    return Case("case", gpu=gpu, cpu=cpu, **more)


def test_which_cases_are_modelled_at_their_share_of_the_size() -> None:
    assert corresponds(case("--rows 8192 --cols 8192 --repeats 21", "--rows 2048 --cols 2048"))
    assert corresponds(case("--size 1024 --depth 6", "--size 256 --depth 6"))
    assert corresponds(case("--n 1048576", "--n 1048576", share=1))
    rounds = Case("2^20", gpu="--n 1048576", cpu="--n 65536", work=lambda o: o["n"] ** 2)
    assert not corresponds(rounds)
    assert corresponds(replace(rounds, share=1 / 256))
    assert not corresponds(case("--n 1048576", "--n 1048576"))
    assert not corresponds(case("--size 512 --samples 64", "--size 128 --samples 8"))
    assert not corresponds(case("--size 512", "--size 128 --circles 100"))


def test_the_largest_case_within_the_limit() -> None:
    sizes = ("10", "1000", "1000 --work uneven", "100", "1000000000")
    cases = [case("", f"--n {n}") for n in sizes]
    assert hardware.largest(cases, 5000).cpu == "--n 1000 --work uneven"
