"""A stand-in for a runner: speaks the case protocol, and misbehaves as the source file asks.

The "student's file" is a .cu file whose `// behave: <what>` line names a function below.
The problem: n 32-bit integers, output i is 2 * i + seed, between guard bands of 256 bytes.
"""

import contextlib
import hashlib
import json
import mmap
import os
import signal
import struct
import sys
import time
from itertools import pairwise

GUARD = b"\xee" * 256
LARGE = 5000  # numbers; correctness is graded on fewer
KERNEL = {"name": "kernel", "file": "mock.cu", "line": 1, "launches": 1, "registers": 32}
KERNEL |= {"grid": [1, 1, 1], "block": [32, 1, 1], "static_shared": 0, "dynamic_shared": 0}
KERNEL |= {"blocks": 1, "threads": 32, "warps": 1, "warp_instructions": 1, "instructions": {}}
KERNEL |= {"chain_instructions": 1}
KERNEL |= {"active_lane_average": 32, "load_phases": 0, "barriers": 0, "lines": []}
KERNEL |= {"waits_for_l1": 0, "waits_for_l2": 0, "waits_for_memory": 0}
KERNEL |= {"dram_bytes": {"load_sectors": 0, "store_sectors": 0, "dirty_sectors_at_end": 0}}
KERNEL |= {
    "l1": {"load_sectors": 0, "missed_sectors": 0},
    "link_load_bytes": 0,
    "link_store_bytes": 0,
}
KERNEL |= {"schedule": {"slots": 16, "clocks": 0, "mean_lifetime": 0}}
KERNEL |= {
    "shuffle_clocks": 0,
    "prints": 0,
    "heap_calls": 0,
    "parted_sectors": 0,
    "waiting_blocks": 0,
    "sleep_ns": 0,
    "constants": {"passes": 0, "misses": 0},
}


def numbers(words):
    pairs = pairwise(words)
    return {a.lstrip("-"): int(b) for a, b in pairs if a.startswith("-") and b.isdigit()}


FINDING = {"kind": "race", "sentence": "thread 1 writes what thread 2 reads\x1b", "file": "mock.cu"}
FINDING |= {"line": 3, "other_file": "mock.cu", "other_line": 5, "kernel": "kernel", "count": 2}
FINDING |= {"block": [0, 0, 0], "threads": "1"}
LEAK = FINDING | {"kind": "leak", "sentence": "4 bytes are never freed"}


REPLY, FINDINGS, PROFILE, OUTPUT = 4 << 10, 2 << 20, 4 << 20, 64 << 20
HEADER = ("replies", "reply_bytes", "profiles", "profile_bytes", "found", "findings")
HEADER += ("findings_bytes", "output_bytes", "finished")


class Channel:
    """Does what harness/runner/channel.cpp does."""

    def __init__(self, wake, file):
        self.wake = wake
        self.memory = mmap.mmap(file, OUTPUT + (64 << 20))
        os.close(file)

    def set(self, **fields):
        for name, value in fields.items():
            struct.pack_into("=Q", self.memory, 8 * HEADER.index(name), value)

    def get(self, name):
        return struct.unpack_from("=Q", self.memory, 8 * HEADER.index(name))[0]

    def put(self, place, data):
        self.memory[place : place + len(data)] = data
        return len(data)

    def reply(self, data):
        self.set(reply_bytes=self.put(REPLY, data), replies=self.get("replies") + 1)
        os.write(self.wake, b"\n")


def findings_of(behave, case):
    found = {"races": [FINDING], "leaks": [LEAK], "races_once": [FINDING] * (case["n"] == 7)}
    lines = [json.dumps(finding) for finding in found.get(behave, [])]
    if behave == "talks_nonsense":
        lines = ["[" * 100000, '{"kind": 5}', "null", '{"kind": "race", "line": -1e999}']
    return lines


