"""An edge as docs/deploy/nginx-edge.conf describes it, on loopback: nginx, relays, and brokers."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess

from .processes import end, free_port
from .repository import ROOT, program
from .waiting import when

CONFIGURATION = ROOT / "docs/deploy/nginx-edge.conf"
MODULE = next((path for path in map(pathlib.Path, ("/usr/lib/nginx/modules/ngx_nchan_module.so",
                                                  "/usr/share/nginx/modules/ngx_nchan_module.so"))
               if path.exists()), None)


def program_at(name):
    """Where a server's program is; None if it is not installed. Servers are not in everybody's PATH."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def what_is_missing():
    """What this machine lacks for an edge, as a sentence; None if nothing."""
    missing = [name for name in ("nginx", "mosquitto", "openssl") if not program_at(name)]
    missing += [] if MODULE else ["libnginx-mod-nchan"]
    return f"{', '.join(missing)} not installed; run Tools/setup" if missing else None


def answers(port):
    socket.create_connection(("127.0.0.1", port), 1).close()


class Process:
    """Something that is started, killed and started again; what it says is in a file."""

    def __init__(self, folder, name, *command):
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.command = [str(word) for word in command]
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
        return self

    def kill(self):
        """It and its children, as a crash would."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self):
        if self.process:
            end(self.process, 5)


class Broker(Process):
    """A mosquitto that keeps nothing on the disk."""

    def __init__(self, folder):
        self.port = free_port()
        settings = pathlib.Path(folder) / f"mosquitto-{self.port}.conf"
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        super().__init__(folder, f"mosquitto-{self.port}", program_at("mosquitto"), "-c", settings)

    @property
    def place(self):
        return f"127.0.0.1:{self.port}"

    def start(self):
        super().start()
        when(lambda: answers(self.port), 20)
        return self


class Relay(Process):
    def __init__(self, folder, brokers, edge, baton=None, name="hall"):
        words = [word for broker in brokers for word in ("--mqtt", broker.place)]
        super().__init__(folder, f"relay-{edge.publish}-{name}", baton or program(), "relay", "--name", name, *words,
                         "--push", f"http://127.0.0.1:{edge.publish}/publish", "--timeline",
                         edge.folder / name / "timeline")


class Edge(Process):
    """An nginx with the configuration of the documents: its own ports and folders, and plain HTTP beside TLS.

    Under the name localhost come listeners of a broadcast that is `BEHIND` seconds late.
    """

    BEHIND = 14

    def __init__(self, folder, hall):
        """`hall` is the port of the hall's server, which may not run yet."""
        self.port, self.plain, self.publish = free_port(), free_port(), free_port()
        self.folder = pathlib.Path(folder) / f"edge-{self.port}"
        self.folder.mkdir()
        self.secure = f"https://127.0.0.1:{self.port}"
        self.base = f"http://127.0.0.1:{self.plain}"
        self.certificate = self.folder / "certificate.pem"
        key = self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=edge", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
             self.certificate], check=True, capture_output=True)
        scratch = "".join(f"    {kind}_temp_path {self.folder}/{kind};\n"
                          for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        text = CONFIGURATION.read_text()
        for written, here in {
                "modules/ngx_nchan_module.so": str(MODULE),
                "http {\n": "http {\n" + scratch,
                "listen 80;": f"listen 127.0.0.1:{free_port()};",
                "listen [::]:80;": "",
                "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2; listen 127.0.0.1:{self.plain};",
                "listen [::]:443 ssl http2;": "",
                "listen 127.0.0.1:8091;": f"listen 127.0.0.1:{self.publish};",
                "server 127.0.0.1:8080;": f"server 127.0.0.1:{hall};",
                "live.example.org 34;": f"localhost {self.BEHIND};",
                "/run/baton-relay": str(self.folder),
                "/etc/baton/fullchain.pem": str(self.certificate),
                "/etc/baton/key.pem": str(key),
                "/var/cache/nginx/baton": f"{self.folder}/cache"}.items():
            if written not in text:
                raise SystemExit(f"{CONFIGURATION} has no “{written.strip()}” any more.")
            text = text.replace(written, here)
        settings = self.folder / "nginx.conf"
        settings.write_text(text)
        user = "user root; " if os.geteuid() == 0 else ""
        super().__init__(folder, f"nginx-{self.port}", program_at("nginx"), "-p", self.folder, "-e",
                         self.folder / "error.log", "-c", settings, "-g",
                         f"{user}daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;")

    def start(self):
        super().start()
        when(lambda: answers(self.plain), 20)
        return self

    @property
    def worker(self):
        """The process that has the listeners."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return next(int(child) for child in children
                    if b"worker" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes())
