"""The grader's side of harness/runner/channel.h: what a runner program hands over, in memory.

Program and grader have the same memory file mapped. The program has no descriptor of it once its
own code runs, and its functions of channel.h alone make the memory writable, for as long as they
write. What is read here is copied once, when the program says that it is there, and only that copy
is ever looked at.
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
    """What stands in the channel is nothing that the harness writes."""


@dataclass(frozen=True)
class Header:
    replies: int  # how many have been given
    reply_bytes: int
    profiles: int  # how many calls have been counted
    profile_bytes: int
    found: int  # causes that sanitize has found
    findings: int  # lines about them
    findings_bytes: int
    output_bytes: int
    finished: int  # the program came to its end because it was asked to


class Channel:
    """The memory of one program."""

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
        """What was counted of the last call, b"" if nothing was."""
        return self._text(PROFILE, self.header().profile_bytes, OUTPUT)

    def findings(self) -> list[str]:
        """The lines about what was found: all of them, or Spoiled."""
        header = self.header()
        text = self._text(FINDINGS, header.findings_bytes, PROFILE).decode(errors="replace")
        lines = text.splitlines()
        if len(lines) != header.findings or (header.found and not lines):
            raise Spoiled(f"{header.findings} findings were announced, {len(lines)} are there")
        return lines

    def copy_output(self, copy_fd: int) -> int:
        """Copies the output to the start of an empty file, left at its start; returns its size."""
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
