"""What checks of the partner share: a student whose place is known at every instant, as a microphone; and a record of
where the partner is in the same clock."""

import bisect

import browser
import played_microphone
import sound
from lib import repository
from page_case import PageCase
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"
LEAD = 0.3  # seconds of silence before the student

# Notes what the partner's worklet says and plays. The way from its loudspeaker to the microphone is as loud as LEAK.
HOOKS = played_microphone.HOOK + """
window.partnerLog = []; window.partnerSound = [];
const Real = window.AudioWorkletNode;
window.AudioWorkletNode = class extends Real {
  constructor(context, name, options) {
    super(context, name, options);
    if (name !== "partner-player") return;
    const leak = new GainNode(context, { gain: LEAK });
    this.connect(leak).connect(new DelayNode(context, { delayTime: 0.06 })).connect(window.microphoneInput);
    this.port.addEventListener("message", ({ data }) => {
      const panel = document.getElementById("partner-panel");
      window.partnerLog.push([data.at, data.place, data.rate, panel.dataset.state, panel.dataset.delay]);
    });
    const tap = new Real(context, "block-collector",
      { numberOfInputs: 1, numberOfOutputs: 0, processorOptions: { blockMilliseconds: 20 } });
    tap.port.onmessage = ({ data }) => {
      const peak = data.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      window.partnerSound.push([data.frame / context.sampleRate, peak]);
    };
    this.connect(tap);
  }
};
"""


class Student:
    """Passages of recordings, one after the other: each has the seconds of the take and of the recording."""

    def __init__(self):
        self.parts, self.passages, self.seconds = [sound.silence(LEAD)], [], LEAD

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

    def bar(self, seconds):
        """The played bar with its fraction at a time of the take; None if nothing is played."""
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
    """A server, and a browser whose microphone is the student of `play`, and with `leak` the partner too."""

    leak = 0.0

    @classmethod
    def play(cls):
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        cls.student = cls.play()
        cls.wave = cls.folder / "student.wav"
        cls.student.write(cls.wave)
        repository.build_engine()
        server = Served(PIECE, [repository.recording(PIECE, "gentle")], "--new")
        cls.begin(server, holder=browser.hearing(plays_unasked=True))

    def open(self, recording="", mode="waits"):
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice/follow?piece={PIECE}")
        self.until(lambda: self.script("return !document.getElementById('start').disabled"), "the pieces are there", 10)
        self.until(lambda: self.script("return document.getElementById('partner').options.length") > 1,
                   "recordings can play along", 5)
        self.script(f"const LEAK = {self.leak}; {HOOKS}")
        self.script("""
            const [recording, mode] = arguments;
            for (const [id, value] of [["partner", recording], ["partner-mode", mode]]) {
              document.getElementById(id).value = value;
              document.getElementById(id).dispatchEvent(new Event("change"));
            }""", recording, mode)

    def start(self):
        """The student plays as soon as the page and the partner are ready."""
        self.script("document.getElementById('start').click()")
        self.until(lambda: self.script("return document.getElementById('playing').hidden") is False, "it listens", 30)
        self.until(lambda: len(self.script("return window.partnerLog")) > 5, "the partner is ready", 20)
        played_microphone.play(self, self.wave)

    def state(self):
        return self.script("return document.getElementById('partner-panel').dataset.state")

    def log(self, recording):
        """Rows of (seconds of the take, partner's seconds, speed, state, the student's seconds in the partner's
        recording or None)."""
        rows, began = self.script("return [window.partnerLog, window.began]")
        onsets = self.student.onsets(recording)
        found = []
        for at, place, rate, state, delay in rows:
            bar = self.student.bar(at - began + float(delay or 0))
            found.append((at - began, place, rate, state, None if bar is None else seconds_of(onsets, bar)))
        return found
