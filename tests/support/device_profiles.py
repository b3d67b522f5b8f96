"""Profiles the programs of tests/cpudevice/profile, on the machine or in an emulator."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from emulator import Machine

ROOT = Path(__file__).parents[2]
HERE = Machine()
KERNEL = re.compile(r"^// kernel (\w+)(?:: (.*))?$")
HOST = re.compile(r"^// host (\w+): (.*)$")
LINE = re.compile(r"// (\w+): (\w+[=<>].*)$")
STOPS = re.compile(r"^// (stops|status|environment): (.*)$", re.MULTILINE)
EXPECTATION = re.compile(r"(\w+)([=<>])([\d.]+)")


def profile(program: Path, folder: Path, on: Machine = HERE) -> str:
    result = folder / "profile.json"
    environment = on.environment({"CUDACPU_PROFILE": str(result)})
    command = [*on.launcher, program]
    subprocess.run(command, check=True, timeout=60, env=environment, cwd=ROOT)
    return result.read_text()


def build(
    source: Path, folder: Path, on: Machine = HERE, options: Sequence[str] = ()
) -> tuple[Path, str]:
    """Builds a program to be profiled; returns the path, and what the compiler said."""
    program = folder / source.stem
    command = [ROOT / "cpudevice" / "cudacc", "--profile", "--no-check", "-ccbin", on.compiler]
    command += [*options, source, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    return program, built.stderr


def profiled_launches(text: str, folder: Path) -> list[dict]:
    """The kernels in the profile of a program, once for all launches of about equal work.

    The program compiles without a warning.
    """
    source = folder / "kernels.cu"
    source.write_text(text)
    program, warnings = build(source, folder)
    assert warnings == ""
    return json.loads(profile(program, folder))["kernels"]


def profiled_kernels(text: str, folder: Path) -> dict[str, dict]:
    """The same by name, of a program whose launches of a kernel are alike."""
    return {kernel["name"]: kernel for kernel in profiled_launches(text, folder)}


def build_and_profile(
    source: Path, folder: Path, on: Machine = HERE, options: Sequence[str] = ()
) -> dict:
    """The profile of a program, which is the same in two runs."""
    program, _ = build(source, folder, on, options)
    text = profile(program, folder, on)
    assert text == profile(program, folder, on), "two runs differ"
    return json.loads(text)


def failures(found: dict, expectations: str, where: str) -> list[str]:
    wrong = []
    for name, relation, text in EXPECTATION.findall(expectations):
        value, wanted = found[name], float(text)
        held = {"=": value == wanted, "<": value < wanted, ">": value > wanted}[relation]
        if not held:
            wrong.append(f"{where}: {name} is {value}, not {relation} {text}")
    return wrong


def check_counts(source: Path, found: dict) -> None:
    """Compares a profile with the counts in the source."""
    kernels = {kernel["name"]: kernel for kernel in found["kernels"]}
    wrong: list[str] = []
    for number, text in enumerate(source.read_text().splitlines(), 1):
        if kernel := KERNEL.match(text):
            wrong += failures(kernels[kernel[1]], kernel[2] or "", kernel[1])
        elif host := HOST.match(text):
            named = [op for op in found["host"] if op["op"] == host[1]]
            done = {"times": len(named), "bytes": sum(op["bytes"] for op in named)}
            for key in ("instructions", "recorder", "record", "child"):
                done[key] = sum(op.get(key, 0) for op in named)
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


def check_stops(source: Path, machine: Machine, folder: Path) -> None:
    """Runs a program against the rules of a GPU, and compares the last messages."""
    program, _ = build(source, folder, machine)
    stated = STOPS.findall(source.read_text())
    added = dict(text.split("=", 1) for key, text in stated if key == "environment")
    environment = machine.environment({"CUDACPU_PROFILE": str(folder / "profile.json")} | added)
    ended = subprocess.run(
        [*machine.launcher, program], capture_output=True, text=True, timeout=60, env=environment
    )
    wanted = [text for key, text in stated if key == "stops"]
    assert wanted
    assert not [text for text in wanted if text not in ended.stderr], ended.stderr
    assert ended.returncode == int(dict(stated).get("status", 0)), ended.stderr
