#!/usr/bin/python3
"""Pictures of every page and panel: Tests/Pages/console_situation_pictures.py [BASE] OUTDIR

Without BASE the follower is scripted and situations (lost, fault, cut off, panic) are pictured too; with BASE only what
the server shows at that moment. Sign-in by BATON_NAME and BATON_PASSWORD.
"""

import contextlib
import os
import pathlib
import sys

from browser import SIZES, chromium, resize, settle, sign_in
from checks import text, until
from console_stage import ConsoleStage
from lib.waiting import hold_for


class Photographer:
    def __init__(self, driver, base, folder, stage):
        self.driver, self.base, self.folder, self.stage = driver, base, folder, stage

    def scenario(self, name):
        self.stage.server.scenario(name)

    def shoot(self, name, full=False):
        path = self.folder / f"{name}.png"
        if full:
            height = self.driver.execute_script("return document.documentElement.scrollHeight")
            width = self.driver.execute_script("return innerWidth")
            resize(self.driver, (width, height))
            settle(self.driver)
        self.driver.save_screenshot(str(path))
        print(path)

    def console(self, size):
        resize(self.driver, size)
        self.driver.get(self.base + "/console")
        settle(self.driver)

    def command(self, name, *words):
        self.driver.execute_async_script("""
            const done = arguments[2];
            fetch("/api/command", {method: "POST", headers: {"X-Baton": "1", "Content-Type": "application/json"},
                body: JSON.stringify({command: arguments[0], arguments: arguments[1]})}).then(done, done);
            """, name, list(words))

    def panel(self, name):
        self.driver.execute_script("document.querySelector(`[data-panel='${arguments[0]}']`).click()", name)
        settle(self.driver)

    def everywhere(self):
        for size in SIZES:
            self.console(size)
            self.shoot(f"console-{size}")
        self.console("phone")
        self.shoot("console-phone-whole", full=True)
        self.console("laptop")
        for name in ("programme", "cue-editor", "messages", "check", "share", "keys"):
            self.panel(name)
            self.shoot(f"panel-{name}")
        self.driver.get(self.base + "/report")
        settle(self.driver)
        resize(self.driver, "laptop")
        self.shoot("report", full=True)
        resize(self.driver, "phone")
        self.driver.get(self.base + "/report")
        settle(self.driver)
        self.shoot("report-phone")

    def scenarios(self):
        self.stage.play()
        for size in ("laptop", "desktop", "small-laptop", "phone", "tablet"):
            self.scenario("lost")
            self.console(size)
            self.shoot(f"lost-{size}")
        self.stage.play()
        self.scenario("coasting")
        self.scenario("fault")
        self.scenario("input-lost")
        self.console("laptop")
        self.shoot("fault-laptop")
        self.stage.begin_anew()
        self.console("laptop")
        self.command("take")
        self.command("nudge", "3")
        self.command("lock", "on")
        hold_for(4)  # the follower goes on behind the technician
        self.shoot("manual-locked-laptop")
        self.command("lock", "off")
        self.command("go")
        self.command("go")
        hold_for(0.15)  # the flash is in its middle
        self.shoot("misfire-laptop")
        self.command("panic")
        settle(self.driver)
        self.shoot("panic-laptop")
        self.stage.play()
        self.console("laptop")
        self.stage.wire.cut()
        hold_for(4.5)  # the page tells how long it has been cut off
        self.shoot("cut-laptop")
        self.stage.wire.mend()
        self.console("laptop")
        self.panel("check")
        self.driver.execute_script("document.querySelector('#panel .primary').click()")
        until(lambda: text(self.driver, ".verdict"), 30)
        self.shoot("panel-check-done")
        self.panel("messages")
        self.driver.execute_script("document.querySelector('.templates button').click()")
        settle(self.driver)
        self.shoot("panel-messages-written")


def main():
    arguments = sys.argv[1:]
    if not 1 <= len(arguments) <= 2:
        raise SystemExit(__doc__)
    folder = pathlib.Path(arguments[-1])
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        stage = None
        if len(arguments) == 1:
            stage = ConsoleStage()
            stack.callback(stage.remove)
            stage.play()
        base = stage.base if stage else arguments[0].rstrip("/")
        driver = stack.enter_context(chromium())
        resize(driver, "laptop")
        driver.get(base + "/login")
        settle(driver)
        Photographer(driver, base, folder, stage).shoot("login")
        sign_in(driver, base, os.environ.get("BATON_NAME", "ines"), os.environ.get("BATON_PASSWORD", "open sesame"))
        photographer = Photographer(driver, base, folder, stage)
        photographer.everywhere()
        if stage:
            photographer.scenarios()
        for entry in driver.get_log("browser"):
            if entry["level"] == "SEVERE":
                print(entry["message"], file=sys.stderr)


if __name__ == "__main__":
    main()
