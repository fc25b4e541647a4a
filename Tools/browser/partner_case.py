"""What checks of the partner share: a student whose place is known at every instant, as a microphone; and a record of
where the partner is in the same clock."""

import bisect
import pathlib
import shutil
import tempfile

import browser
import sound
from lib import repository
from page_case import PageCase
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
LEAD = 0.5  # seconds of silence before the student
LOUD = 40  # of 32768: the first sample that is certainly the student's

# Notes what the partner's worklet says and plays, and where the microphone's first sound lies in its own count.
HOOKS = f"const LOUD = {LOUD};" + """
window.partnerLog = []; window.partnerSound = []; window.firstLoud = null; window.origin = null;
const Real = window.AudioWorkletNode;
window.AudioWorkletNode = class extends Real {
  constructor(context, name, options) {
    super(context, name, options);
    if (name === "block-collector" && !window.origin) {
      this.port.addEventListener("message", ({ data }) => {
        window.origin ??= (data.frame - data.firstSample) / context.sampleRate;
        window.micRate = context.sampleRate;
        if (window.firstLoud !== null) return;
        const index = data.samples.findIndex((sample) => Math.abs(sample) > LOUD);
        if (index >= 0) window.firstLoud = (data.firstSample + index) / context.sampleRate;
      });
    }
    if (name !== "partner-player") return;
    this.port.addEventListener("message", ({ data }) => {
      const panel = document.getElementById("partner-panel");
      window.partnerLog.push([data.at, data.place, data.rate, panel.dataset.state, panel.dataset.delay]);
    });
    const tap = new Real(context, "block-collector",
      { numberOfInputs: 1, numberOfOutputs: 0, processorOptions: { blockMilliseconds: 20 } });
    tap.port.onmessage = ({ data }) => {
      let [sum, peak] = [0, 0];
      for (const sample of data.samples) { sum += sample * sample; peak = Math.max(peak, Math.abs(sample)); }
      window.partnerSound.push([data.frame / context.sampleRate, Math.sqrt(sum / data.samples.length), peak]);
    };
    this.connect(tap);
  }
};
"""


class Student:
    """Passages of recordings, one after the other: each has the seconds of the take and of the recording."""

    def __init__(self):
        self.parts, self.passages, self.seconds = [sound.silence(LEAD)], [], LEAD
        self.first_loud = LEAD

    def onsets(self, performance):
        path = repository.recording(PIECE, performance).parent / "measures.csv"
        return [seconds for _, seconds in repository.measure_times_without_end(path)]

    def plays(self, performance, first, last):
        """Plays the bars `first` to before `last`, as played, from 0."""
        onsets = self.onsets(performance)
        begin, end = onsets[first], onsets[last]
        self.parts.append(sound.part(repository.recording(PIECE, performance), begin, end))
        self.passages.append((self.seconds, self.seconds + end - begin, performance, begin))
        self.seconds += end - begin
        return self

    def rests(self, seconds):
        self.parts.append(sound.silence(seconds))
        self.seconds += seconds
        return self

    def write(self, path):
        sound.write(path, *self.parts)
        begins = (index for part in self.parts[1:2] for index, sample in enumerate(part) if abs(sample) > LOUD)
        self.first_loud = LEAD + next(begins) / sound.RATE

    def bar(self, seconds):
        """The played bar with its fraction at a time of the take; None where nothing is played."""
        for begin, end, performance, place in self.passages:
            if begin <= seconds < end:
                onsets = self.onsets(performance)
                at = place + seconds - begin
                bar = bisect.bisect_right(onsets, at) - 1
                after = onsets[bar + 1] if bar + 1 < len(onsets) else onsets[bar] + 1.6
                return bar + (at - onsets[bar]) / (after - onsets[bar])
        return None


def seconds_of(onsets, bar):
    whole = min(int(bar), len(onsets) - 2)
    return onsets[whole] + (bar - whole) * (onsets[whole + 1] - onsets[whole])


class PartnerCase(PageCase):
    """A server, and a browser whose microphone is the student of `play`."""

    @classmethod
    def play(cls):
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="baton-partner-"))
        cls.student = cls.play()
        wave = cls.folder / "student.wav"
        cls.student.write(wave)
        cls.server = Served(PIECE, [repository.recording(PIECE, "gentle")], "--new")
        cls.base = cls.server.base
        cls.holder = browser.chromium(arguments=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            "--autoplay-policy=no-user-gesture-required", f"--use-file-for-fake-audio-capture={wave}%noloop"])
        cls.driver = cls.holder.__enter__()
        cls.driver.set_script_timeout(20)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def open(self, recording="", mode="waits"):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece={PIECE}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)
        self.until(lambda: self.script("return document.getElementById('partner').options.length") > 1,
                   "recordings can play along", 5)
        self.script(HOOKS)
        self.script("""
            const [recording, mode] = arguments;
            for (const [id, value] of [["partner", recording], ["partner-mode", mode]]) {
              document.getElementById(id).value = value;
              document.getElementById(id).dispatchEvent(new Event("change"));
            }""", recording, mode)

    def start(self):
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.script("return document.getElementById('playing').hidden") is False, "it listens", 10)

    def state(self):
        return self.script("return document.getElementById('partner-panel').dataset.state")

    def heard_seconds(self):
        """Seconds of the take that the microphone has given."""
        return self.script("""
            const now = window.partnerLog.at(-1)?.[0];
            return now === undefined || window.firstLoud === null ? -1
              : now - window.origin - window.firstLoud + arguments[0];""", self.student.first_loud)

    def log(self, recording):
        """Rows of (seconds of the take, partner's seconds, speed, state, the student's seconds in the partner's
        recording or None)."""
        rows, origin, first = self.script("return [window.partnerLog, window.origin, window.firstLoud]")
        onsets = self.student.onsets(recording)
        found = []
        for at, place, rate, state, delay in rows:
            take = at - origin - first + self.student.first_loud
            bar = self.student.bar(take + float(delay))
            found.append((take, place, rate, state, None if bar is None else seconds_of(onsets, bar)))
        return found
