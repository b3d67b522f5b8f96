"""Asks the trusted judge about one output. It never sees the student's code, only the bytes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError

JUDGE_TIMEOUT_S = 300


@dataclass(frozen=True)
class Judgement:
    verdict: str  # "ok" or "wrong"
    detail: str


def judge_output(program: Path, part: str, output_fd: int, repeat: int, options: str) -> Judgement:
    """Compares the output of one repeat of the case that `options` describes."""
    command = [str(program), "--part", part, "--output-fd", str(output_fd), "--repeat", str(repeat)]
    command += shlex.split(options)
    try:
        done = subprocess.run(
            command,
            pass_fds=(output_fd,),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=JUDGE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        sentence = f"The judge of {part} did not finish within {JUDGE_TIMEOUT_S} s."
        raise GraderError(sentence) from error
    except OSError as error:
        raise GraderError(f"The judge of {part} cannot be started: {error}.") from error
    try:
        answer = json.loads(done.stdout)
        verdict, detail = answer["verdict"], str(answer.get("detail", ""))
    except (ValueError, KeyError, TypeError) as error:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[:300]
        how = f"exit status {done.returncode}" if done.returncode >= 0 else "a crash"
        raise GraderError(f"The judge of {part} gave no verdict ({how}): {said or '-'}") from error
    if verdict not in ("ok", "wrong"):
        raise GraderError(f"The judge of {part} gave the verdict {verdict!r}.")
    return Judgement(verdict, detail)


def judge_path(root: Path, target: str) -> Path:
    path = (root / target).absolute()
    if not os.access(path, os.X_OK):
        raise GraderError(f"The judge {target} has not been built.")
    return path
