"""The partner's reckoning, taken from the page's modules: what it decides, and how it stretches sound."""

from page_case import PageCase
from served import Served

PIECE = "petzold-anna-magdalena-notebook-minuet-in-g"

# A piece of 20 bars of two seconds; `answers` are told as a server would, a quarter of a second late.
STAGE = """
    const { Partner } = await import('/practice-follow/partner/partner.js');
    const { BarTimes } = await import('/practice-follow/partner/bartimes.js');
    const bars = new BarTimes(Array.from({ length: 20 }, (_, index) => 2 * index), 40);
    const make = (mode, holds) => new Partner({ bars, mode, holds });
    /**
     * Plays for some seconds. `student(at)` is his place, or null while he is silent; `student.since(at)` when the note
     * began that sounds.
     */
    const play = (partner, begin, end, student, sound = { place: 0, rate: 1, isPlaying: false, stopAt: null }) => {
      const states = [];
      let late = [];
      const obey = (orders) => {
        for (const { expect, ...order } of orders) {
          Object.assign(sound, order);
          if (expect !== undefined) sound.expect = expect;
          if (order.place !== undefined) sound.jumps = (sound.jumps ?? 0) + 1;
        }
      };
      for (let step = Math.round(begin / 0.04); step < Math.round(end / 0.04); step += 1) {
        const at = step * 0.04;
        const place = student(at);
        if (step % 3 === 0 && student.since) partner.lasts(place === null ? null : student.since(at));
        if (place !== null && step % 3 === 0) obey(partner.sounds(at));
        if (place !== null && step % 3 === 0) {
          late.push({ at, place, state: student.state?.(at) ?? 'following', confidence: 0.9 });
        }
        for (const answer of late.filter((each) => each.at <= at - 0.25)) obey(partner.heard(answer));
        late = late.filter((each) => each.at > at - 0.25);
        obey(partner.tick({ at, place: sound.place }));
        if (sound.isPlaying && !(sound.stopAt !== null && sound.place >= sound.stopAt)) {
          sound.place += 0.04 * sound.rate;
        }
        if (states.at(-1) !== partner.state) states.push(partner.state);
      }
      return { ...sound, states };
    };
"""


class ReckoningTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.begin(Served(PIECE, [], "--new"))
        cls.driver.get(f"{cls.base}/practice/follow")

    def stage(self, body):
        return self.later(STAGE + body)

    def test_it_begins_with_the_students_first_sound_and_takes_up_his_tempo(self):
        heard = self.stage("""
            const student = (at) => (at < 1 ? null : 0.8 * (at - 1));
            student.state = (at) => (at < 2 ? 'waiting' : 'following');
            const partner = make('waits');
            const first = play(partner, 0, 1.2, student);
            return [first, play(partner, 1.2, 10, student, { ...first })];""")
        self.assertEqual(heard[0]["states"], ["ready", "entering"])
        self.assertEqual(heard[1]["states"], ["entering", "together"])
        self.assertAlmostEqual(heard[1]["rate"], 0.8, delta=0.03)
        self.assertAlmostEqual(heard[1]["place"], 7.2, delta=0.05)

    def test_a_sound_that_is_no_music_leaves_it_waiting(self):
        heard = self.stage("""
            const cough = (at) => (at > 1 && at < 1.2 ? 0 : null);
            cough.state = () => 'waiting';
            return play(make('waits'), 0, 4, cough);""")
        self.assertEqual((heard["states"], heard["isPlaying"]), (["ready", "entering", "waiting"], False))

    def test_it_waits_at_the_bar_line_where_the_student_stops_and_goes_on_with_him(self):
        heard = self.stage("""
            const partner = make('waits');
            const stopping = play(partner, 0, 9, (at) => (at < 5 ? at : null));
            const going = play(partner, 9, 12, (at) => (at < 10 ? null : 6 + at - 10), { ...stopping });
            return [stopping, going];""")
        # He stopped in the middle of the third bar; the partner played to its end.
        self.assertEqual(heard[0]["states"][-2:], ["ending", "waiting"])
        self.assertAlmostEqual(heard[0]["place"], 6, delta=0.05)
        self.assertEqual(heard[1]["expect"], 3)
        self.assertEqual(heard[1]["states"], ["waiting", "entering", "together"])
        self.assertAlmostEqual(heard[1]["place"], 8, delta=0.12)

    def test_it_stops_at_the_bar_line_at_which_he_stopped(self):
        heard = self.stage("return play(make('waits'), 0, 9, (at) => (at < 6.3 ? at : null));")
        self.assertEqual(heard["states"][-1], "waiting")
        entry = self.stage("""
            const partner = make('waits');
            const sound = play(partner, 0, 9, (at) => (at < 6.3 ? at : null));
            return play(partner, 9, 9.2, (at) => 6 + at - 9, sound).expect;""")
        self.assertEqual(entry, 3)

    # He holds what begins at place 12 from second 12 to 19; the follower believes for a second that he goes on.
    HOLDS = """
        const student = (at) => (at < 13 ? at : at < 20 ? 13 : at - 7);
        student.since = (at) => (at >= 12 && at < 19 ? 12 : Math.floor(at / 0.5) * 0.5);
    """

    def test_at_a_fermata_it_waits_until_he_goes_on(self):
        heard = self.stage(self.HOLDS + """
            const partner = make('waits', [[12, 14], [38, 40]]);
            const held = play(partner, 0, 19, student);
            const going = play(partner, 19, 19.6, student, { ...held, jumps: 0 });
            return [held, going, play(partner, 19.6, 24, student, { ...going, jumps: 0 })];""")
        self.assertEqual(heard[0]["states"][-1], "holding")
        self.assertAlmostEqual(heard[0]["place"], 14, delta=0.05)
        self.assertEqual(heard[1]["states"], ["holding", "entering"])
        self.assertTrue(heard[1]["isPlaying"])
        self.assertAlmostEqual(heard[1]["place"], 14.6, delta=0.15)

    def test_if_he_does_not_hold_a_fermata_it_loses_less_than_a_second(self):
        heard = self.stage("""
            const student = (at) => at;
            student.since = (at) => Math.floor(at / 0.5) * 0.5;
            const partner = make('waits', [[12, 14]]);
            const before = play(partner, 0, 12.5, student);
            return [before, play(partner, 12.5, 18, student, { ...before })];""")
        self.assertEqual(heard[0]["states"][-1], "holding")
        self.assertEqual(heard[1]["states"][-1], "together")
        self.assertAlmostEqual(heard[1]["place"], 18, delta=0.1)

    def test_without_a_score_it_is_silent_while_he_stands_still(self):
        heard = self.stage(self.HOLDS + """
            const partner = make('waits');
            const before = play(partner, 0, 12.5, student);
            const held = play(partner, 12.5, 19, student, { ...before });
            return [before, held, play(partner, 19, 24, student, { ...held })];""")
        self.assertEqual((heard[1]["states"][-1], heard[1]["isPlaying"]), ("holding", False))
        self.assertEqual(heard[1]["jumps"], heard[0]["jumps"], "it does not stutter")
        self.assertEqual(heard[2]["states"], ["holding", "together"])
        self.assertAlmostEqual(heard[2]["place"], 17, delta=0.12)

    def test_a_held_sound_stays_itself_until_another_begins(self):
        since = self.later("""
            const { HeldSound } = await import('/practice-follow/partner/held.js');
            const rate = 3_000;
            const held = new HeldSound(rate);
            /** A note from an instant on: vibrato of a fifth of a semitone, and it fades by 6 dB in a second. */
            const note = (hertz, begin) => (at) => {
              const age = at - begin;
              const bent = age + 0.0003 * Math.sin(2 * Math.PI * 6 * age);
              return age < 0 ? 0 : 0.2 * Math.exp(-0.7 * age) * [1, 2, 3].reduce((sum, partial) =>
                sum + Math.sin(2 * Math.PI * hertz * partial * bent) / partial, 0);
            };
            // Two notes a whole tone apart, the second one struck twice, then silence.
            const notes = [[440, 0, 3], [494, 3, 4.5], [494, 4.5, 6]].map(([hertz, begin, end]) =>
              [note(hertz, begin), begin, end]);
            const found = [];
            for (let block = 0; block < 65; block += 1) {
              const samples = Array.from({ length: 300 }, (_, index) => {
                const at = block / 10 + index / rate;
                const sounding = notes.find(([, begin, end]) => at >= begin && at < end);
                return sounding ? sounding[0](at) : 0;
              });
              const power = 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 1e-9) / 300);
              found.push(held.take(block / 10, samples, power, power > -60));
            }
            return found;""")
        self.assertLess(max(since[5:30]), 0.35, "the first note lasts")
        self.assertTrue(all(2.8 <= each <= 3.4 for each in since[34:45]), since[34:45])
        self.assertTrue(all(4.4 <= each <= 4.8 for each in since[47:60]), since[47:60])
        self.assertIsNone(since[62])

    def test_it_goes_on_without_him_if_that_is_wanted(self):
        heard = self.stage("return play(make('goes-on'), 0, 10, (at) => (at < 5 ? 1.1 * at : null));")
        self.assertEqual((heard["states"][-1], heard["isPlaying"]), ("alone", True))
        self.assertAlmostEqual(heard["place"], 11, delta=0.5)

    def test_at_its_own_speed_it_hears_nobody(self):
        heard = self.stage("""
            const partner = make('steady');
            const sound = Object.assign({ place: 0, rate: 1, isPlaying: false, stopAt: null }, partner.begin(4)[0]);
            return play(partner, 0, 6, (at) => 0.5 * at, sound);""")
        self.assertEqual((heard["states"], heard["rate"]), (["alone"], 1))
        self.assertAlmostEqual(heard["place"], 10, delta=0.01)

    def test_it_jumps_with_him_once(self):
        heard = self.stage("""
            const partner = make('waits');
            const before = play(partner, 0, 6, (at) => at);
            return [before.jumps, play(partner, 6, 10, (at) => 20 + at, before)];""")
        self.assertEqual((heard[0], heard[1]["jumps"], heard[1]["states"]), (1, 2, ["together"]))
        self.assertAlmostEqual(heard[1]["place"], 30, delta=0.06)

    def test_its_speed_stays_within_its_bounds(self):
        fast, slow = self.stage("""
            return [play(make('waits'), 0, 6, (at) => 1.9 * at), play(make('waits'), 0, 12, (at) => 0.21 * at)];""")
        self.assertAlmostEqual(fast["rate"], 1.5, delta=0.005)
        self.assertGreaterEqual(slow["rate"], 0.25)

    def test_what_the_microphone_hears_of_the_partner_is_not_the_student(self):
        heard = self.stage("""
            const partner = make('waits');
            const before = play(partner, 0, 4, (at) => 0.8 * at);
            for (const order of partner.misled(true)) Object.assign(before, order);
            return play(partner, 4, 8, (at) => 30, before);""")
        self.assertEqual((heard["states"], heard["jumps"]), (["alone"], 1))
        self.assertEqual(heard["rate"], 1)

    def test_another_speed_keeps_the_pitch_and_leaves_no_gap(self):
        heard = self.later("""
            const { Parts, Stretcher } = await import('/practice-follow/partner/stretch.js');
            const rate = 24_000;
            const tones = [220, 440, 660, 880];
            const parts = new Parts(10 * rate, 60 * rate);
            for (let part = 0; part < 2; part += 1) {
              parts.put(part, Float32Array.from({ length: 10 * rate }, (_, index) => tones.reduce((sum, hertz, which) =>
                sum + 0.2 * Math.sin(2 * Math.PI * hertz * (index / rate + 10 * part) + which), 0)));
            }
            const stretcher = new Stretcher(parts, rate);
            stretcher.isPlaying = true;
            stretcher.goTo(2 * rate);
            const output = new Float32Array(6 * rate);
            for (let at = 0; at < output.length; at += 128) {
              stretcher.rate = [1, 0.25, 1.5, 0.8, 0.5, 1.2][Math.floor(at / rate)];
              stretcher.take(output.subarray(at, Math.min(output.length, at + 128)));
            }
            const window = Math.round(0.04 * rate);
            const powers = [];
            for (let at = 0.2 * rate; at + window < output.length; at += window / 2) {
              let sum = 0;
              for (let index = 0; index < window; index += 1) sum += output[Math.round(at) + index] ** 2;
              powers.push(sum / window);
            }
            powers.sort((a, b) => a - b);
            const likeness = (hertz, from) => {
              let [re, im] = [0, 0];
              for (let index = 0; index < 0.8 * rate; index += 1) {
                const angle = 2 * Math.PI * hertz * index / rate;
                re += output[from + index] * Math.cos(angle);
                im += output[from + index] * Math.sin(angle);
              }
              return Math.hypot(re, im) / (0.4 * rate);
            };
            const kept = [0, 1, 2, 3, 4, 5].map((second) =>
              Math.min(...tones.map((hertz) => likeness(hertz, Math.round((second + 0.15) * rate)))));
            const softest = 10 * Math.log10(powers[0] / powers[powers.length >> 1]);
            return { softest, kept, place: stretcher.place / rate };""")
        self.assertGreater(heard["softest"], -1.5, "decibels of 40 ms beside all")
        self.assertGreater(min(heard["kept"]), 0.17, "each tone of 0.2 stands where it was")
        self.assertAlmostEqual(heard["place"], 2 + 1 + 0.25 + 1.5 + 0.8 + 0.5 + 1.2, delta=0.05)
