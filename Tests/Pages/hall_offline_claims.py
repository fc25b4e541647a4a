"""Messages once each; what the phone keeps, without the hall, and how the listener is rid of it."""


from hall_case import DESKTOP, LYING, PHONE, SMALL, HallCase, size
from lib.waiting import hold_for


def slides(piece):
    return [slide for track in piece["tracks"] for slide in track["slides"]]


class MessageTest(HallCase):
    def test_a_message_stays_until_it_is_closed_also_over_reloads(self):
        self.open()
        self.scenario("message?kind=button")
        self.until(lambda: self.shown(".message"), "the message", 1)
        self.assertEqual(self.text(".message h2"), "Welcome")
        self.assertEqual(self.script("return document.activeElement.textContent"), "Will do!")
        self.open()
        self.until(lambda: self.shown(".message"), "a message that nobody has closed comes again", 2)
        self.click(".message button")
        self.assertFalse(self.shown(".message"))
        for _ in range(2):
            self.open()
            self.stays(lambda: not self.shown(".message"), "a message that was closed stays closed", 0.7)
        self.scenario("drop")
        self.stays(lambda: not self.shown(".message"), "a message that was closed stays closed", 0.7)
        self.scenario("message?kind=button")
        self.until(lambda: self.shown(".message"), "another message with the same words is another message", 1)

    def test_a_message_covers_nothing_of_the_slide(self):
        for screen in (SMALL, PHONE, LYING, DESKTOP):
            size(self.driver, screen)
            self.open()
            for kind in ("button", "link", "auto"):
                self.scenario(f"message?kind={kind}")
                self.until(lambda: self.shown(".message"), "the message", 1)
                message, slide, deck, height = self.script("""
                    const box = (id) => document.querySelector(id).getBoundingClientRect();
                    return [box(".message").bottom, box("#main").top, box("#deck").bottom, innerHeight]""")
                self.assertLessEqual(message, slide, f"{screen} {kind}")
                self.assertLessEqual(deck, height + 1, f"{screen} {kind}")
                self.assertFalse(self.script("return document.getElementById('app').inert"))

    def test_auto_closes_by_itself_after_four_seconds(self):
        self.open()
        self.scenario("message?kind=auto")
        self.until(lambda: self.shown(".message"), "the message", 1)
        self.assertEqual(self.script("return document.querySelectorAll('.message button').length"), 0)
        took = self.until(lambda: not self.shown(".message"), "gone", 5)
        self.assertTrue(3.4 < took < 4.6, took)

    def test_a_link_asks_before_it_leads_away(self):
        self.open()
        self.scenario("message?kind=link")
        self.until(lambda: self.shown(".message"), "the message", 1)
        self.assertEqual(self.script("""const a = document.querySelector('.message a');
            return [a.textContent, a.href, a.target, a.rel, document.querySelector('.message button').textContent]"""),
            ["Take me there", "https://survey.example/hall", "_blank", "noopener noreferrer", "Ignore"])
        self.press("\ue00c")  # Escape
        self.assertFalse(self.shown(".message"))

    def test_nothing_but_web_addresses_and_no_markup(self):
        self.open()
        self.scenario("message?kind=evil")
        self.until(lambda: self.shown(".message"), "the message", 1)
        self.assertEqual(self.script("return document.querySelectorAll('.message a, .message img').length"), 0)
        self.assertIn("<img src=x", self.text(".message"))

    def test_a_withdrawn_message_goes(self):
        self.open()
        self.scenario("message?kind=button")
        self.until(lambda: self.shown(".message"), "the message", 1)
        self.scenario("withdraw")
        self.until(lambda: not self.shown(".message"), "gone", 1)


