"""`survive measure`: how long commands take, and how much is logged."""

import os
import random
import time

from lib.figures import percentile
from lib.waiting import hold_for

from . import places
from .desk import Refused
from .solo import Solo
from .verdict import load_line, say, spread

LIMIT_MS = 30.0
ROUND_TRIP_MS = 5.0


def run(commands, seed, verdict):
    chance = random.Random(seed)
    say(f"measure: {commands} commands a way, {load_line()}")
    solo = Solo("measure", [places.BACH])
    try:
        solo.first_start()
        solo.until_following()
        begun, processor = time.monotonic(), solo.server.processor_seconds
        _quiet_log(solo, 30)
        solo.command("take")
        for way in ("http", "osc"):
            to_packet, to_answer = _commands(solo, way, commands, chance)
            say(f"{way}: command to packet {spread(to_packet)}")
            say(f"{way}: command to answer {spread(to_answer)}")
            verdict.claim(
                f"measure: {way} command to packet within {LIMIT_MS:.0f} ms (99th percentile)",
                len(to_packet) == commands and percentile(to_packet, 0.99) <= LIMIT_MS,
                f"{len(to_packet)} of {commands} seen, {percentile(to_packet, 0.99):.1f} ms")
        pings = _pings(solo, max(commands, 500))
        say(f"osc: round trip without a command {spread(pings)}")
        verdict.claim(
            f"measure: OSC round trip within {ROUND_TRIP_MS:.0f} ms (99th percentile)",
            percentile(pings, 0.99) <= ROUND_TRIP_MS, f"{percentile(pings, 0.99):.2f} ms")
        share = (solo.server.processor_seconds - processor) / (time.monotonic() - begun)
        say(f"server: {share * 100:.0f} % of one processor, {solo.server.memory_kb / 1024:.0f} MB")
    finally:
        solo.end()
    say(load_line())


def _quiet_log(solo, seconds):
    before = _log_bytes(solo)
    hold_for(seconds)  # the log of a show without commands
    say(f"log: {(_log_bytes(solo) - before) / seconds * 3600 / 1e6:.2f} MB an hour without commands")


def _log_bytes(solo):
    return sum(os.path.getsize(f"{show}/{name}") for show in solo.server.shows for name in os.listdir(show))


def _commands(solo, way, count, chance):
    """Each goes to another measure; the packet with that measure is waited for."""
    to_packet, to_answer = [], []
    osc = solo.osc_desk()
    measures = places.printed_measures(solo.folders[0])
    here = None
    try:
        for _ in range(count):
            target = chance.choice([index for index in range(len(measures)) if index != here])
            here = target
            del solo.ears.packets[:]
            sent = time.monotonic()
            try:
                if way == "http":
                    solo.command("goto", f"p:{target}")
                else:
                    osc.command("goto", f"p:{target}")
            except Refused:
                continue
            to_answer.append((time.monotonic() - sent) * 1000)
            packet = solo.ears.first_after(
                sent, timeout=2, where=lambda packet: packet.measure == measures[target])
            if packet:
                to_packet.append((packet.at - sent) * 1000)
            hold_for(chance.uniform(0, 0.1))  # at any moment between two hops
    finally:
        osc.close()
    return to_packet, to_answer


def _pings(solo, count):
    osc = solo.osc_desk()
    times = []
    try:
        for number in range(count):
            sent = time.monotonic()
            osc.ask("/baton/ping", number)
            times.append((time.monotonic() - sent) * 1000)
            hold_for(0.01)  # between two pings
    finally:
        osc.close()
    return times
