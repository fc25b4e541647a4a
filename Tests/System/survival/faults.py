"""`survive faults`: something around the music goes away and comes back.

Each gives one fault with a sentence on the console, which is marked over afterwards; meanwhile the follower
misses no hop and the packets go on.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from lib import soundcard
from lib.processes import free_port
from lib.waiting import hold_for

from . import namespaces, phone, places
from .console import Console
from .desk import HTTPDesk, Unwritten, tcp
from .reserve import reserve
from .server import Server, replay_differences
from .solo import Solo
from .verdict import load_line, say, skip


class Case:
    """One fault at one server: what is told of it, and what goes on meanwhile."""

    def __init__(self, name, console, ears, verdict, source=None):
        self.name, self.console, self.ears, self.verdict, self.source = name, console, ears, verdict, source
        self.before = dict(console["meters"] or {})
        self.known = {fault["id"]: fault["count"] for fault in console["faults"] or []}
        self.began = time.monotonic()
        self.oldest_report = 0.0

    def fault(self, identifier):
        return next((fault for fault in self.console["faults"] or [] if fault["id"] == identifier), None)

    def appears(self, identifier, timeout=6):
        found = self.console.wait(
            lambda _: (self.fault(identifier) or {"over": True})["over"] is False, timeout)
        fault = self.fault(identifier)
        told = f"after {found - self.began:.1f} s: “{fault['sentence']}”" if found else f"{self.console['faults']}"
        self.verdict.claim(
            f"faults {self.name}: told on the console", found and len(fault["sentence"]) > 30, told)

    def ends(self, identifier, timeout=15, mended=None):
        mended = mended or time.monotonic()
        found = self.console.wait(
            lambda _: (self.fault(identifier) or {"over": False})["over"] is True, timeout)
        self.verdict.claim(
            f"faults {self.name}: marked over afterwards", found,
            f"after {found - mended:.1f} s" if found else str(self.fault(identifier)))
        count = (self.fault(identifier) or {"count": 0})["count"] - self.known.get(identifier, 0)
        self.verdict.claim(f"faults {self.name}: counted once", count == 1, f"{count} times")

    def others(self, *expected):
        """No further fault was told."""
        news = [fault["id"] for fault in self.console["faults"] or []
                if fault["count"] > self.known.get(fault["id"], 0) and fault["id"] not in expected
                # A machine that is busy with something else is no matter of this case.
                and fault["id"] != "overrun"]
        self.verdict.claim(f"faults {self.name}: nothing else is told", not news, ", ".join(news))

    def watch(self, seconds):
        """Lets time pass and notes how old the newest report ever was."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.oldest_report = max(self.oldest_report, (self.console["meters"] or {}).get("reportAgeMs", 0))
            hold_for(0.05)

    def music_went_on(self, packets=True, hops=True):
        """Reports came all the time, few came late, and the phones were told."""
        now = self.console["meters"] or {}
        if hops:
            late = now.get("overruns", 0) - self.before.get("overruns", 0)
            self.verdict.claim(
                f"faults {self.name}: the follower went on", self.oldest_report < 500,
                f"oldest report {self.oldest_report:.0f} ms, {late} late hops, {load_line()}")
        if packets:
            heard = [packet for packet in self.ears.packets
                     if packet.at >= self.began and self.source in (None, packet.source)]
            gap = max((two.at - one.at for one, two in zip(heard, heard[1:])), default=99)
            self.verdict.claim(
                f"faults {self.name}: packets went on, counts rising",
                gap < 0.7 and not phone.not_rising(heard), f"{len(heard)} packets, longest gap {gap * 1000:.0f} ms")


class Alone:
    """A solo server in the middle of its music, taken down at the end."""

    def __init__(self, name, **options):
        self.solo = Solo(name, [places.BACH], **options)

    def __enter__(self):
        self.solo.first_start()
        self.solo.until_following()
        hold_for(0.5)  # some music before anything happens
        return self.solo

    def __exit__(self, *_):
        self.solo.end()


def disk(verdict):
    """A disk that is full, then not."""
    if os.geteuid() == 0:
        return _disk_of_its_own(verdict)
    _file_limit(verdict)