class OfflineTest(HallCase):
    def leave_the_hall(self):
        self.open()
        self.wait_for_kept()
        pictures = sum(len({part["image"] for slide in slides(piece) for part in slide["parts"] if "image" in part}
                           | {image for slide in slides(piece) for link in slide["links"]
                              if (image := self.concert["glossary"][link["item"]].get("image"))})
                       for piece in self.concert["pieces"])
        self.until(lambda: self.later("return (await (await caches.open('baton-kept')).keys()).filter((k) => "
                                      "k.url.includes('.svg') && !k.url.endsWith('kept=concert')).length") == pictures,
                   "the pictures are kept", 30)
        self.wait_for_worker()
        self.scenario("gone")

    def test_what_was_loaded_is_read_without_the_hall_and_deleted_by_the_listener(self):
        self.leave_the_hall()
        self.open()
        self.assertEqual(self.screen(), "home")
        self.until(lambda: "Not in the hall" in self.text("#notice"), "a word about it", 6)
        self.assertIn("Listening for the hall", self.text("#now"))
        self.assertNotIn("No music", self.text("#now"), "nobody here knows that")
        self.assertEqual(self.script("return document.querySelectorAll('.document').length"), 5)
        self.click("a.document[href$='MountainKing']")
        self.until(lambda: self.number() == 1, "the piece opens")
        for _ in range(2):
            self.click("#next")
        self.until(lambda: self.script("const i = document.querySelector('#slide img'); return i?.complete && "
                                       "i.naturalWidth > 0"), "its picture")
        # Reading at home, nothing is held back.
        self.press("\ue014")
        self.assertEqual(self.number(), 4)
        self.press("g")
        self.until(lambda: self.text("#word h2") != "", "the glossary")

        self.open("/#/programme")
        self.click("[data-opens=kept]")
        self.until(lambda: self.script("return document.querySelectorAll('.folder').length") == 5, "five folders")
        self.assertIn("#/piece/POAGriegPeerGyntSuiteNo1IntheHalloftheMountainKing", self.script(
            "return [...document.querySelectorAll('.folder')].map((link) => link.getAttribute('href'))"))
        self.click("[aria-label^='Delete Grieg']")
        self.click(".answers .grave")
        self.until(lambda: not self.shown(".question")
                   and self.script("return document.querySelectorAll('.folder').length") == 4, "one less")
        self.assertEqual(self.later("return (await (await caches.open('baton-kept')).keys()).filter((k) => "
                                    "k.url.includes('Grieg')).length"), 0)
        self.open("/#/programme")
        self.assertEqual(self.script("return document.querySelectorAll('.document').length"), 4)

        self.scenario("here")
        self.open("/#/programme")
        self.until(lambda: self.script("return document.querySelectorAll('.document').length") == 5,
                   "the hall has it still", 6)
        hold_for(2)  # time to keep it again
        self.wait_for_kept(4)  # what was deleted stays deleted
        self.click("[data-opens=kept]")
        self.until(lambda: self.shown(".grave"), "the sheet")
        self.click(".grave")
        self.click(".answers .grave")
        self.until(lambda: "Nothing is kept" in self.text(".kept"), "nothing is left")
        self.assertEqual(self.later("return (await caches.keys()).includes('baton-kept') ? (await (await "
                                    "caches.open('baton-kept')).keys()).length : 0"), 0)
        self.click(".kept .buttons button")  # keep this concert
        self.wait_for_kept(5)

    def test_back_in_the_hall_the_page_goes_live_by_itself(self):
        self.leave_the_hall()
        self.open()
        hold_for(1)  # away from the hall
        self.scenario("here")
        self.until(lambda: self.screen() == "slides" and self.number() == 3 and self.green(), "live", 1.5)

    def test_refresh_spins_loads_anew_and_joins_again(self):
        self.open("/#/programme")
        self.settle()
        before = self.scenario("state")
        self.click("#refresh")
        self.assertEqual(self.script("return document.getElementById('refresh').getAttribute('aria-busy')"), "true")
        self.until(lambda: self.script("return document.getElementById('refresh').getAttribute('aria-busy')") is None,
                   "done", 4)
        after = self.scenario("state")
        self.assertGreater(after["streams"], before["streams"])
        self.assertGreater(after["requests"]["/api/audience/concert"], before["requests"]["/api/audience/concert"])

    def test_the_page_can_be_installed(self):
        self.open()
        manifest = self.driver.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual(manifest["errors"], [])
        self.assertEqual(self.later("""
            const manifest = await (await fetch('/manifest.webmanifest')).json();
            const sizes = [];
            for (const icon of manifest.icons) { const image = new Image(); image.src = icon.src; await image.decode();
                sizes.push([icon.sizes, image.naturalWidth]); }
            return [manifest.start_url, manifest.display, sizes.slice(1)]"""),
            ["/", "standalone", [["192x192", 192], ["512x512", 512], ["512x512", 512]]])
        self.wait_for_worker()

    def test_the_worker_keeps_every_file_of_the_page(self):
        self.open()
        missing = self.later("""
            const text = await (await fetch('/sw.js')).text();
            const kept = JSON.parse('[' + text.split('const shell = [')[1].split('];')[0].replace(/,\\s*$/, '') + ']');
            const modules = new Set(['/audience/main.js', '/audience/early.js', '/audience/look.css',
                '/audience/views.css', '/audience/print.css']);
            for (const path of modules) {
                if (!path.endsWith('.js')) continue;
                const source = await (await fetch(path)).text();
                for (const [, name] of source.matchAll(/(?:from |import\\()"([^"]+)"/g)) {
                    // The phone's own ear needs the engine, which is loaded where somebody wants it.
                    const module = new URL(name, location.origin + path).pathname;
                    if (module !== '/audience/athome.js') modules.add(module);
                }
            }
            return [...modules].filter((path) => !kept.includes(path))""")
        self.assertEqual(missing, [])
