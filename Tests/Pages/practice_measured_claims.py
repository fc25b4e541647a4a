"""The page's sound, rendered and measured."""

from practice_case import PracticeCase, beat, pulse, tab


class MeasuredTest(PracticeCase):
    """Rendered by the page's own player, and measured in the sound."""

    def test_the_tempo_is_exact_over_ten_minutes(self):
        self.library()
        tempo = 113
        quarters = tempo * 10
        onsets = self.render("""
            return (await render(given[0], { metronome: false }, 602)).onsets;""",
                             pulse((quarters + 4) // 4, tempo=tempo))[:quarters + 1]
        self.assertEqual(len(onsets), quarters + 1)
        error = (onsets[-1] - onsets[0]) / (quarters * 60 / tempo) - 1
        worst = max(abs(time - onsets[0] - count * 60 / tempo) for count, time in enumerate(onsets))
        print(f"tempo: {100 * error:.6f} % off after {onsets[-1] - onsets[0]:.0f} s; a beat at most "
              f"{1000 * worst:.2f} ms off")
        self.assertLess(abs(error), 0.001)
        self.assertLess(worst, 0.001)

    def test_it_stops_within_30_ms_wherever_it_is(self):
        self.library()
        chords = tab(*[[beat("1/4", *[(string, 3) for string in range(1, 7)])] * 4] * 4, tempo=120)
        worst = 0
        for stop in (0.95, 1.37, 2.13):
            last, at = self.render("""
                const { last } = await render(given[0], {}, 4, { stopAt: given[1] }); return [last, given[1]];""",
                                   chords, stop)
            self.assertGreater(last, at - 0.05)
            worst = max(worst, last - at)
        print(f"stop: silent after at most {1000 * worst:.1f} ms")
        self.assertLess(worst, 0.030)

    def test_a_loop_does_not_stutter_and_counts_in_once(self):
        self.library()
        onsets = self.render("""
            return (await render(given[0], { metronome: false, countIn: 1, loop: [1, 2] }, 40)).onsets;""",
                             pulse(4, tempo=150))
        gaps = [later - before for before, later in zip(onsets, onsets[1:])]
        self.assertGreater(len(gaps), 80)
        for gap in gaps:
            self.assertAlmostEqual(gap, 0.4, delta=0.001)

    def test_the_speed_rises_with_each_pass_up_to_the_target(self):
        self.library()
        onsets = self.render("""
            return (await render(given[0], { metronome: false, loop: [0, 0], speed: 0.8, step: 0.05, target: 1 }, 17))
              .onsets;""", pulse(2))
        for number in range(6):
            beats = onsets[4 * number:4 * number + 5]
            self.assertAlmostEqual(beats[-1] - beats[0], 2 / min(1, 0.8 + 0.05 * number), delta=0.001)

    def test_what_is_highlighted_is_what_sounds(self):
        self.open(pulse(3))
        self.play()
        seen = self.later("""
            const found = [];
            for (let look = 0; look < 40; look += 1) {
              await new Promise((done) => requestAnimationFrame(done));
              const mark = document.querySelector(".sounding"), context = window.contexts[0];
              if (!mark) continue;
              const heard = context.currentTime - (context.outputLatency || context.baseLatency || 0);
              found.push([4 * Number(mark.dataset.bar) + Number(mark.dataset.at), heard]);
              await new Promise((done) => setTimeout(done, 40));
            }
            return [found, window.sounds.find(({ isClick }) => !isClick).time];""")
        late = [heard - begun - place / 2 for begun in [seen[1]] for place, heard in seen[0]]
        self.assertGreater(len(late), 20)
        # A column is marked from its beginning to the next one's: an eighth here.
        self.assertTrue(all(-0.02 < each < 0.35 for each in late), late)