def _is_acknowledged(solo, *words):
    """Gives a command; False if the server says that it was done but not written."""
    try:
        solo.command(*words)
    except Unwritten:
        return False
    return True


def _disk_of_its_own(verdict):
    mount = Path(tempfile.mkdtemp(prefix="baton-disk-"))
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=260m", "survival", mount], capture_output=True).returncode:
        os.rmdir(mount)
        say("no tmpfs can be mounted; a limit on the size of files serves instead")
        return _file_limit(verdict)
    try:
        with Alone("disk", data=mount / "data") as solo:
            case = Case("disk", solo.console, solo.ears, verdict)
            # To the last byte.
            with open(mount / "ballast", "wb", buffering=0) as ballast:
                size = 1 << 20
                while size:
                    try:
                        if ballast.write(b"\0" * size) < size:
                            raise OSError
                    except OSError:
                        size //= 2
            # The rest of the file's last block is soon used up.
            for number in range(8):
                _is_acknowledged(solo, "note", f"written while the disk is full, {number} " + "x" * 1_800)
            case.appears("disk")
            case.watch(3)
            verdict.claim("faults disk: what is not written is not acknowledged",
                          not _is_acknowledged(solo, "message", "Full", "A body", "AUTO", ""))
            os.unlink(mount / "ballast")
            solo.command("note", "there is room again")
            case.ends("disk")
            # The look at what is left tells the same misfortune beforehand.
            case.others("disk", "disk-space")
            case.music_went_on()
            solo.server.kill()
            wrong = replay_differences(solo.server)
            verdict.claim("faults disk: nothing of the log is lost", not wrong, "; ".join(wrong))
            solo.start()
            _, snapshot = solo.wait_for_console(solo.server.started_at, 10)
            title = ((snapshot["message"] or {}).get("current") or {}).get("title")
            verdict.claim("faults disk: what was ordered meanwhile is there after kill -9", title == "Full", str(title))
    finally:
        subprocess.run(["umount", "-l", mount], capture_output=True)
        shutil.rmtree(mount, ignore_errors=True)


def _file_limit(verdict):
    with Alone("disk", file_limit=40_000) as solo:
        case = Case("disk", solo.console, solo.ears, verdict)
        for number in range(20):
            _is_acknowledged(solo, "note", f"{number} " + "x" * 1900)
        case.appears("disk")
        case.watch(2)
        subprocess.run(["prlimit", "--pid", str(solo.server.pid), "--fsize=unlimited"], check=True)
        solo.command("note", "there is room again")
        case.ends("disk")
        case.others("disk")
        case.music_went_on()


def _preloaded(name):
    """Builds a library of this folder that is loaded before the C library; None without a C compiler."""
    compiler = next(filter(shutil.which, ("cc", "clang", "gcc")), None)
    if not compiler:
        return None
    library = places.scratch() / f"{name}.so"
    source = Path(__file__).parent / f"{name}.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def slow(verdict):
    """A disk that needs three seconds until a command is on it, then not."""
    library, seconds = _preloaded("slow_disk"), places.scratch() / "sync-seconds"
    if not library:
        return skip("faults slow", "there is no C compiler to build the slow disk with")
    seconds.write_text("0")
    with Alone("slow", environment={"LD_PRELOAD": str(library), "SURVIVAL_SYNC": str(seconds)}) as solo:
        case = Case("slow", solo.console, solo.ears, verdict)
        seconds.write_text("3")
        began = time.monotonic()
        # It may wait for a flush that has just begun, and then for its own.
        HTTPDesk(tcp("127.0.0.1", solo.http), timeout=15).command("note", "written on a slow disk")
        waited = time.monotonic() - began
        verdict.claim("faults slow: a command is answered only when it is on the disk", waited > 2.9, f"{waited:.1f} s")
        case.appears("disk")
        # Two flushes if the folder is new too.
        measured = solo.console.wait(
            lambda _: re.search(" needed [3-6][.]", (case.fault("disk") or {"sentence": ""})["sentence"]), 8)
        verdict.claim("faults slow: the time is measured", measured, str(case.fault("disk")))
        case.watch(1)
        seconds.write_text("0")
        mended = time.monotonic()
        over = solo.console.wait(lambda _: (case.fault("disk") or {"over": False})["over"] is True, 15)
        verdict.claim("faults slow: marked over afterwards, without a command", over,
                      f"after {over - mended:.1f} s" if over else str(case.fault("disk")))
        case.others("disk")
        case.music_went_on()


