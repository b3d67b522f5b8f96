"""A filter for the kernel (seccomp) of system calls that a student's program does not need.

The calls reach other processes and parts of the kernel that the box does not close off: keys that
outlive the box, sockets to the host of a virtual machine (AF_VSOCK), rings that make other calls
for a program. All other calls are allowed: CUDA needs many. A refused call fails with EPERM.
"""

import errno
import os
import socket
import struct

# The numbers on x86-64 and on AArch64.
REFUSED = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setns": (308, 268),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
SOCKET, CLONE, CLONE3 = (41, 198), (56, 220), (435, 435)
MACHINES = {"x86_64": 0, "aarch64": 1}
ARCHITECTURES = (0xC000003E, 0xC00000B7)  # as in audit.h
NEW_NAMESPACES = 0x7E020000  # clone's flags that ask for a namespace
X32 = 0x40000000  # on x86-64, a second table of the same calls

# From filter.h and seccomp.h; a filter reads the call's number, the architecture, then arguments.
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
ALLOW, FAIL_WITH = 0x7FFF0000, 0x00050000


def seccomp_filter(machine: str = os.uname().machine) -> bytes:
    """The filter, as an array of struct sock_filter; empty for an unknown machine."""
    if machine not in MACHINES:
        return b""
    which = MACHINES[machine]
    refuse = [(RETURN, 0, 0, FAIL_WITH | errno.EPERM)]
    allow = [(RETURN, 0, 0, ALLOW)]
    # Each test that fails skips the instructions after the test.
    words = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[which]), *refuse]
    words += [(LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, X32), *refuse]
    for numbers in REFUSED.values():
        words += [(EQUAL, 0, 1, numbers[which]), *refuse]
    # clone3 keeps its flags in memory, unseen by filters; the C library then falls back to clone.
    words += [(EQUAL, 0, 1, CLONE3[which]), (RETURN, 0, 0, FAIL_WITH | errno.ENOSYS)]
    words += [(EQUAL, 0, 4, CLONE[which]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    words += [(ANY_BIT, 0, 1, NEW_NAMESPACES), *refuse, *allow]
    words += [(EQUAL, 0, 4, SOCKET[which]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    words += [(EQUAL, 1, 0, socket.AF_UNIX), *refuse, *allow]
    return b"".join(struct.pack("=HBBI", *word) for word in (*words, *allow))
