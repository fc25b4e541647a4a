"""Child processes and free ports: whatever is started is ended."""

import random
import socket
import subprocess


def free_port(kind=socket.SOCK_STREAM):
    """A port of loopback that nobody has now, below those (32768 on Linux) that outgoing connections are given."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


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
