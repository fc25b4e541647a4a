#!/usr/bin/python3
"""TLS in a hall without the Internet: one tap makes the certificate, a browser that installs it gets all that browsers
keep for encrypted pages, and one that does not goes on as before.

    BATON=path/to/baton Tests/Pages/secure_pages_test.py

Some thirty seconds, most of them three starts of a browser. It runs in namespaces of its own (network, mounts, host
name): a machine “hall” with one address and no way out. Chromium trusts the authority by its policy CACertificates, the
way of a managed device. Skipped where the system permits no namespaces. With $BATON_PICTURES, a folder, it leaves
screenshots there. The last line is unittest's.
"""

import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.common.exceptions import WebDriverException

from browser import chromium, resize, sign_in
from lib.servers import Server
from page_case import PageCase

INSIDE = "BATON_IN_HALL"
ADDRESS, NAME = "10.20.30.1", "hall"
POLICIES = pathlib.Path("/etc/chromium/policies/managed")
PICTURES = os.environ.get("BATON_PICTURES")
ACCOUNTS = [("ines", "technician", "open sesame"), ("mia", "musician", "open sesame")]
NAMESPACES = ["unshare", "--net", "--mount", "--uts", *([] if os.geteuid() == 0 else ["--map-root-user"])]
# Run before the tests, inside the namespaces: the hall's one address, its names, and a folder of policies.
HALL = f"""
set -e
hostname {NAME}
ip link set lo up
ip link add stage type veth peer name wall && ip link set wall up
ip address add {ADDRESS}/24 dev stage && ip link set stage up
printf '127.0.0.1 localhost\\n{ADDRESS} {NAME} {NAME}.local\\n' > "$1/hosts"
mount --bind "$1/hosts" /etc/hosts
mkdir -p "$1/managed" && mount -t tmpfs tmpfs /etc/chromium && mkdir -p {POLICIES}
mount --bind "$1/managed" {POLICIES}
shift; exec "$@"
"""


def are_namespaces_permitted():
    return pathlib.Path("/etc/chromium").is_dir() and subprocess.run(
        [*NAMESPACES, "sh", "-c", "hostname hall && ip link set lo up && mount -t tmpfs tmpfs /etc/chromium"],
        capture_output=True, check=False).returncode == 0


def trust(authority):
    """Lets browsers that begin from now on trust an authority."""
    body = "".join(line for line in authority.splitlines() if "-----" not in line)
    base64.b64decode(body, validate=True)
    (POLICIES / "hall.json").write_text(json.dumps({"CACertificates": [body]}), encoding="utf-8")


