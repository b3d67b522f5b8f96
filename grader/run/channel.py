"""The grader's side of harness/runner/channel.h: results of a runner program in shared memory.

Program and grader map the same memory file. The program has closed its descriptor of the file
before the student's code runs, and only the functions of channel.h make the memory writable, while
writing. The grader copies a result once, when the program says that the result is complete, and
uses only the copy.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass

# As in channel.cpp.
REPLY, FINDINGS, PROFILE, OUTPUT = 4 << 10, 2 << 20, 4 << 20, 64 << 20
CHANNEL_BYTES = 16 << 30
HEADER = struct.Struct("=9Q")


class Spoiled(Exception):
    """The harness cannot have written the content of the channel."""


@dataclass(frozen=True)
class Header:
    replies: int  # number of replies so far
    reply_bytes: int
    profiles: int  # number of profiled calls so far
    profile_bytes: int
    found: int  # number of causes found by sanitize
    findings: int  # lines about the causes
    findings_bytes: int
    output_bytes: int
    finished: int  # the program ended on request


class Channel:
    """The shared memory of a program."""

    def __init__(self) -> None:
        self.fd = os.memfd_create("channel")
        os.ftruncate(self.fd, CHANNEL_BYTES)

    def close(self) -> None:
        os.close(self.fd)

    def header(self) -> Header:
        return Header(*HEADER.unpack(os.pread(self.fd, HEADER.size, 0)))

    def reply(self) -> bytes:
        return self._text(REPLY, self.header().reply_bytes, FINDINGS)

    def profile(self) -> bytes:
        """The profile of the last call, b"" without a profile."""
        return self._text(PROFILE, self.header().profile_bytes, OUTPUT)

    def findings(self) -> list[str]:
        """The lines about the findings; raises Spoiled if incomplete."""
        header = self.header()
        text = self._text(FINDINGS, header.findings_bytes, PROFILE).decode(errors="replace")
        lines = text.splitlines()
        if len(lines) != header.findings or (header.found and not lines):
            raise Spoiled(f"{header.findings} findings were announced, {len(lines)} are there")
        return lines

    def copy_output(self, copy_fd: int) -> int:
        """Copies the output into an empty file, rewinds the file and returns the size."""
        size, offset = self.header().output_bytes, 0
        if size > CHANNEL_BYTES - OUTPUT:
            raise Spoiled("an output of impossible size was announced")
        while offset < size:
            # sendfile stays in the kernel and takes at most 2 GiB at a time.
            left = min(size - offset, 1 << 30)
            offset += os.sendfile(copy_fd, self.fd, OUTPUT + offset, left)
        os.lseek(copy_fd, 0, os.SEEK_SET)
        return size

    def _text(self, place: int, size: int, end: int) -> bytes:
        if size > end - place:
            raise Spoiled("a text of impossible length was announced")
        text = b""
        while len(text) < size:
            text += os.pread(self.fd, size - len(text), place + len(text))
        return text
