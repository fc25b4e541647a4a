"""The page /practice in a real browser against a real server, and the words its tests speak."""

import atexit
import json
import os

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import press, resize, settle
from lib import web
from lib.repository import recording
from page_case import PageCase
from served import Served

SERVED = "petzold-anna-magdalena-notebook-minuet-in-g"
PHONE, TABLET, DESKTOP = (390, 844), (768, 1024), (1280, 800)
PICTURES = os.environ.get("BATON_PICTURES")
GUITAR = [64, 59, 55, 50, 45, 40]

# Notes every sound that the page starts, by the audio clock: music by its pitch's buffer, clicks by their length.
LISTEN = """
    window.sounds = []; window.contexts = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (time, ...rest) {
      if (!(this.context instanceof OfflineAudioContext)) {
        window.sounds.push({ time, isClick: this.buffer.duration < 0.05, clock: this.context.currentTime });
      }
      return start.call(this, time, ...rest);
    };
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
      constructor(...given) {
        if (window.breakSound) throw new Error("no sound");
        super(...given); window.contexts.push(this);
      }
    };"""

# Renders a tab with the page's own player; gives the times at which sound begins after silence, and what else is asked.
RENDER = """
    const { Player } = await import("/practice/player.js");
    const render = async (tab, options, seconds, { stopAt = null, rate = 8000 } = {}) => {
      const context = new OfflineAudioContext(1, Math.ceil(rate * seconds), rate);
      let ended = null;
      const player = new Player((state) => { if (state === "idle") ended = context.currentTime; }, () => context);
      player.start(tab, options);
      const times = [];
      for (let at = 0.3; at < seconds; at += 0.3) times.push(at);
      if (stopAt !== null) times.push(stopAt);
      for (const at of times) {
        context.suspend(at).then(() => {
          if (at === stopAt) player.stop(); else player.schedule();
          context.resume();
        });
      }
      const samples = (await context.startRendering()).getChannelData(0);
      const onsets = [];
      let silentSince = -1;
      for (let index = 0; index < samples.length; index += 1) {
        if (Math.abs(samples[index]) < 0.004) continue;
        if (index - silentSince > 0.04 * rate) onsets.push(index / rate);
        silentSince = index;
      }
      return { onsets, last: silentSince / rate, ended, samples };
    };"""


def beat(value, *notes, dots=0, techniques=None):
    """A beat; notes are (string, fret)."""
    found = {"value": value}
    if dots:
        found["dots"] = dots
    if notes:
        found["notes"] = [{"string": string, "fret": fret, **({"techniques": techniques} if techniques else {})}
                          for string, fret in notes]
    return found


def tab(*bars, tempo=120, title="A tab", heads=None, strings=None):
    """A tab with one track; each bar is a list of beats."""
    return {"format": "baton-tab", "version": 1, "title": title, "tempo": tempo,
            "bars": heads or [{} for _ in bars],
            "tracks": [{"name": "Guitar", "program": 25, "strings": strings or GUITAR, "capo": 0,
                        "bars": [{"voices": [{"beats": beats}]} if beats else {} for beats in bars]}]}


def pulse(bars, tempo=120, **more):
    """Bars of four short notes, with silence between them, so that each is heard to begin."""
    one = [beat("1/8", (2, 3)), beat("1/8")]
    return tab(*[one * 4 for _ in range(bars)], tempo=tempo, **more)