@unittest.skipUnless(INSIDE in os.environ, "namespaces are not permitted here")
class SecurePagesTest(PageCase):
    """The tests run in the order of their names: an evening in which a certificate is made."""

    @classmethod
    def setUpClass(cls):
        server = Server(None, "--no-listen-osc", "--no-multicast", "--no-record", accounts=ACCOUNTS)
        server.command_line[server.command_line.index("--http") + 1] = f"0.0.0.0:{server.port}"
        cls.begin(server.start(), base=f"http://{ADDRESS}:{server.port}", holder=cls.browser())
        cls.secure = cls.base.replace("http:", "https:")

    @staticmethod
    def browser():
        return chromium(arguments=["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])

    def begin_again(self):
        """A browser of its own, as on another device."""
        cls = type(self)
        cls.holder.__exit__(None, None, None)
        cls.holder = cls.browser()
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    def picture(self, name):
        if PICTURES:
            for width in (390, 820, 1440):
                resize(self.driver, (width, 1000))
                self.settle()
                height = self.script("return document.documentElement.scrollHeight")
                resize(self.driver, (width, min(height, 4000)))
                self.driver.save_screenshot(os.path.join(PICTURES, f"{name}-{width}.png"))
            resize(self.driver, "laptop")

    def powers(self):
        """What the browser grants this page."""
        return self.later("""
            const granted = async (act) => { try { return Boolean(await act()); } catch { return false; } };
            return { secure: isSecureContext,
                awake: await granted(() => navigator.wakeLock.request("screen")),
                microphone: await granted(() => navigator.mediaDevices.getUserMedia({ audio: true })),
                kept: await granted(async () => (await Promise.race([navigator.serviceWorker.ready,
                    new Promise((_, late) => setTimeout(late, 8000))])).active) };""")

    def test_1_over_plain_http_the_pages_say_what_is_missing(self):
        self.driver.get(self.base + "/stand")
        self.until(lambda: "not encrypted" in self.words("#insecure"), "the stand says it", 8)
        self.until(lambda: "First steps" in self.words("#insecure"), "and who can change it", 4)
        self.assertEqual(self.powers(), {"secure": False, "awake": False, "microphone": False, "kept": False})
        self.driver.get(self.base + "/secure")
        self.until(lambda: "no certificate yet" in self.words("#state"), "there is none", 4)
        self.driver.get(self.base + "/poster")
        self.until(lambda: "screens may lock" in self.words("#advice"), "the poster says it", 4)

    def test_2_a_technician_makes_it_with_one_tap(self):
        self.assertEqual(sign_in(self.driver, self.base), 200)
        self.driver.get(self.base + "/start")
        self.until(lambda: "plain http" in self.words("#secure-hint"), "the step says why", 8)
        self.picture("start-before")
        begun = time.monotonic()
        self.push_button("Make the certificate")
        self.until(lambda: self.words("#secure-link") == self.secure, "it is made", 20)
        print(f"made in {time.monotonic() - begun:.1f} s, by one tap", file=sys.stderr)
        self.until(lambda: "not trust" in self.words("#trusted"), "this device does not trust it", 8)
        self.assertEqual(self.words("#install-link"), self.base + "/secure")
        for code in ("install-code", "secure-code"):
            self.until(lambda code=code: self.script("return document.getElementById(arguments[0]).naturalWidth > 0",
                                                     code), code, 4)
        self.picture("start-made")
        facts = self.server.ask("GET", "/api/secure").value
        self.assertLessEqual({ADDRESS, NAME, f"{NAME}.local"}, set(facts["names"]))
        self.assertEqual(self.complaints(), [])

    def test_3_a_device_without_it_is_warned_and_shown_the_way(self):
        with contextlib.suppress(WebDriverException):
            self.driver.get(self.secure + "/")
        self.until(lambda: "ERR_CERT_AUTHORITY_INVALID" in self.words("body"), "the browser warns", 8)
        self.driver.get(self.base + "/secure")
        self.until(lambda: "does not trust" in self.words("#state"), "it is not trusted", 8)
        self.assertTrue(self.script("return document.querySelector('#install').getClientRects().length > 0"))
        self.assertEqual(self.script("return document.querySelectorAll('#ways details[open]').length"), 1)
        self.assertEqual(self.later("""
            const { table } = await import('/secure/words.js');
            const { languages } = await import('/shared/languages.js');
            const isWhole = (words) => words.length === languages.length
                && words.every((each) => each && each.includes('{') === words[0].includes('{'));
            return Object.keys(table).filter((name) => !isWhole(table[name]))"""),
                         [], "each word is there in all languages")
        self.picture("secure-untrusted")
        for width in (390, 820, 1440):
            resize(self.driver, (width, 900))
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
        self.driver.get(self.base + "/poster")
        self.until(lambda: "screens may lock" in self.words("#advice"), "the audience's phones stay as they are", 4)

    def test_4_a_device_with_it_gets_everything(self):
        authority = self.server.ask("GET", "/ca.crt").text
        trust(authority)
        self.begin_again()
        self.driver.get(self.base + "/secure?next=/stand")
        self.until(lambda: "trusts the server" in self.words("#state"), "asked over http, answered over https", 8)
        self.assertEqual(self.script("return document.querySelector('#go-on').href"), self.secure + "/stand")
        self.picture("secure-trusted")
        everything = {"secure": True, "awake": True, "microphone": True, "kept": True}
        for host in (ADDRESS, f"{NAME}.local"):
            for path in ("/stand", "/practice"):
                self.driver.get(self.secure.replace(ADDRESS, host) + path)
                self.assertEqual(self.powers(), everything, f"{host}{path}")
            self.driver.get(self.secure.replace(ADDRESS, host) + "/")
            # The audience's page may not listen.
            self.assertEqual(self.powers(), {**everything, "microphone": False}, host)
        self.driver.get(self.secure + "/poster")
        self.until(lambda: "not installed" in self.words("#advice"), "the audience has not installed it", 4)

    def test_5_both_sign_ins_stand_beside_each_other(self):
        me = "return (await (await fetch('/api/me')).json()).name ?? null;"
        self.assertEqual(sign_in(self.driver, self.secure), 200)
        self.assertEqual(self.later(me), "ines")
        self.assertEqual(sign_in(self.driver, self.base, "mia"), 200)
        self.assertEqual(self.later(me), "mia", "a plain page is not kept from its own sign-in")
        self.driver.get(self.secure + "/start")
        self.until(lambda: "This device trusts" in self.words("#trusted"), "the step knows it", 8)
        self.assertEqual(self.later(me), "ines")


if __name__ == "__main__":
    if INSIDE not in os.environ and are_namespaces_permitted():
        with tempfile.TemporaryDirectory(prefix="baton-hall-") as folder:
            sys.exit(subprocess.run([*NAMESPACES, "bash", "-c", HALL, "hall", folder, sys.executable, *sys.argv],
                                    env={**os.environ, INSIDE: "1"}, check=False).returncode)
    unittest.main(argv=sys.argv)
