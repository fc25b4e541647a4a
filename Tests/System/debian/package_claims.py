"""A stage technician's expectations of the package, tried in a fresh Debian in the order of a machine's life."""

import json
import re
import time

from lib.waiting import until, wait_for

# Those that this machine trusts: its network may have one of its own between it and PyPI.
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
SETTINGS = "/etc/baton/baton.yaml"
DATA = "/var/lib/baton/Data"
SHARE = "/usr/share/baton"
PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
PREPARED_FROM, PLAYED = "dance", "gentle"
PASSPHRASE = "a minuet for two left feet"
PAGES = ("/", "/login", "/console", "/stand", "/library", "/edit", "/healthz")
SCORE = f"{SHARE}/Recordings/{PIECE}/score.musicxml"
TAB = "/srv/song.gp5"
PYTHON = "/usr/local/lib/baton/venv/bin/python"
# Writes a tab of one note.
TAB_MAKER = """
import guitarpro
song = guitarpro.Song()
voice = song.tracks[0].measures[0].voices[0]
voice.beats.append(guitarpro.Beat(voice, status=guitarpro.BeatStatus.normal))
voice.beats[0].notes.append(guitarpro.Note(voice.beats[0], value=3, string=2, type=guitarpro.NoteType.normal))
guitarpro.write(song, "/srv/song.gp5", version=(5, 1, 0))
"""


class Wrong(Exception):
    """A claim that does not hold; the text says what was found."""


def check(holds, found):
    if not holds:
        raise Wrong(str(found).strip()[-600:])


