"""The archives of the run-time library that all checkouts of a user share."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cpudevice.compiler import kept
from cpudevice.compiler.library import archive, usual_part
from cpudevice.compiler.options import Options
from cpudevice.compiler.tools import CPUDEVICE


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_a_checkout_takes_what_another_has_built(home):
    own = archive(Options(), usual_part())
    built = home / "built.a"
    built.write_bytes(b"an archive")
    kept.keep(own.name(), built)
    done = subprocess.run(
        [sys.executable, CPUDEVICE / "cudacc", "--library", "run"],
        env=os.environ | {"CUDACC_BUILD": str(home / "build")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")  # nothing was compiled
    taken = home / "build" / own.file.parent.relative_to(own.file.parents[2]) / own.file.name
    assert taken.read_bytes() == b"an archive"
    assert taken.stat().st_mode & 0o444 == built.stat().st_mode & 0o444


def test_modes_and_options_have_archives_of_their_own():
    modes = [Options(), Options(diagnostic="sanitize"), Options(diagnostic="profile")]
    assert len({archive(options, usual_part()).name() for options in modes}) == len(modes)


def test_the_digest_follows_the_content_and_not_the_place(tmp_path):
    found = []
    for place, text in (("one", "a"), ("two", "a"), ("two", "b")):
        file = tmp_path / place / "x.cpp"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        found.append(kept.digest(["-O2"], [file], tmp_path / place))
    assert found[0] == found[1] != found[2]
    assert kept.digest(["-O3"], [file], tmp_path / "two") != found[2]


def test_what_another_user_could_have_written_is_not_taken(home):
    built = home / "built.a"
    built.write_bytes(b"an archive")
    kept.keep("x.a", built)
    assert kept.take("x.a", home / "taken.a")
    (home / "cache" / "cuda-ladder").chmod(0o777)
    assert not kept.take("x.a", home / "again.a")
    assert not (home / "again.a").exists()


def test_a_folder_that_cannot_be_made_is_done_without(home, monkeypatch):
    file = home / "file"
    file.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    kept.keep("x.a", file)
    assert not kept.take("x.a", home / "taken.a")


def test_what_nobody_uses_is_deleted(home):
    built = home / "built.a"
    built.write_bytes(b"an archive")
    kept.keep("old.a", built)
    old = home / "cache" / "cuda-ladder" / "old.a"
    long_ago = time.time() - (kept.UNUSED_DAYS + 1) * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    kept.keep("new.a", built)
    assert [path.name for path in Path(old.parent).iterdir()] == ["new.a"]
