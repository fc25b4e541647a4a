"""The hall: all listeners in one thread over epoll, and what they heard."""
import contextlib
import json
import os
import random
import resource
import select
import socket
import ssl
import statistics
import subprocess
import threading
import time
from urllib.parse import urlsplit

from lib import packets
from lib.figures import Process, percentile
from lib.web import snapshot
from listener import Listener


def spread(seconds):
    """Milliseconds: median, 95th and 99th percentile, largest."""
    if not seconds:
        return {"count": 0}
    figures = {name: percentile(seconds, share) for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))}
    return {"count": len(seconds), **{f"{name} ms": round(value * 1000, 1) for name, value in figures.items()},
            "max ms": round(max(seconds) * 1000, 1)}


class Hall:
    def __init__(self, options):
        self.options = options
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        if hard != resource.RLIM_INFINITY and options.count + 64 > hard:
            raise SystemExit(f"Only {hard} files may be open at once; ask for fewer listeners than {hard - 64}.")
        self.servers = [(part.hostname, part.port or 80, part.scheme == "https")
                        for part in map(urlsplit, options.urls)]
        # What travels is measured, not whose certificate it is. No session is resumed: each handshake is a whole one.
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.tls.check_hostname, self.tls.verify_mode = False, ssl.CERT_NONE
        self.epoll = select.epoll()
        self.by_descriptor = {}
        # Addresses 127.0.0.2 and so on, so that ports never run out however often all come back.
        self.sources = [f"127.0.0.{2 + number}" for number in range(8)]
        self.listeners = [Listener(number) for number in range(options.count)]
        self.arrivals = {}  # key of a live event -> [(kernel time, read time)]
        self.firsts = []  # of the packets: (name, measure, time)
        self.lives = {}  # key -> (name, measure)
        self.due = []  # (time, number): who joins when
        self.judged_from = float("inf")
        self.times = []  # when anybody first held each value, in their order
        self.places = {}  # key -> place in times
        self.wrong = 0.0  # the longest time in which a listener held an old value
        self.wrong_listeners = 0
        self.steps_back = 0
        self.faults = {}
        self.closed = 0
        self.newest = None
        self.processes = [Process(number) for number in options.pid or ()]
        self.process = self.processes[0] if self.processes else None
        self.minutes = []  # of a coming and going: (seconds, returns, changes, KB of each process)
        self.packet = self._packets() if options.packets else None
        self.parsed = {}

    # MARK: Sockets

    def _packets(self):
        heard = packets.join(self.options.packets, group=self.options.group, is_stamped=True)
        heard.setblocking(False)
        self.epoll.register(heard.fileno(), select.EPOLLIN)
        return heard

    def _join(self, listener, now):
        server = self.servers[(listener.number + listener.moves) % len(self.servers)]
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, packets.SO_TIMESTAMPNS, 1)
        if server[0].startswith("127."):
            made.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            made.bind((self.sources[listener.number % len(self.sources)], 0))
        listener.begin(made, now)
        self.by_descriptor[made.fileno()] = listener
        made.connect_ex(server[:2])
        self.epoll.register(made.fileno(), select.EPOLLOUT | select.EPOLLIN | select.EPOLLRDHUP)

    def _drop(self, listener):
        if listener.socket is None:
            return
        descriptor = listener.socket.fileno()
        self.by_descriptor.pop(descriptor, None)
        with contextlib.suppress(OSError):
            self.epoll.unregister(descriptor)
        listener.socket.close()
        listener.end()

    def _lost(self, listener, now, why):
        self._drop(listener)
        self.closed += 1
        self.faults[why] = self.faults.get(why, 0) + 1
        listener.moves += 1  # the next server, as a balancer in front would give it
        # As the page does it (audience/main.js).
        wait = 0.02 if self.options.eager else min(0.1 * 2 ** listener.trials, 0.5) + random.random() * 0.2
        listener.trials += 1
        self.due.append((now + wait, listener.number))

    # MARK: Time

    def turn(self, until):
        """Lets everything happen that happens before a moment."""
        while (now := time.time()) < until:
            soon = until
            if self.due:
                self.due.sort()
                while self.due and self.due[0][0] <= now:
                    self._join(self.listeners[self.due.pop(0)[1]], now)
                if self.due:
                    soon = min(soon, self.due[0][0])
            for descriptor, events in self.epoll.poll(max(0, min(soon - time.time(), 0.1)), 4096):
                if self.packet and descriptor == self.packet.fileno():
                    self._hear_packets()
                elif listener := self.by_descriptor.get(descriptor):
                    self._serve(listener, events)

    def _serve(self, listener, events):
        if not listener.is_asked:
            error = listener.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if error:
                return self._lost(listener, time.time(), os.strerror(error))
            if events & select.EPOLLOUT or listener.is_secure:
                host = self.servers[(listener.number + listener.moves) % len(self.servers)]
                if host[2] and not self._shake(listener):
                    return None
                try:
                    listener.ask(f"GET {self.options.path} HTTP/1.1\r\nHost: {host[0]}:{host[1]}\r\n"
                                 "Accept: text/event-stream\r\n\r\n")
                except OSError as error:
                    return self._lost(listener, time.time(), error.strerror)
                self.epoll.modify(listener.socket.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
            return None
        try:
            if listener.is_secure:
                data, ancillary = listener.socket.recv(16_384), []
            else:
                data, ancillary, _, _ = listener.socket.recvmsg(16_384, packets.STAMP_BYTES)
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        except OSError as error:
            return self._lost(listener, time.time(), error.strerror)
        read = time.time()
        if not data:
            return self._lost(listener, read, "closed by the server")
        self._hear(listener, data, packets.stamp(ancillary) or read, read)

    def _shake(self, listener):
        """Goes on with the handshake of TLS; true when it is done. Arrivals then have no stamps of the kernel."""
        if not listener.is_secure:
            descriptor = listener.socket.fileno()
            self.epoll.unregister(descriptor)
            listener.socket = self.tls.wrap_socket(listener.socket, do_handshake_on_connect=False)
            listener.is_secure = True
            self.by_descriptor[listener.socket.fileno()] = self.by_descriptor.pop(descriptor)
            self.epoll.register(listener.socket.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
        try:
            listener.socket.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except OSError as error:
            self._lost(listener, time.time(), error.strerror or "no handshake")
            return False
        return True

    # MARK: Hearing

    def _hear(self, listener, data, at, read):
        end = b"\n\n\r\n" if listener.is_chunked else b"\n\n"
        if listener.rest or not data.endswith(end) or not listener.is_joined:
            events = listener.events(data)
        else:
            # All are sent the same bytes: they are read once.
            events = self.parsed.get(data)
            if events is None:
                if len(self.parsed) > 256:
                    self.parsed.clear()
                events = self.parsed[data] = listener.parse(data, listener.is_chunked)
        if listener.fault:
            return self._lost(listener, read, listener.fault)
        for name, key, live in events:
            # A relay's stream has no snapshot: its beat shows that it lives, and comes after all else.
            if name == "snapshot" or name == "source" and not listener.is_joined:
                listener.snapshot(at)
            if key is None:
                continue
            if not listener.admits(key):
                self.steps_back += 1
                continue
            self._judge(listener, key, at)
            listener.key = key
            if name == "live" and at >= self.judged_from:
                self.arrivals.setdefault(key, []).append((at, read))
                self.lives[key] = live

    def _judge(self, listener, key, at):
        """The time for which this listener had an old value while another listener already had a newer one."""
        place = self.places.get(key)
        if place is None:
            if self.newest is not None and key < self.newest:
                return
            place = self.places[key] = len(self.times)
            self.times.append(at)
            self.newest = key
        if listener.place is not None and place > listener.place:
            self._count_wrong(at - self.times[listener.place + 1])
        listener.place = place

    def _count_wrong(self, span):
        self.wrong = max(self.wrong, span)
        self.wrong_listeners += span > 1

    def _hear_packets(self):
        while True:
            try:
                data, ancillary, _, _ = self.packet.recvmsg(2048, packets.STAMP_BYTES)
            except BlockingIOError:
                return
            try:
                heard = packets.read(data)
            except packets.Damaged:
                continue
            # The stream's events name a measure as text.
            if isinstance(heard, packets.Measure) and (not self.firsts or self.firsts[-1][:2] != (
                    heard.piece, str(heard.number))):
                self.firsts.append((heard.piece, str(heard.number), packets.stamp(ancillary) or time.time()))

    # MARK: The evening

    def run(self):
        options = self.options
        load = [round(value, 2) for value in os.getloadavg()]
        before = self.process.resident_kb * 1024 if self.process else None
        meters = self._meters()
        start = time.time()
        self.due = [(start + number / options.joins, number) for number in range(options.count)]
        self.turn(start + options.count / options.joins)
        patience = time.time() + 30
        while time.time() < patience and not all(one.is_joined for one in self.listeners):
            self.turn(time.time() + 0.1)
        joined = sum(one.is_joined for one in self.listeners)
        waits = [one.joining for one in self.listeners if one.joining is not None]
        figures = {"listeners": options.count, "joined": joined, "servers": len(self.servers), "note": options.note,
                   "load average before": load, "join to snapshot": spread(waits)}
        self.turn(time.time() + 1.5)  # allocations of the joining settle
        self.judged_from = time.time()
        if self.process:
            after = self.process.resident_kb * 1024
            figures["memory"] = {"before MB": round(before / 1e6, 1), "with all MB": round(after / 1e6, 1),
                                 "KB a listener": round((after - before) / options.count / 1024, 1)}
            self.process.begin()
        if options.command:
            self.turn(time.time() + options.seconds / 3)
            threading.Thread(target=lambda: subprocess.run(options.command, shell=True), daemon=True).start()
            self.turn(time.time() + options.seconds * 2 / 3)
        elif options.storm:
            self.turn(time.time() + options.seconds / 3)
            self.judged_from = float("inf")
            figures["storm"] = self._storm()
            self.judged_from = time.time()
            self.turn(time.time() + options.seconds * 2 / 3)
        elif options.churn:
            self.judged_from = float("inf")
            figures["coming and going"] = self._come_and_go()
        else:
            self.turn(time.time() + options.seconds)
        self.judged_from = float("inf")
        if self.process and not options.storm:
            figures["server's processor"] = {"percent of a core": round(100 * self.process.processor_share, 1)}
        self._delays(figures)
        # A moment in which what is on its way arrives.
        self.turn(time.time() + 1.2)
        figures["meters"] = self._difference(meters, self._meters())
        figures["connections lost"] = dict(self.faults)
        for one in self.listeners:
            if one.place is not None and one.place + 1 < len(self.times):
                self._count_wrong(time.time() - self.times[one.place + 1])
        figures["longest time with an old value s"] = round(self.wrong, 3)
        figures["times a listener was wrong for over 1 s"] = self.wrong_listeners
        figures["steps back"] = self.steps_back
        newest = max((one.key for one in self.listeners if one.key), default=None)
        behind = sum(one.key != newest for one in self.listeners)
        figures["newest"] = str(newest)
        figures["left behind"] = behind
        storm = figures.get("storm", {})
        late = options.within is not None and (
            not (storm.get("all right again s") or 1e9) <= options.within if storm else self.wrong > options.within)
        right = joined == options.count and not self.steps_back and not behind and not late
        figures["verdict"] = "right" if right else "wrong"
        return figures

    def _delays(self, figures):
        complete = {key: times for key, times in self.arrivals.items() if len(times) >= self.options.count}
        firsts = {}
        for key, times in complete.items():
            first = min(at for at, _ in times)
            fitting = [at for name, measure, at in self.firsts
                       if (name, measure) == self.lives[key] and -0.5 < at - first < 0.5]
            firsts[key] = (first, min(fitting, default=first))
        delays = [at - min(firsts[key]) for key, times in complete.items() for at, _ in times]
        reading = [read - at for times in complete.values() for at, read in times]
        worst = [max(at for at, _ in times) - min(firsts[key]) for key, times in complete.items()]
        figures["changes heard by all"] = len(complete)
        figures["change to listener"] = spread(delays)
        figures["change to the last listener"] = spread(worst)
        figures["this program behind the kernel"] = spread(reading)
        if self.packet:
            figures["first listener behind packet"] = spread([a - p for a, p in firsts.values() if p != a])

    def _come_and_go(self):
        """Listeners hang up and come back, one after the other; memory is noted each minute."""
        began, returns = time.time(), 0
        while (passed := time.time() - began) < self.options.seconds:
            while returns < self.options.churn * passed:
                one = self.listeners[random.randrange(len(self.listeners))]
                if one.is_joined:
                    self._drop(one)
                    one.place = None  # while away, it shows nothing wrong
                    self.due.append((time.time() + random.random() * 5, one.number))
                returns += 1
            if passed >= 60 * len(self.minutes):
                self._note_minute([round(passed), returns, len(self.times), *(each.resident_kb
                                                                              for each in self.processes)])
            self.turn(time.time() + 0.05)
        self.turn(time.time() + 7)  # all are back
        return {"returns": returns, "changes": len(self.times), **self._growth()}

    def _note_minute(self, row):
        self.minutes.append(row)
        if self.options.memory:
            with open(self.options.memory, "a") as file:
                print(*row, sep=",", file=file)

    def _growth(self):
        """What the first process grew by in 100,000 returns, by the least squares over the second half."""
        half = self.minutes[len(self.minutes) // 2:]
        if not self.process or len(half) < 3:
            return {}
        fit = statistics.linear_regression([row[1] for row in half], [row[3] for row in half])
        return {"KB at first": self.minutes[0][3], "at half": half[0][3], "at last": half[-1][3],
                "KB for 100,000 returns": round(fit.slope * 100_000)}

    def _storm(self):
        options = self.options
        for one in self.listeners:
            one.joined_at = None
        began = time.time()
        if options.storm == "drop":
            for one in self.listeners:
                self._drop(one)
                self.due.append((began, one.number))
        elif options.restart_command:
            threading.Thread(target=lambda: subprocess.run(options.restart_command, shell=True), daemon=True).start()
        patience = began + 60
        while time.time() < patience and not all(one.joined_at for one in self.listeners):
            self.turn(time.time() + 0.05)
        back = [one.joined_at for one in self.listeners if one.joined_at]
        if not back:
            return {"back": 0}
        # A restart counts from the first that was let in again: before that there was no server.
        zero = began if options.storm == "drop" else min(back)
        return {"back": len(back), "first s": round(min(back) - began, 3), "last s": round(max(back) - began, 3),
                "all right again s": round(max(back) - zero, 3) if len(back) == options.count else None,
                "median s": round(sorted(back)[len(back) // 2] - zero, 3)}

    # MARK: The follower

    def _meters(self):
        """The console's meters: misses of the follower; with --no-sign-in only."""
        if not self.options.console:
            return None
        try:
            return snapshot(self.options.urls[0], timeout=5).get("meters")
        except OSError as error:
            return {"unread": str(error)}

    @staticmethod
    def _difference(before, after):
        if not before or not after:
            return "not read"
        return json.dumps({"before": before, "after": after})

    def close(self):
        for one in self.listeners:
            self._drop(one)
        self.epoll.close()