def clock(verdict):
    """The clock is set forward by an hour, and back."""
    library, stamp = _preloaded("stepped_clock"), places.scratch() / "clock-offset"
    if not library:
        return skip("faults clock", "there is no C compiler to build the stepped clock with")
    stamp.write_text("0")
    environment = {"LD_PRELOAD": str(library), "SURVIVAL_CLOCK": str(stamp)}
    with Alone("clock", environment=environment) as solo:
        case = Case("clock", solo.console, solo.ears, verdict)
        stamp.write_text("3600")
        case.appears("clock")
        case.watch(3)
        case.ends("clock", timeout=40)
        case.others("clock")
        case.music_went_on()
        solo.server.kill()
        solo.start()
        _, snapshot = solo.wait_for_console(solo.server.started_at, 10)
        verdict.claim(
            "faults clock: a restart with the new clock goes on with the same show",
            len(solo.server.shows) == 1 and snapshot["position"]["audience"]["view"] == "live",
            f"{len(solo.server.shows)} shows")


def broker(verdict):
    """mosquitto is killed, and comes back."""
    if not shutil.which("mosquitto"):
        return skip("faults broker", "mosquitto is not installed")
    port = free_port()
    process = start_mosquitto(port)
    try:
        with Alone("broker", mqtt=port) as solo:
            # The first seconds may pass before it is connected at all.
            solo.console.wait(lambda console: not [f for f in console["faults"] or [] if not f["over"]], 12)
            case = Case("broker", solo.console, solo.ears, verdict)
            process.kill()
            process.wait()
            case.appears("broker", timeout=10)
            case.watch(3)
            process = start_mosquitto(port)
            case.ends("broker", timeout=25)
            case.others("broker")
            case.music_went_on()
    finally:
        process.kill()
        process.wait()


