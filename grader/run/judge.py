"""Asks the trusted judge about an output. The judge sees only bytes, never the student's code."""

import json
import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.processes import start, stop

JUDGE_TIMEOUT_S = 300


@dataclass(frozen=True)
class Judgement:
    verdict: str  # "ok" or "wrong"
    detail: str


def judge_output(program: Path, part: str, output_fd: int, repeat: int, options: str) -> Judgement:
    """Has the judge compare the output of a repeat of the case described by `options`."""
    command = [str(program), "--part", part, "--output-fd", str(output_fd), "--repeat", str(repeat)]
    command += shlex.split(options)
    try:
        status, said, errors = run_judge(command, output_fd)
        if status < 0:
            # Killed from outside, for its memory: the work can be repeated.
            os.lseek(output_fd, 0, os.SEEK_SET)
            status, said, errors = run_judge(command, output_fd)
    except subprocess.TimeoutExpired as error:
        sentence = f"The judge of {part} did not finish within {JUDGE_TIMEOUT_S} s."
        raise GraderError(sentence) from error
    except OSError as error:
        raise GraderError(f"The judge of {part} cannot be started: {error}.") from error
    try:
        answer = json.loads(said)
        verdict, detail = answer["verdict"], str(answer.get("detail", ""))
    except (ValueError, KeyError, TypeError) as error:
        words = (errors or said).decode(errors="replace").strip()[:300]
        how = f"exit status {status}" if status >= 0 else "a crash"
        raise GraderError(f"The judge of {part} gave no verdict ({how}): {words or '-'}") from error
    if verdict not in ("ok", "wrong"):
        raise GraderError(f"The judge of {part} gave the verdict {verdict!r}.")
    return Judgement(verdict, detail)


def run_judge(command: list[str], output_fd: int) -> tuple[int, bytes, bytes]:
    """Runs the judge as a child that no thread takes for an orphan; returns status and output."""
    process = start(
        command,
        pass_fds=(output_fd,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        said, errors = process.communicate(timeout=JUDGE_TIMEOUT_S)
        return process.returncode, said, errors
    finally:
        stop(process)


def judge_path(root: Path, target: str) -> Path:
    path = (root / target).absolute()
    if not os.access(path, os.X_OK):
        raise GraderError(f"The judge {target} has not been built.")
    return path
