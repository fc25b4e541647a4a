"""The page's own reckoning, in the browser, on the concert that the server has."""

from hall_case import HallCase, slide_at


class ModuleTest(HallCase):
    def setUp(self):
        super().setUp()
        self.open()

    def test_every_played_measure_of_every_track_finds_the_slide_another_reckoning_finds(self):
        mine = [[[-1 if (at := slide_at(track, played)) is None else at for played in range(len(piece["measures"]))]
                 for track in piece["tracks"]] for piece in self.concert["pieces"]]
        theirs = self.later("""
            const { slideAt } = await import('/shared/slides.js');
            const concert = await (await fetch('/api/audience/concert')).json();
            return concert.pieces.map((piece) =>
                piece.tracks.map((track) => piece.measures.map((_, played) => slideAt(track, played))))""")
        self.assertEqual(theirs, mine)

    def test_what_is_written_as_it_stands_leaves_no_gap(self):
        for language in ("en", "de", "es", "fr", "it"):
            self.later("const { speak, sayAll } = await import('/audience/words.js'); speak(given[0]); sayAll();",
                       language)
            self.assertEqual(self.script("""return [...document.querySelectorAll('[data-label], [data-word]')]
                .map((e) => `${e.ariaLabel ?? ''} ${e.textContent}`).filter((text) => /[{}]/.test(text))"""), [])
            self.press("?")
            self.until(lambda: self.script("return document.querySelector('.guide') !== null"), "the help", 10)
            self.assertNotRegex(self.script("return document.querySelector('#sheets').textContent"), r"[{}]")
            self.open()

    def test_a_colour_is_one_that_the_browser_knows(self):
        self.assertEqual(self.later("""
            const { colourOf } = await import('/shared/slides.js');
            return ['255,127,50', 'orange', 'url(//x)', 'none of these'].map(colourOf)"""),
                         ["rgb(255 127 50)", "orange", "slategray", "slategray"])