class Runner:
    def __init__(self, behave, time_ms, argv):
        self.behave, self.time_ms = behave, time_ms
        serve = argv.index("--serve")
        self.requests, wake, file = map(int, argv[serve + 1 : serve + 4])
        self.channel = Channel(wake, file)
        # What only the sanitize build does.
        self.sanitized = argv[3] == "sanitize"

    def reply(self, **fields):
        self.channel.reply(json.dumps(fields).encode())

    def serve(self):
        getattr(self, f"load_{self.behave}", lambda: None)()
        for line in os.fdopen(self.requests):
            words = line.split()
            if words[0] == "run":
                self.case = numbers(words)
                self.case.setdefault("repeats", 1)
                if self.sanitized:
                    self.find()
                getattr(self, f"run_{self.behave}", self.run)()
            else:
                self.fingerprints = words[0] == "fingerprint"
                getattr(self, f"fetch_{self.behave}", self.fetch)(int(words[1]))
        if self.sanitized and self.behave == "leaves_unasked":
            os._exit(0)
        self.channel.set(finished=1)
        if self.sanitized and findings_of(self.behave, self.case):
            os._exit(86)

    def find(self):
        """Mocks the sanitize build: reports the findings, or hides some."""
        lines = findings_of(self.behave, self.case)
        text = "".join(f"{line}\n" for line in lines).encode()
        size = self.channel.put(FINDINGS, text)
        self.channel.set(found=len(lines), findings=len(lines), findings_bytes=size)
        if self.behave == "hangs_by_hand":
            time.sleep(1000)
        if self.behave == "crashes_by_hand":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.behave == "quits_by_hand":
            os._exit(0)
        if self.behave == "hides_findings":
            self.channel.set(found=1)
        if self.behave == "wrong_by_hand":
            self.behave = "wrong"

    def run(self):
        times = [self.time_ms * (1 + i / 1000) for i in range(self.case["repeats"])]
        if enough_ms := self.case.get("enough-ms"):
            times = times[: -(-enough_ms // max(1, int(self.time_ms)))]
        # The grader compares the times with the clock of the grader.
        time.sleep(sum(times) / 1e3)
        getattr(self, f"count_{self.behave}", self.count)()
        again = {"retaken": 1, "waited_ms": 2.5} if self.case["n"] >= LARGE else {}
        self.reply(status="ok", times_ms=times, bytes=4.0 * self.case["n"], limit_ms=0, **again)

    def run_hides(self):
        """Works for some time without a report."""
        time.sleep(0.02 * self.case["repeats"])
        self.run()

    def run_unsteady(self):
        """Takes twice as long from time to time."""
        Runner.rounds = getattr(Runner, "rounds", 0) + 1
        quick, self.time_ms = self.time_ms, self.time_ms * (1 + Runner.rounds % 2)
        self.run()
        self.time_ms = quick

    def run_input_modified(self):
        self.reply(status="input_modified", detail="x was modified, but it is const")

    def count(self):
        """Mocks the profile mode: atomics, as many as give the time in the model of an H200."""
        atomics = self.time_ms * 1e6 * 1.37 / 16
        kernel = KERNEL | {"same_address_atomics": atomics}
        host = [{"op": "launch", "kernel": 0}]
        self.profile(json.dumps({"version": 1, "kernels": [kernel], "host": host}))

    def count_forged(self):
        self.profile('{"version": 1, "kernels": [{"launches": -1e999}], "host": []}')

    def profile(self, text):
        self.channel.set(profile_bytes=self.channel.put(PROFILE, text.encode()), profiles=1)

    def count_nothing(self):
        pass

    def fetch(self, repeat):
        self.send(self.values(repeat))

    def values(self, repeat):
        base = self.case["seed"] + 1000 * repeat
        return [(2 * i + base) % 2**32 for i in range(self.case["n"])]

    def send(self, values):
        if self.fingerprints:
            found = hashlib.sha256(struct.pack(f"<{len(values)}I", *values)).hexdigest()[:16]
            self.reply(status="ok", fingerprint=found)
            return
        self.reply(status="ok", size=self.put(values))

    def put(self, values):
        data = GUARD + struct.pack(f"<{len(values)}I", *values) + GUARD
        size = self.channel.put(OUTPUT, data)
        self.channel.set(output_bytes=size)
        return size

    # Wrong answers.
    def fetch_wrong(self, repeat):
        values = self.values(repeat)
        if len(values) > 5:
            values[5] ^= 1
        self.send(values)

    def fetch_wrong_in_large(self, repeat):
        """Wrong only in the timed case."""
        (self.fetch_wrong if self.case["n"] >= LARGE else self.fetch)(repeat)

    def fetch_untouched(self, repeat):
        self.send([0xFFFFFFFF] * self.case["n"])

    def fetch_short(self, repeat):
        self.send(self.values(repeat)[:-1])

    def fetch_wrong_size(self, repeat):
        self.channel.set(output_bytes=10)
        self.reply(status="ok", size=5000)

    def fetch_changes(self, repeat):
        """Right at first; the bytes are changed right after the announcement."""
        self.fetch(repeat)
        time.sleep(0.2)
        self.channel.put(OUTPUT + 300, bytes(20))
        self.channel.set(output_bytes=0)

    # Dying.
    def load_exit0(self):
        os._exit(0)

    def run_crash(self):
        os.kill(os.getpid(), signal.SIGSEGV)

    def run_abort(self):
        print("terminate called after throwing an instance of 'std::bad_alloc'", file=sys.stderr)
        sys.stderr.flush()
        os.abort()

    def run_crash_once(self):
        """Crashes only in the case with n = 7."""
        if self.case["n"] == 7:
            self.run_crash()
        self.run()

    def run_memory_hog(self):
        hoard = []
        try:
            while True:
                hoard.append(mmap.mmap(-1, 1 << 28, flags=mmap.MAP_PRIVATE))
        except OSError:
            self.run_abort()

    def run_writes_everywhere(self):
        with open("here.txt", "w") as file:
            file.write("x" * 1000)
        with open("huge.bin", "wb") as file:
            os.ftruncate(file.fileno(), 1 << 40)

    # Never ending.
    def load_hang(self):
        time.sleep(1000)

    def run_hang(self):
        time.sleep(1000)

    def run_hangs_in_large(self):
        (self.run_hang if self.case["n"] >= LARGE else self.run)()

    def run_flood(self):
        while True:
            os.write(1, b"all work and no play \x1b[31mmakes\x07 " * 1000)

    def run_fork(self):
        """Leaves a child process in a new session with every descriptor open, and exits."""
        import subprocess  # slow to load, and rarely needed

        code = "import os,time; os.setsid(); os.fork(); time.sleep(1000)"
        fds = (self.requests, self.channel.wake)
        subprocess.Popen([sys.executable, "-c", code], pass_fds=fds)
        time.sleep(0.3)
        os._exit(3)

    def run_everything(self):
        """All at once: many children, a results file, the network, and endless output."""
        import socket
        import subprocess

        os.mkdir("build")
        with open("build/results.json", "w") as file:
            file.write('{"score": 200}')
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", 9), timeout=0.1)
        with contextlib.suppress(OSError):
            for _ in range(200):
                subprocess.Popen(["sleep", f"86{os.getpid()}"], start_new_session=True)
        self.run_flood()

    # Malformed replies.
    def run_garbage(self):
        self.channel.reply(b"PASS 100/100\n")

    def run_deep(self):
        self.channel.reply(b"[" * 100000)

    def run_endless_line(self):
        self.channel.set(reply_bytes=1 << 40, replies=1)
        while True:
            os.write(self.channel.wake, b"x" * 65536)

    def run_nan(self):
        self.channel.reply(b'{"status": "ok", "times_ms": [NaN], "bytes": 1}')

    def run_negative(self):
        self.reply(status="ok", times_ms=[-1.0], bytes=1)

    def run_too_many_times(self):
        self.reply(status="ok", times_ms=[1.0] * 50, bytes=1)

    def run_longer_than_it_took(self):
        self.reply(status="ok", times_ms=[1e6] * self.case["repeats"], bytes=1)

    def run_closes(self):
        os.close(self.channel.wake)
        time.sleep(1000)

    def run_cuda_error(self):
        self.reply(status="cuda_error", detail="an illegal memory access was encountered")
        os._exit(0)

    def run_report_among_print(self):
        """The CPU device's report between halves of a line, and much output afterwards."""
        report = "CUDA error in kernel k, thread (1,2,3): read (cudaErrorIllegalAddress)"
        print(f"hal{report}\nf a line\n" + "more of it\n" * 1000, flush=True)
        self.run_cuda_error()

    def run_option_error(self):
        self.reply(status="option_error", detail="unknown option --rowz")

    # Unusual replies.
    def run_prints(self):
        print("hello from the kernel \x1b[2J[bold]not markup[/bold]")
        sys.stdout.flush()
        self.run()


if __name__ == "__main__":
    if sys.argv[4:] == ["--list"]:
        print(json.dumps(["copy", "fastlib", "slowlib"]))
        sys.exit()
    behaviour, own_time = sys.argv[1], float(sys.argv[2])
    peer = sys.argv[sys.argv.index("--peer") + 1] if "--peer" in sys.argv else ""
    own_time = {"copy": 0.4, "fastlib": 2.0, "slowlib": 9.0}.get(peer, own_time)
    Runner("untouched" if peer == "copy" else behaviour, own_time, sys.argv).serve()
