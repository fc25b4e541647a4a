"""Child processes and free ports: whatever is started is ended."""

import socket
import subprocess


def free_port(kind=socket.SOCK_STREAM):
    """A port of loopback that nobody has now."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(process, seconds=15):
    """Ends a process as a terminal would; kills it if it still runs after the seconds. Returns its status."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            kill(process)
    return process.returncode


def kill(process):
    """As a crash or a power cut would."""
    process.kill()
    process.wait()
