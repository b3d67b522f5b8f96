"""cudacc --profile against known answers.

Each program of profile/ says in comments what is to be counted: behind a line of code for that line
(`// global_load: requests=1 sectors=4`, `// special: count=2`), before a kernel for the whole of it
(`// kernel copy: warps=2`), and for all that the host did by one name (`// host memset: times=1
bytes=4`). A value may be preceded by < or > in place of =.

The programs of profile/stops/ do what a GPU does not allow. They say what stands on stderr then
(`// stops: file.cu:9: the host reads`), and with which status they end (0 unless `// status:`);
`// environment: NAME=value` is set.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests" / "cpudevice" / "profile").glob("*.cu"))
KERNEL = re.compile(r"^// kernel (\w+)(?:: (.*))?$")
HOST = re.compile(r"^// host (\w+): (.*)$")
LINE = re.compile(r"// (\w+): (\w+[=<>].*)$")
STOPPED = sorted((ROOT / "tests" / "cpudevice" / "profile" / "stops").glob("*.cu"))
STOPS = re.compile(r"^// (stops|status|environment): (.*)$", re.MULTILINE)
EXPECTATION = re.compile(r"(\w+)([=<>])([\d.]+)")


def profile(program: Path, folder: Path) -> str:
    result = folder / "profile.json"
    environment = {**os.environ, "CUDACPU_PROFILE": str(result)}
    subprocess.run([program], check=True, timeout=60, env=environment, cwd=ROOT)
    return result.read_text()


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: path.stem)
def profiled(request, tmp_path_factory) -> tuple[Path, dict]:
    source: Path = request.param
    folder = tmp_path_factory.mktemp(source.stem)
    program = folder / source.stem
    command = [ROOT / "cpudevice" / "cudacc", "--profile", "--no-check", source, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    text = profile(program, folder)
    assert text == profile(program, folder), "two runs differ"
    return source, json.loads(text)


def failures(found: dict, expectations: str, where: str) -> list[str]:
    wrong = []
    for name, relation, text in EXPECTATION.findall(expectations):
        value, wanted = found[name], float(text)
        held = {"=": value == wanted, "<": value < wanted, ">": value > wanted}[relation]
        if not held:
            wrong.append(f"{where}: {name} is {value}, not {relation} {text}")
    return wrong


def test_counts(profiled: tuple[Path, dict]) -> None:
    source, found = profiled
    kernels = {kernel["name"]: kernel for kernel in found["kernels"]}
    wrong: list[str] = []
    for number, text in enumerate(source.read_text().splitlines(), 1):
        if kernel := KERNEL.match(text):
            wrong += failures(kernels[kernel[1]], kernel[2] or "", kernel[1])
        elif host := HOST.match(text):
            named = [op for op in found["host"] if op["op"] == host[1]]
            done = {"times": len(named), "bytes": sum(op["bytes"] for op in named)}
            done["instructions"] = sum(op.get("instructions", 0) for op in named)
            wrong += failures(done, host[2], f"host {host[1]}")
        elif expected := LINE.search(text):
            where = f"{source.name}:{number} {expected[1]}"
            lines = [
                line
                for kernel in kernels.values()
                for line in [*kernel["lines"], *kernel.get("costs", [])]
                if (line["line"], line.get("access") or line["kind"]) == (number, expected[1])
            ]
            if len(lines) != 1:
                wrong.append(f"{where}: {len(lines)} entries")
            else:
                wrong += failures(lines[0], expected[2], where)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("source", STOPPED, ids=lambda path: path.stem)
def test_stops(source: Path, tmp_path: Path) -> None:
    program = tmp_path / source.stem
    command = [ROOT / "cpudevice" / "cudacc", "--profile", "--no-check", source, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    stated = STOPS.findall(source.read_text())
    environment = {**os.environ, "CUDACPU_PROFILE": str(tmp_path / "profile.json")}
    environment |= dict(text.split("=", 1) for key, text in stated if key == "environment")
    ended = subprocess.run([program], capture_output=True, text=True, timeout=60, env=environment)
    wanted = [text for key, text in stated if key == "stops"]
    assert wanted
    assert not [text for text in wanted if text not in ended.stderr], ended.stderr
    assert ended.returncode == int(dict(stated).get("status", 0)), ended.stderr
