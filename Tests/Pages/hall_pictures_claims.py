"""The app's own pictures: the cover while no music plays, in the help, about the concert; never before a slide."""


from hall_case import HallCase

OWN = "/images/AppAssets/"


class PicturesTest(HallCase):
    def asked(self, name):
        """The time at which the page asked for a picture of the app's own, in milliseconds since it opened; None for
        never."""
        return self.script("""return performance.getEntriesByType('resource')
            .find((entry) => new URL(entry.name).pathname.startsWith(arguments[0]))?.startTime ?? null""", OWN + name)

    def loaded(self, css):
        return self.script("""const image = document.querySelector(arguments[0]);
            return Boolean(image?.getClientRects().length && image.complete && image.naturalWidth > 0)""", css)

    def open_sheet(self, name):
        self.script("document.querySelector(`#doors [data-opens='${arguments[0]}']`).click()", name)
        self.until(lambda: self.shown(f".sheet.{name}"), name)

    def kept(self):
        return self.later("""return (await (await caches.open('baton-kept')).keys()).map((key) => new URL(key.url))
            .filter((url) => url.searchParams.get('kept') === 'concert').map((url) => url.pathname.split('/').pop())
                .sort()""")

    def test_a_first_visit_during_the_music_asks_for_no_cover(self):
        self.open()
        self.until(lambda: self.number() > 0, "the slide")
        shown = self.script("return performance.getEntriesByName('baton-first-slide')[0].startTime")
        for name in ("splash", "help", "info"):
            at = self.asked(name)
            self.assertTrue(at is None or at > shown, f"{name} at {at} ms, the slide at {shown} ms")
        self.assertFalse(self.shown("#cover"))

    def test_the_cover_stands_on_the_programme_while_no_music_plays(self):
        self.scenario("none")
        self.open("/#/programme")
        self.until(lambda: self.loaded("#cover"), "the cover")
        self.assertEqual(self.script("return document.getElementById('cover').alt"), "", "it says what the title says")
        self.scenario("at?piece=4&played=12")
        self.until(lambda: not self.shown("#cover"), "the music is what counts")

    def test_help_and_info_have_their_pictures(self):
        self.open("/#/programme")
        for sheet in ("help", "info"):
            self.open_sheet(sheet)
            self.until(lambda: self.loaded(f".sheet.{sheet} .own-picture"), f"the picture of {sheet}")
            self.assertTrue(self.script("return document.querySelector('.own-picture').alt"))
            self.press("\ue00c")
            self.until(lambda: not self.shown(".sheet"), "closed")

    def test_a_picture_that_does_not_come_leaves_no_gap(self):
        self.open("/#/programme")
        show = """const { showPicture } = await import('/audience/waiting.js');
            const image = document.getElementById('alone') ?? document.body.appendChild(Object.assign(new Image(),
                { id: 'alone' }));
            showPicture(image, given[0]); return image.hidden"""
        hidden = "return document.getElementById('alone').hidden"
        self.assertFalse(self.later(show, "/images/AppAssets/nobody.png?v=1"), "it may still come")
        self.until(lambda: self.script(hidden), "gone")
        self.assertTrue(self.later(show, "/images/AppAssets/nobody.png?v=1"), "and not asked for again")
        self.assertFalse(self.later(show, "/images/AppAssets/splash.svg?v=1"), "another has its own chance")
        self.until(lambda: self.script("return document.getElementById('alone').naturalWidth > 0"), "and comes")
        self.assertFalse(self.script(hidden))

    def test_they_are_kept_once_and_go_with_the_last_piece(self):
        self.open()
        self.wait_for_kept()
        wanted = ["ProgramNotes.md", "ProgramNotes.pdf", "help.svg", "info.svg", "splash.svg"]
        self.until(lambda: self.kept() == wanted, "all of them, once", 20)
        folders = self.later("return [...await (await import('/audience/store.js')).keptFolders()]")
        for folder in folders[:-1]:
            self.later("await (await import('/audience/store.js')).remove(given[0]); return 0", folder)
        self.assertEqual(self.kept(), wanted, "while a piece is left")
        self.later("await (await import('/audience/store.js')).remove(given[0]); return 0", folders[-1])
        self.assertEqual(self.kept(), [])

    def test_without_the_hall_the_cover_and_the_notes_are_still_there(self):
        self.open()
        self.wait_for_worker()
        self.wait_for_kept()
        self.until(lambda: len(self.kept()) == 5, "kept", 20)
        self.scenario("gone")
        self.open("/#/programme")
        self.open_sheet("info")
        self.until(lambda: self.loaded(".sheet.info .own-picture"), "the picture without the hall")
        notes = self.later("""const answer = await fetch(given[0]);
            return [answer.status, (await answer.text()).slice(0, 5)]""", self.concert["programNotes"])
        self.assertEqual(notes, [200, "%PDF-"])
        self.scenario("here")

    def test_the_same_name_in_another_version_is_another_picture(self):
        """Last week's cover is not tonight's."""
        self.open()
        self.wait_for_worker()
        self.until(lambda: len(self.kept()) == 5, "kept", 20)
        self.scenario("gone")
        cover = """return await fetch('/images/AppAssets/splash.svg?v=0ther').then((r) => r.status, () => 'away')"""
        self.until(lambda: self.later(cover) == "away", "it is away")
        self.scenario("here")

    def test_while_nothing_is_there_yet_a_word_says_so(self):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/audience/concert*"]})
        try:
            self.open(wait=False)
            self.until(lambda: self.text("#waiting-words"), "a word", 4)
            self.assertFalse(self.shown("#waiting-cover"), "a phone that was never here asks for no cover")
        finally:
            self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.until(lambda: self.screen() == "slides", "the slide", 4)
        self.assertFalse(self.shown("#waiting"))