def start_mosquitto(port):
    settings = places.scratch() / f"mosquitto-{port}.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n")
    return subprocess.Popen(
        ["mosquitto", "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def network(verdict):
    """The interface the packets leave through is taken down, and up again."""
    why = namespaces.why_not()
    if why:
        return skip("faults network", why)
    hall = namespaces.Hall()
    ears = console = server = None
    try:
        ears = hall.within("hall", lambda: phone.Ears(12345, namespaces.HALL_ADDRESS))
        audio = places.recording(places.BACH)
        server = Server(
            "network",
            [places.BACH, "--live", audio, "--ttl", "1", "--interface", namespaces.ADDRESSES["main"],
             "--no-sign-in", "--http", "127.0.0.1:8080", "--osc", "127.0.0.1:9120"],
            places.scratch() / "network", namespace=hall.names["main"])
        import socket

        def connect():
            made = hall.within("main", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            made.settimeout(2)
            made.connect(("127.0.0.1", 8080))
            return made
        server.start()
        console = Console(connect)
        if console.wait(lambda it: (it["position"] or {}).get("mode") == "following", 25) is None:
            raise RuntimeError("the music is not followed")
        case = Case("network", console, ears, verdict)
        hall.interface("main", False)
        case.appears("network")
        case.watch(4)
        hall.interface("main", True)
        back = time.monotonic()
        case.ends("network")
        first = ears.first_after(back, timeout=5)
        verdict.claim(
            "faults network: packets are back by themselves", first and not phone.not_rising(ears.packets),
            f"after {(first.at - back) * 1000:.0f} ms" if first else "")
        case.others("network")
        case.music_went_on(packets=False)
    finally:
        if console:
            console._closed = True
        if server:
            server.stop()
        if console:
            console.close()
        if ears:
            ears.close()
        hall.remove()


def unplugged(verdict):
    """A sound server has two sources; the chosen one is unplugged, and comes back."""
    if not soundcard.is_possible():
        return skip("faults unplugged", "pulseaudio is not installed (a private sound card needs it)")
    card = soundcard.SoundCard()
    solo = Solo("unplugged", [places.BACH])
    try:
        card.plug_in("usb")
        _hear_device(solo, "pulse:usb.monitor", card.environment)
        solo.server.start()
        solo.wait_for_console(0, 20)
        card.play(places.recording(places.BACH), to="usb")
        solo.until_following(30)
        case = Case("unplugged", solo.console, solo.ears, verdict)
        card.unplug("usb")
        case.appears("input")
        hold_for(4)  # the server's other source is there all the time
        verdict.claim("faults unplugged: the other source is not taken for it",
                      solo.console["meters"]["inputLost"], str(case.fault("input")))
        mended = time.monotonic()
        card.plug_in("usb")
        case.ends("input", timeout=15, mended=mended)
        card.play(places.recording(places.BACH), to="usb")
        fresh = solo.console.wait(lambda console: console["meters"]["peakDb"] > -60, 8)
        verdict.claim("faults unplugged: it is heard again", fresh, str(solo.console["meters"]["peakDb"]))
        case.others("input")
    finally:
        solo.end()
        card.remove()


def _hear_device(solo, device, environment):
    """Lets a server hear a sound device instead of recordings."""
    words = solo.server.arguments
    at = words.index("--live")
    del words[at:at + 2]
    at = words.index("--loop")
    words[at:at + 2] = ["--device", device]
    solo.server.environment = environment


def sound(verdict):
    """The sound device goes away in the middle of the music, and comes back."""
    if not shutil.which("pulseaudio"):
        return skip("faults sound", "pulseaudio is not installed (a private sound card needs it)")
    folder = tempfile.mkdtemp(prefix="baton-card-")
    environment = {**os.environ, "BATON_SOUNDCARD": folder + "/card"}
    card = str(places.ROOT / "Tools/soundcard")

    def control(*words):
        return subprocess.run(
            [card, *words], env=environment, capture_output=True, text=True, timeout=30).stdout

    def exports():
        lines = [line[7:].split("=", 1) for line in control("start").splitlines() if line.startswith("export ")]
        return {name: value.strip("'\"") for name, value in lines}

    player = None
    try:
        found = exports()
        if not found:
            return skip("faults sound", "the private sound card does not start")
        solo = Solo("sound", [places.BACH])
        _hear_device(solo, "room", found)
        solo.server.start()
        try:
            solo.wait_for_console(0, 20)
            player = subprocess.Popen(
                [card, "play", places.recording(places.BACH)], env=environment, stderr=subprocess.DEVNULL)
            solo.until_following(30)
            case = Case("sound", solo.console, solo.ears, verdict)
            for number in _pulseaudio(folder + "/card/processes"):
                os.kill(number, signal.SIGKILL)
            player.kill()
            player.wait()
            case.appears("input")
            hold_for(4)  # the device stays away
            mended = time.monotonic()
            exports()
            case.ends("input", timeout=15, mended=mended)
            case.others("input")
            case.music_went_on(hops=False)
            fresh = solo.console.wait(lambda console: 0 <= console["meters"]["reportAgeMs"] < 200, 5)
            verdict.claim("faults sound: the follower hears again", fresh, str(solo.console["meters"]["reportAgeMs"]))
        finally:
            solo.end()
    finally:
        if player and player.poll() is None:
            player.kill()
            player.wait()
        control("stop")
        shutil.rmtree(folder, ignore_errors=True)


def _pulseaudio(processes):
    """Numbers of those that the private sound card has started and that still are what they were."""
    found = []
    with open(processes, encoding="ascii") as lines:
        for number in map(int, lines.read().split()):
            try:
                if Path(f"/proc/{number}/comm").read_text().strip() == "pulseaudio":
                    found.append(number)
            except OSError:
                pass
    return found


CASES = {"sound": sound, "unplugged": unplugged, "disk": disk, "slow": slow, "reserve": reserve, "clock": clock,
         "network": network, "broker": broker}


def run(only, verdict):
    say(f"faults: {load_line()}")
    for name in only.split(",") if only else CASES:
        try:
            CASES[name](verdict)
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            verdict.claim(f"faults {name}", False, f"broke off: {error}")
    say(load_line())
