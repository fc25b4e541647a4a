"""The page's own reckoning, taken from its modules and held against other reckonings."""

import json
import pathlib
import re

from hall_case import HallCase, slide_at
from lib.pages import page_file

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ModuleTest(HallCase):
    def setUp(self):
        super().setUp()
        self.open()

    def test_epochs_compare_by_number(self):
        self.assertEqual(self.later("""
            const { compareEpochs: c, readEpoch } = await import('/shared/epoch.js');
            return [c('1.10', '1.9') > 0, c('2.0', '1.99') > 0, c('1.4', '1.4'), c('x', '0.0') < 0,
                readEpoch('1.4.2')]"""),
            [True, True, 0, True, None])

    def test_a_key_is_named_in_two_languages(self):
        cases = json.loads((ROOT / "Tests/Vectors/keys.json").read_text(encoding="utf-8"))["cases"]
        named = self.later("""
            const { keyWords } = await import('/audience/form.js');
            const { speak } = await import('/audience/words.js');
            const { readKey } = await import('/audience/concert.js');
            const words = (name) => keyWords(name).split(',')[0];
            speak('de'); const german = given[0].map(words);
            speak('en'); const english = given[0].map(words);
            return given[0].map((name, index) => [readKey(name).fifths, english[index], german[index]])""",
            [case["name"] for case in cases])
        spoken = [case["name"].replace("-flat", " flat").replace("-sharp", " sharp") for case in cases]
        self.assertEqual(named, [[case["fifths"], english, case["german"]]
                                 for case, english in zip(cases, spoken, strict=True)])

    def test_the_fence_refuses_what_is_older_and_forgets_after_a_day(self):
        self.assertEqual(self.later("""
            const { Fence } = await import('/audience/fence.js');
            const kept = new Map(); const store = { getItem: (k) => kept.get(k) ?? null,
                setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) };
            const word = (epoch, sequence) => ({ epoch, sequence }); const day = 86400e3; const said = [];
            let fence = new Fence(store);
            said.push(fence.admits(word('1.4', 7), 0), fence.admits(word('1.4', 7), 1), fence.admits(word('1.4', 6), 2),
                fence.admits(word('1.3', 99), 3));
            said.push(fence.admits(word('1.10', 1), 4), fence.admits(word('1.9', 50), 5));
            fence = new Fence(store);
            said.push(fence.admits(word('1.9', 50), 6), fence.admits(word('1.9', 50), 4 + day),
                fence.admits(word('1.10', 1), 5 + day));
            fence.forget();
            said.push(fence.admits(word('0.1', 0), 6 + day));
            return said"""),
            [True, True, False, False, True, False, False, True, True, True])

    def test_every_played_measure_of_every_track_finds_the_slide_another_reckoning_finds(self):
        mine = [[[-1 if (at := slide_at(track, played)) is None else at for played in range(len(piece["measures"]))]
                 for track in piece["tracks"]] for piece in self.concert["pieces"]]
        theirs = self.later("""
            const { slideAt } = await import('/shared/slides.js');
            const concert = await (await fetch('/api/audience/concert')).json();
            return concert.pieces.map((piece) =>
                piece.tracks.map((track) => piece.measures.map((_, played) => slideAt(track, played))))""")
        self.assertEqual(theirs, mine)

    def test_words_are_said_once_and_what_is_written_as_it_stands_leaves_no_gap(self):
        words = page_file("/audience/words.js").read_text(encoding="utf-8")
        names = re.findall(r"^  (\w+): \[", words, re.MULTILINE)
        self.assertEqual([name for name in names if names.count(name) > 1], [],
                         "a later word would take the place of an earlier one")
        for language in ("en", "de", "es", "fr", "it"):
            self.later("const { speak, sayAll } = await import('/audience/words.js'); speak(given[0]); sayAll();",
                       language)
            self.assertEqual(self.script("""return [...document.querySelectorAll('[data-label], [data-word]')]
                .map((e) => `${e.ariaLabel ?? ''} ${e.textContent}`).filter((text) => /[{}]/.test(text))"""), [])
            self.press("?")
            self.until(lambda: self.script("return document.querySelector('.guide') !== null"), "the help", 10)
            self.assertNotRegex(self.script("return document.querySelector('#sheets').textContent"), r"[{}]")
            self.open()

    def test_a_delay_reckons_back_late_and_never_early(self):
        self.assertEqual(self.later("""
            const { Delay } = await import('/audience/delay.js');
            const measures = Array.from({ length: 40 }, (_, index) => ({ time: index * 2 })); const of = () => measures;
            const delay = new Delay(); const said = [];
            delay.hear({ played: 20 }, 100_000);            // second 40 of the recording
            said.push(delay.at(100_000, 0, of).played, delay.at(100_000, 8_000, of).played,
                delay.at(108_000, 8_000, of).played);
            said.push(delay.at(100_000, 60_000, of).played);
            delay.hear({ played: 21 }, 102_000); delay.hear(null, 104_000);
            said.push(delay.at(104_500, 2_000, of).played, delay.at(105_000, 0, of), delay.at(105_000, 1_000, of));
            return said"""), [20, 15, 20, -1, 21, None, None])

    def test_the_large_first_line_is_a_whole_sentence(self):
        said = self.later("""
            const { leadLength } = await import('/shared/slideparts.js');
            return given[0].map((text) => text.slice(0, leadLength(text)).trim())""", [
            "A short one. It stays together.",
            "The bass has arrived on G, the dominant, and stays there. Above it the chords change and the tension "
            "grows and grows.",
            "Symphony No. 9 by Ludwig van Beethoven ends with a choir. Nobody had dared to do that in a symphony "
            "before.",
            "word " * 60])
        self.assertEqual(said, ["A short one. It stays together.",
                                "The bass has arrived on G, the dominant, and stays there.",
                                "Symphony No. 9 by Ludwig van Beethoven ends with a choir.", ""])

    def test_folders_works_colours_keys_and_addresses(self):
        said = self.later("""
            const { colourOf } = await import('/shared/slides.js');
            const { folderOf, worksOf, readKey } = await import('/audience/concert.js');
            const { webAddress } = await import('/audience/messages.js');
            const works = worksOf({ pieces: [['H', 'C', '1'], ['H', 'C', '2'],
                ['S', 'D', 'D']].map(([composer, work, movement]) => ({ composer, work, movement })) });
            return [folderOf('Strauss, Don Juan: Don Juan'), works.map((work) => work.pieces.length),
                colourOf('255,127,50'), colourOf('orange'),
                colourOf('url(//x)'), colourOf('none of these'), readKey('B minor').fifths,
                readKey('A-flat major').fifths, readKey('E-flat minor').fifths, readKey('C-sharp major').fifths,
                readKey('noise'), webAddress('javascript:alert(1)'), webAddress('https://a.example/').href,
                    webAddress('//a.example')]""")
        self.assertEqual(said,
                         ["POAStraussDonJuanDonJuan", [2, 1], "rgb(255 127 50)", "orange", "slategray", "slategray",
                                2, -4, -6, 7, None, None, "https://a.example/", None])

    def test_every_word_is_there_in_all_languages_with_the_same_blanks(self):
        self.assertEqual(self.later("""
            const { languages, say, speak } = await import('/audience/words.js');
            const text = await (await fetch('/audience/words.js')).text();
            const names = [...text.matchAll(/^  (\\w+): \\[/gm)].map((match) => match[1]);
            const blanks = (words) => [...words.matchAll(/\\{\\w+\\}/g)].map(String).sort().join();
            const inAll = (name) => languages.map((tag) => { speak(tag + '-XX'); return say(name); });
            const odd = names.filter((name) => { const all = inAll(name);
                return !all.every((words) => words && blanks(words) === blanks(all[0])); });
            const same = languages.slice(1).map((tag, at) =>
                names.filter((name) => inAll(name)[at + 1] === inAll(name)[0]).length < 20);
            speak('pt'); const other = say('help'); speak('en');
            return [languages, names.length > 80, odd, same, other]"""),
            [["en", "de", "es", "fr", "it"], True, [], [True] * 4, "Help"])

    def test_keys_have_the_names_of_each_language(self):
        self.assertEqual(self.later("""
            const { keyWords } = await import('/audience/form.js');
            const { speak } = await import('/audience/words.js');
            const said = ['es', 'fr', 'it'].flatMap((tag) => { speak(tag);
                return ['B minor', 'E-flat major'].map(keyWords); });
            speak('en'); return said"""),
            ["si menor, 2 sostenidos", "mi bemol mayor, 3 bemoles", "si mineur, 2 dièses", "mi bémol majeur, 3 bémols",
             "si minore, 2 diesis", "mi bemolle maggiore, 3 bemolli"])