class PracticeCase(PageCase):
    """One server and one browser for all classes; they end with the program."""

    server = None

    @classmethod
    def setUpClass(cls):
        if not PracticeCase.server:
            PracticeCase.begin(Served(SERVED, [recording(SERVED, "gentle")]))
            atexit.register(super(PracticeCase, PracticeCase).tearDownClass)
            cls.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})
        if not cls.driver.current_url.startswith(cls.base + "/practice"):
            cls.driver.get(cls.base + "/practice")

    @classmethod
    def tearDownClass(cls):
        """All classes share what runs."""

    def setUp(self):
        resize(self.driver, DESKTOP)
        self.script("localStorage.clear()")
        self.driver.get_log("browser")

    def tearDown(self):
        self.assertEqual(self.complaints(), [])
        self.script("document.getElementById('stop')?.click()")

    def ask(self, method, path, body=None):
        return web.ask(self.base, method, "/api/practice/tabs" + path, body)

    # -- the library ----------------------------------------------------------------------------------------

    def library(self):
        self.driver.get("about:blank")
        self.driver.get(self.base + "/practice")
        self.until(lambda: self.script("return document.body?.dataset.view") == "shelf", "the library is shown")

    def put(self, music):
        """Keeps a tab in the browser, as a file would; gives its id."""
        if not self.driver.current_url.startswith(self.base + "/practice"):
            self.library()
        return self.later("""
            const { newID } = await import("/shared/ids.js");
            const { Store } = await import("/practice/store.js");
            const store = await Store.open();
            const id = newID();
            await store.write({ id, tab: given[0], changed: Date.now(), version: 0, isDirty: true, isShared: false,
              owner: null });
            return id;""", music)

    def open(self, music):
        """Opens a tab of one's own making."""
        tab_id = music if isinstance(music, str) else self.put(music)
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/practice#/{tab_id}")
        self.until(lambda: self.script("return document.querySelector('.tab-line') !== null"), "the tab is drawn", 8)
        return tab_id

    def kept(self, tab_id):
        return self.later("""
            const { Store } = await import("/practice/store.js");
            return (await Store.open()).read(given[0]);""", tab_id)

    def current(self):
        return self.script("return location.hash.slice(2)")

    def saved(self):
        """The open tab as the browser keeps it, once it does."""
        self.until(lambda: self.script("return document.getElementById('saved').textContent") == "Saved", "it is saved")
        return self.kept(self.current())["tab"]

    def beats(self, bar=0, track=0):
        voices = self.saved()["tracks"][track]["bars"][bar].get("voices")
        return voices[0]["beats"] if voices else []

    # -- editing and playing --------------------------------------------------------------------------------

    def click(self, css):
        self.script("document.querySelector(arguments[0]).click()", css)

    def keys(self, *keys):
        press(self.driver, *keys)

    def fill(self, css, text):
        """Writes a field anew, as somebody does who leaves it then."""
        self.script("""
            const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event("change", { bubbles: true }));""", css, text)

    def text(self, css):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    @property
    def state(self):
        return self.script("return document.body.dataset.playing ?? 'idle'")

    def play(self):
        self.script("window.sounds.length = 0")
        self.driver.find_element(By.ID, "play").click()
        self.until(lambda: self.state == "playing", "it plays", 6)

    def ends(self, seconds=12):
        self.until(lambda: self.state == "idle", "it has ended", seconds)

    def sounds(self, clicks=False):
        """The times at which notes, or clicks, begin, from the first one on."""
        found = sorted(each["time"] for each in self.script("return window.sounds") if each["isClick"] == clicks)
        return [round(time - found[0], 6) for time in found]

    def near(self, found, wanted, within=1e-4):
        """Fails where the times are not these, in seconds."""
        self.assertEqual(len(found), len(wanted), found)
        for each, other in zip(found, wanted):
            self.assertAlmostEqual(each, other, delta=within)

    def render(self, body, *arguments):
        return self.later(RENDER + body, *arguments)

    def setting(self, **values):
        """The playing options that the dialog keeps: metronome, countIn, speed, step, target."""
        self.script("localStorage.setItem('baton-practice-playing', arguments[0])", json.dumps(values))

    def choose_bar(self, bar):
        self.keys(Keys.HOME)
        self.later("document.getElementById('sheet').focus(); return 0")
        for _ in range(bar):
            press(self.driver, Keys.ARROW_RIGHT, modifier=Keys.CONTROL)

    def dialog(self):
        self.click("#more")

    def close_dialog(self):
        self.script("document.querySelector('dialog[open]')?.close()")

    def picture(self, name):
        if PICTURES:
            settle(self.driver)
            self.driver.save_screenshot(os.path.join(PICTURES, f"{name}.png"))
