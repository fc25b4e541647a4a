"""The steps from an empty data folder to a piece with a recording, on a network that can be slow or cut."""

import contextlib

from selenium.common.exceptions import NoAlertPresentException

from prepare_case import PrepareCase

RECORDING, SCORES = "[aria-label='Recording'][type=file]", "[aria-label='Score'][type=file]"


class WayCase(PrepareCase):
    def begin_piece(self, *files):
        """A new piece with files, as (selector, path); gives its id."""
        self.open()
        for css, path in files:
            self.choose_file(css, path)
        if len(files) > 1:
            self.picture("prepare-new")
        self.button("Begin").click()
        self.until(lambda: "#/" in self.driver.current_url, "the piece is opened")
        self.piece = self.driver.current_url.split("#/")[1]
        return self.piece

    def is_refused(self, seconds):
        """The new piece's file is refused: the list says why, and the piece is gone."""
        self.until(lambda: self.text(".refused") != "", "it is refused", seconds)
        self.until(lambda: all(each["id"] != self.piece for each in self.ask("GET", "/pieces")), "the piece is gone")
        self.until(lambda: not self.shown_pieces(self.piece), "the list does not show it")

    def shown_pieces(self, *pieces):
        """The texts of these pieces in the list."""
        return self.script("""return [...document.querySelectorAll(".piece-card")].filter(({ dataset }) =>
            arguments[0].includes(dataset.piece)).map((card) => card.innerText)""", pieces)

    def next(self):
        return self.text(".next-title")

    def share(self):
        """The part of the upload that has arrived; 1 if there is none any more."""
        return self.script("return document.querySelector('.upload progress')?.value ?? 1")

    def accept_alert(self):
        """Leaves the page although an upload is running."""
        with contextlib.suppress(NoAlertPresentException):
            self.driver.switch_to.alert.accept()

    def slow(self, rate, offline=False):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate})


def wave_of(seconds, rate=32_000):
    """A WAV file of a quiet saw tooth: 16 bits, one channel."""
    count = seconds * rate
    data = (bytes(range(200)) * (2 * count // 200 + 1))[:2 * count]
    return (b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
            + (1).to_bytes(2, "little") + (1).to_bytes(2, "little") + rate.to_bytes(4, "little")
            + (2 * rate).to_bytes(4, "little") + (2).to_bytes(2, "little") + (16).to_bytes(2, "little")
            + b"data" + len(data).to_bytes(4, "little") + data)
