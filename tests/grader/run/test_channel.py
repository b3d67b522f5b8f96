"""The shared memory of a runner program and the grader: grader/run/channel.py."""

import os
import re
import struct
from contextlib import closing
from pathlib import Path

import pytest

from grader.run import channel
from grader.run.channel import FINDINGS, HEADER, OUTPUT, PROFILE, REPLY, Channel, Spoiled

ROOT = Path(__file__).resolve().parents[3]
FIELDS = list(channel.Header.__dataclass_fields__)


@pytest.fixture
def open_channel():
    with closing(Channel()) as opened:
        yield opened


def put(opened, place=0, data=b"", **fields):
    """Writes into the channel as the program would."""
    os.pwrite(opened.fd, data, place)
    for name, value in fields.items():
        os.pwrite(opened.fd, struct.pack("=Q", value), 8 * FIELDS.index(name))


def test_both_sides_have_the_same_layout():
    source = (ROOT / "harness" / "runner" / "channel.cpp").read_text()
    header = re.search(r"struct Header \{\n(.*?)\n\};", source, re.DOTALL)[1]
    assert re.findall(r"uint64_t>? (\w+);", header) == FIELDS
    assert HEADER.size == 8 * len(FIELDS)
    shifted = dict(re.findall(r"k(\w+) = size_t\{(\d+ *\} << *\d+);", source))
    places = {
        name: int(value.split("}")[0]) << int(value.split()[-1]) for name, value in shifted.items()
    }
    assert places == {
        "Reply": REPLY,
        "Findings": FINDINGS,
        "Profile": PROFILE,
        "Output": OUTPUT,
        "Bytes": channel.CHANNEL_BYTES,
    }


def test_what_is_there_is_read_whole(open_channel):
    put(open_channel, REPLY, b"{}", reply_bytes=2)
    put(open_channel, PROFILE, b"x" * 100_000, profile_bytes=100_000)
    put(open_channel, OUTPUT, b"y" * 100_000, output_bytes=100_000)
    put(open_channel, FINDINGS, b" " * (1 << 20) + b"{}\n", findings_bytes=(1 << 20) + 3)
    put(open_channel, findings=1, found=3)
    assert open_channel.reply() == b"{}"
    assert open_channel.profile() == b"x" * 100_000
    assert [line.strip() for line in open_channel.findings()] == ["{}"]
    copy = os.memfd_create("copy")
    assert open_channel.copy_output(copy) == 100_000
    assert os.read(copy, 200_000) == b"y" * 100_000
    os.close(copy)


@pytest.mark.parametrize(
    "fields",
    [
        {"findings": 1},  # announced, and missing
        {"found": 1},  # found, and not reported
        {"findings": 1, "found": 1, "findings_bytes": 1 << 40},
    ],
)
def test_findings_that_do_not_add_up_are_refused(open_channel, fields):
    put(open_channel, **fields)
    with pytest.raises(Spoiled):
        open_channel.findings()


def test_lengths_that_cannot_be_are_refused(open_channel):
    put(open_channel, reply_bytes=1 << 40, profile_bytes=1 << 63, output_bytes=1 << 62)
    for read in (open_channel.reply, open_channel.profile, lambda: open_channel.copy_output(1)):
        with pytest.raises(Spoiled):
            read()