class PackageClaims:
    """Each method is a claim, tried in the order in which they stand here; it returns what is worth knowing."""

    def __init__(self, debian, package, newer):
        self.debian, self.package, self.newer = debian, debian.take(package), debian.take(newer)
        self.bytes = package.stat().st_size
        self.may_raise_limits = debian.run("prlimit", "--rtprio=80:80", "true").returncode == 0

    def all(self):
        return [(name.replace("_", " "), getattr(self, name)) for name in vars(PackageClaims)
                if not name.startswith("_") and name not in ("all", "do", "get", "place", "pid", "state")]

    # Actions of the claims.

    def do(self, *words, **more):
        """Runs a command that must succeed; what it printed."""
        done = self.debian.run(*words, **more)
        check(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def get(self, path):
        """HTTP status of a page of the server; 0 if it does not answer."""
        url = f"http://127.0.0.1:8080{path}"
        words = ("curl", "--silent", "--max-time", "3", "--output", "/dev/null", "--write-out", "%{http_code}", url)
        return int(self.debian.run(*words).stdout or 0)

    def pid(self):
        return int(self.do("systemctl", "show", "--value", "--property=MainPID", "baton"))

    def state(self):
        return self.debian.run("systemctl", "is-active", "baton").stdout.strip()

    def place(self):
        """The measure that the server follows at; nil if it does not know one."""
        words = ("baton", "ctl", "--user", "anna", "status")
        found = re.search(r"measure (\d+)", self.do(*words, environment=[f"BATON_PASSPHRASE={PASSPHRASE}"]))
        return int(found[1]) if found else None

    # The claims.

    def a_fresh_Debian_takes_it_with_what_it_depends_on(self):
        self.do("apt-get", "update")
        self.do("apt-get", "clean")
        before = self.debian.size()
        self.do("apt-get", "install", "--yes", "--no-install-recommends", self.package)
        self.do("apt-get", "clean")
        own = int(self.do("dpkg-query", "--show", "--showformat=${Installed-Size}", "baton")) * 1024 / 1e6
        grown = (self.debian.size() - before) / 1e6
        return f"package {self.bytes / 1e6:.1f} MB, installed {own:.0f} MB, with all it depends on {grown:.0f} MB"

    def the_program_runs_without_Swift(self):
        missing = [line for line in self.do("ldd", "/usr/bin/baton").splitlines() if "not found" in line]
        check(not missing, missing)
        check(self.debian.run("which", "swift", "gcc", "cc").stdout == "", "a compiler is there")
        version = self.do("baton", "--version").strip()
        packed = self.do("dpkg-query", "--show", "--showformat=${Version}", "baton")
        check(packed == version, f"the program says {version}, the package {packed}")
        return f"version {version}"

    def pages_of_the_manual_and_words_for_the_shells_are_there(self):
        for file in ("man/man1/baton-serve.1.gz", "bash-completion/completions/baton", "zsh/vendor-completions/_baton",
                     "fish/vendor_completions.d/baton.fish"):
            self.do("test", "-s", f"/usr/share/{file}")
        self.do("bash", "-c", "source /usr/share/bash-completion/completions/baton && complete -p baton")

    def what_needs_libraries_of_Python_says_how_to_get_them(self):
        self.do("tee", TAB, said="FICHIER GUITAR PRO v5.10")
        for words in (("tab", "notes", TAB), ("render", SCORE, "--out", "/srv/minuet.mid")):
            done = self.debian.run("baton", *words)
            check(done.returncode == 1 and "sudo baton-verovio" in done.stderr, done.stdout + done.stderr)
        return done.stderr.strip()

    def baton_verovio_brings_them(self):
        self.do("apt-get", "install", "--yes", "--no-install-recommends", "python3-venv")
        certificates = self.debian.take(CERTIFICATES)
        began = self.debian.size()
        # A careful administrator's root makes files that only root reads; the server must read these all the same.
        self.do("bash", "-c", "umask 077 && baton-verovio", environment=[f"PIP_CERT={certificates}"])
        return f"{(self.debian.size() - began) / 1e6:.0f} MB"

    def then_tabs_of_Guitar_Pro_are_read_and_scores_unfolded_and_engraved(self):
        self.do(PYTHON, "-c", TAB_MAKER)
        self.do("install", "--directory", "--owner=baton", "/srv/made")
        as_server = ("runuser", "-u", "baton", "--")
        notes = json.loads(self.do(*as_server, "baton", "tab", "notes", TAB, "--json"))
        check([note["fret"] for note in notes] == [3], notes)
        self.do(*as_server, "baton", "render", SCORE, "--out", "/srv/made/minuet.mid")
        self.do(*as_server, PYTHON, "-I", "-B", f"{SHARE}/Sources/Python/engrave.py", SCORE, "/srv/made/pages", "--pdf")
        for file in ("minuet.mid", "pages/layout.json", "pages/score.pdf"):
            self.do("test", "-s", f"/srv/made/{file}")

    def systemd_finds_nothing_wrong_with_the_unit(self):
        said = self.do("systemd-analyze", "verify", "--man=no", "/lib/systemd/system/baton.service")
        check("baton" not in said, said)

    def the_user_and_the_folders_are_made_and_nothing_is_started(self):
        self.debian.boot()
        check(self.state() == "inactive", self.state())
        check(self.debian.run("systemctl", "is-enabled", "baton").stdout.strip() == "disabled", "it is enabled")
        for path, wanted in ((SETTINGS, "640 root baton"), (DATA, "700 baton baton"),
                             ("/var/lib/baton/Models", "755 baton baton")):
            found = self.do("stat", "--format=%a %U %G", path).strip()
            check(found == wanted, f"{path}: {found}")
        check("audio" in self.do("id", "baton"), "the user does not belong to the group audio")

    def a_wrong_setting_is_told_with_its_line_and_not_tried_again(self):
        self.do("sed", "--in-place", "s/^#ttl: 1/tttl: 1/", SETTINGS)
        self.debian.run("systemctl", "start", "baton")
        wait_for(lambda: self.state() == "failed", 10, "the service has failed")
        said = self.do("journalctl", "--unit=baton", "--output=cat")
        sentences = re.findall(r"baton\.yaml, line \d+: there is no setting “tttl”; “ttl” may be meant", said)
        check(len(sentences) == 1, said)
        self.do("sed", "--in-place", "s/^tttl: 1/#ttl: 1/", SETTINGS)

    def without_a_sound_device_the_server_runs(self):
        self.do("systemctl", "start", "baton")
        wait_for(lambda: self.get("/login") in (200, 302, 303), 60, "it answers", every=0.05)
        restarts = self.do("systemctl", "show", "--value", "--property=NRestarts", "baton").strip()
        check(self.state() == "active" and restarts == "0", f"{self.state()}, {restarts} restarts")
        self.do("systemctl", "stop", "baton")

    def an_account_is_made(self):
        return self.do("runuser", "-u", "baton", "--", "baton", "user", "add", "anna", "--role", "administrator",
                       "--data", DATA, said=f"{PASSPHRASE}\n{PASSPHRASE}\n").strip()

    def a_recording_takes_the_place_of_the_device_and_pages_answer(self):
        piece = f"{SHARE}/Recordings/bach-well-tempered-clavier-1-prelude-in-c"
        self.do("sed", "--in-place", f"s|^#live:.*|live: [{piece}/swift/audio.ogg]|; s/^#loop: 1/loop: 0/", SETTINGS)
        if not self.may_raise_limits:
            self.do("mkdir", "--parents", "/etc/systemd/system/baton.service.d")
            self.do("tee", "/etc/systemd/system/baton.service.d/rights.conf",
                    said="[Service]\nAmbientCapabilities=CAP_SYS_NICE\n")
            self.do("systemctl", "daemon-reload")
        began = time.monotonic()
        self.do("systemctl", "enable", "--now", "baton")
        first = until(lambda: self.get("/login") == 200, 60, every=0.01)
        took = time.monotonic() - began
        check(first, self.debian.run("journalctl", "--unit=baton", "--output=cat").stdout)
        answers = {path: self.get(path) for path in PAGES}
        check(all(code in (200, 302, 303) for code in answers.values()), answers)
        return f"{took:.2f} s from start to the first page"

    def it_runs_as_its_own_user_with_the_rights_that_the_unit_gives(self):
        process = f"/proc/{self.pid()}"
        check(self.do("stat", "--format=%U", process).strip() == "baton", "it runs as another user")
        told = self.do("systemctl", "show", "baton", *(f"--property=Limit{name}" for name in ("RTPRIO", "MEMLOCK")))
        check(set(told.split()) == {"LimitRTPRIO=80", "LimitMEMLOCK=infinity"}, told)
        niceness = self.do("cat", f"{process}/stat").rpartition(")")[2].split()[16]
        check(niceness == "-10", f"niceness {niceness}")
        # The policy of each thread; 1 is SCHED_FIFO.
        threads = self.do("bash", "-c", f"cat {process}/task/*/stat").splitlines()
        real_time = sum(line.rpartition(")")[2].split()[38] == "1" for line in threads)
        check(real_time, "no thread has real-time priority")
        if not self.may_raise_limits:
            return (f"real-time threads: {real_time}, by a capability; this machine lets nobody raise limits, so they "
                    "and the locked memory are not tried")
        limits = self.do("cat", f"{process}/limits")
        for name, wanted in (("realtime priority", "80"), ("locked memory", "unlimited"), ("open files", "16384")):
            check(re.search(rf"Max {name} +{wanted} ", limits), limits)
        locked = int(re.search(r"VmLck:\s+(\d+)", self.do("cat", f"{process}/status"))[1]) // 1024
        check(locked > 0, "no memory is locked")
        return f"real-time threads: {real_time}, locked {locked} MB"

    def it_follows_what_it_hears(self):
        first = wait_for(self.place, 30, "a measure is known", every=0.2)
        later = wait_for(lambda: (now := self.place()) and now > first and now, 30, "the measures go on", every=0.2)
        return f"measure {first}, then {later}"

    def after_a_crash_it_is_back(self):
        old = self.pid()
        self.do("systemctl", "kill", "--signal=KILL", "baton")
        began = time.monotonic()
        wait_for(lambda: self.pid() not in (0, old) and self.get("/login") == 200, 20, "it is back", every=0.02)
        return f"after {time.monotonic() - began:.2f} s"

    def a_piece_is_prepared_and_followed_from_a_file(self):
        piece = f"{SHARE}/Recordings/{PIECE}"
        models = ("--models", "/var/lib/baton/Models")
        self.do("baton", "prepare", "minuet", "--recording", f"{piece}/{PREPARED_FROM}/audio.ogg", "--measures",
                f"{piece}/{PREPARED_FROM}/measures.csv", "--name", "Petzold, Notebook: Minuet", *models)
        said = self.do("baton", "replay", "minuet", "--live", f"{piece}/{PLAYED}/audio.ogg", *models, "--speed", "max",
                       "--quiet", "--reports", "/srv/reports.jsonl")
        reports = [json.loads(line) for line in self.do("cat", "/srv/reports.jsonl").splitlines()]
        measures = {report["printed"] for report in reports if report["state"] == "following"}
        check(len(measures) > 10, said)
        return f"{len(measures)} measures of {PLAYED}, prepared from {PREPARED_FROM}"

    def the_server_plays_the_prepared_piece(self):
        self.do("sed", "--in-place", "s|^programme:.*|programme: minuet|; s|^models:|#models:|; "
                f"s|^live:.*|live: [{SHARE}/Recordings/{PIECE}/{PLAYED}/audio.ogg]|", SETTINGS)
        self.do("systemctl", "restart", "baton")
        wait_for(lambda: self.get("/login") == 200, 30, "it answers", every=0.05)
        wait_for(self.place, 30, "a measure is known", every=0.2)
        said = self.do("baton", "ctl", "--user", "anna", "status", environment=[f"BATON_PASSPHRASE={PASSPHRASE}"])
        check("Minuet" in said, said)

    def an_upgrade_leaves_the_running_server_the_settings_and_the_data(self):
        old, settings = self.pid(), self.do("sha256sum", SETTINGS)
        said = self.do("apt-get", "install", "--yes", "--no-install-recommends", self.newer)
        check("systemctl restart baton" in said, said)
        check(self.pid() == old and self.get("/login") == 200, "the upgrade has ended the server")
        check(self.do("sha256sum", SETTINGS) == settings, "the settings are others")
        check(self.do("stat", "--format=%a %U %G", SETTINGS).strip() == "640 root baton", "others may read them")
        self.do("systemctl", "restart", "baton")
        wait_for(lambda: self.get("/login") == 200, 30, "it answers", every=0.05)
        wait_for(self.place, 30, "the account signs in and a measure is known", every=0.2)
        return self.do("dpkg-query", "--show", "--showformat=${Version}", "baton")

    def removal_ends_the_server_and_keeps_settings_and_data(self):
        self.do("apt-get", "remove", "--yes", "baton")
        check(self.state() != "active", "it still runs")
        self.do("test", "!", "-e", "/usr/bin/baton")
        for path in (SETTINGS, f"{DATA}/catalogue.sqlite", "/var/lib/baton/Models/minuet/model.json"):
            self.do("test", "-s", path)

    def installed_again_it_goes_on_with_them(self):
        self.do("apt-get", "install", "--yes", "--no-install-recommends", self.newer)
        self.do("systemctl", "start", "baton")
        wait_for(lambda: self.get("/login") == 200, 30, "it answers", every=0.05)
        wait_for(self.place, 30, "the account signs in and a measure is known", every=0.2)

    def a_purge_that_cannot_ask_removes_the_settings_and_keeps_the_data(self):
        said = self.do("apt-get", "purge", "--yes", "baton")
        self.do("test", "!", "-e", SETTINGS)
        self.do("test", "-s", f"{DATA}/catalogue.sqlite")
        check("stay in /var/lib/baton" in said, said)

    def a_purge_that_was_told_so_deletes_the_data(self):
        self.do("apt-get", "install", "--yes", "--no-install-recommends", self.newer)
        self.do("debconf-set-selections", said="baton baton/purge-data boolean true\n")
        self.do("apt-get", "purge", "--yes", "baton")
        self.do("test", "!", "-e", "/var/lib/baton")
        check(self.debian.run("id", "baton").returncode != 0, "the user is left")
