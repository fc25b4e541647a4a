"""Modules that draw, tried on an empty page, and a sign-in that cannot be saved."""

from browser import ENGINE
from console_case import BrowserCase


class ModuleTest(BrowserCase):
    def setUp(self):
        self.driver.get(self.base + "/no-such-page")

    def fill_disk(self):
        """No sign-in can be written until the test has ended."""
        self.need_script()
        self.server.server.fill_disk()
        self.addCleanup(self.server.server.free_disk)

    def test_overruns_and_dropouts_are_marked_for_a_minute_and_counted_for_the_show(self):
        self.assertEqual(self.later("""
            document.body.innerHTML = `<dl id="readings"></dl><canvas id="level"></canvas><p id="level-text"></p>
                <p id="clock"></p>`;
            let seconds = 0;
            performance.now = () => seconds * 1000;
            const { Desk } = await import('/console/desk.js');
            const { showHealth } = await import('/console/health.js');
            const desk = new Desk();
            showHealth(desk);
            const shown = (at, xruns, overruns = 0, more = {}) => {
              seconds = at;
              desk.set('meters', { xruns, overruns, clipped: 0, packetsFailed: 0, packetsPerSecond: 5, ...more });
              const say = (css) => document.querySelector(css);
              return ['overruns', 'xruns', 'packets'].map((id) => say(`[data-reading=${id}]`))
                .map((e) => `${e.lastChild.textContent}${e.dataset.bad === 'true' ? ' bad' : ''}`)
                .concat(say('#level-text').dataset.bad === 'true' ? 'clips' : []).join(', ');
            };
            const more = { clipped: 2, packetsFailed: 1 };
            // Nobody knows when what stands there at first was counted.
            return [shown(0, 2), shown(10, 3), shown(69, 3), shown(70, 3), shown(80, 4, 1), shown(100, 5, 1),
                shown(141, 5, 1), shown(161, 5, 1), shown(170, 5, 1, more), shown(231, 5, 1, more),
                // Another server counts anew.
                shown(240, 0), shown(250, 1), (desk.set('targets', []), shown(260, 1, 0, { packetsPerSecond: 0 })),
                (desk.set('targets', [{ kind: 'multicast' }]), shown(330, 1))];"""),
            ["0, 2, 5.0 /s", "0, 3 bad, 5.0 /s", "0, 3 bad, 5.0 /s", "0, 3, 5.0 /s", "1 bad, 4 bad, 5.0 /s",
             "1 bad, 5 bad, 5.0 /s", "1, 5 bad, 5.0 /s", "1, 5, 5.0 /s", "1, 5, 5.0 /s · 1 failed bad, clips",
             "1, 5, 5.0 /s · 1 failed", "0, 0, 5.0 /s", "0, 1 bad, 5.0 /s", "0, 1 bad, Switched off", "0, 1, 5.0 /s"])

    def test_a_sign_in_that_could_not_be_saved_is_read_before_one_goes_on(self):
        self.fill_disk()
        self.driver.delete_all_cookies()
        self.driver.get(self.base + "/login?next=/report")
        self.script("document.getElementById('name').value = 'ines';"
                    "document.getElementById('password').value = 'open sesame';"
                    "document.getElementById('submit').click()")
        self.until(lambda: "could not be saved" in self.text("say"), "the sentence is shown")
        self.until(lambda: self.text("submit") == "Go on", "and a button to go on")
        self.assertIn("/login", self.driver.current_url)
        self.script("document.getElementById('submit').click()")
        self.until(lambda: "/report" in self.driver.current_url, "then it goes where one wanted to")

    def test_an_answer_from_before_the_sign_in_leads_nowhere(self):
        if ENGINE != "chromium":
            self.skipTest("holds an answer back by DevTools")
        self.fill_disk()
        self.driver.delete_all_cookies()
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const really = window.fetch;
            window.held = new Promise((go) => { window.release = go; });
            window.fetch = (path, how) => path === "/api/me" ? window.held.then(() => really(path, how))
                : really(path, how);"""})
        try:
            self.driver.get(self.base + "/login?next=/report")
            self.script("document.getElementById('name').value = 'ines';"
                        "document.getElementById('password').value = 'open sesame';"
                        "document.getElementById('submit').click()")
            self.until(lambda: self.text("submit") == "Go on", "signed in, with a sentence to read")
            self.later("window.release(); await really('/api/me'); await new Promise((go) => setTimeout(go, 100));")
            self.assertIn("/login", self.driver.current_url)
            self.assertIn("could not be saved", self.text("say"))
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
