#!/usr/bin/python3
"""Pictures of the audience page: BATON=path/to/baton Tests/Pages/hall_pictures.py [BASE] [--few] OUTDIR

Of a server of its own at chosen places of the concert; with BASE of whatever plays there. Every screen is shown as a
listener finds it (dark, half the light) and in the light theme at full light. With --few only the six of docs/pictures.
"""

import base64
import json
import pathlib
import sys

import served_hall
from browser import chromium, settle
from hall_case import DESKTOP, LYING, PHONE, TABLET, size
from lib.waiting import hold_for

LOOKS = {"dark": {}, "light": {"theme": "light", "brightness": 100}}
SHEETS = ("timeline", "tracks", "look", "help", "kept", "info")


class Photographer:
    def __init__(self, driver, base, folder, scenario):
        """`scenario`: makes situations happen; None if the concert is somebody else's."""
        self.driver, self.base, self.folder, self.obey = driver, base, folder, scenario

    def scenario(self, name):
        if self.obey:
            self.obey(name)
            hold_for(0.2)  # the hall tells the page
            settle(self.driver)

    def open(self, path="/"):
        self.driver.get("about:blank")
        self.driver.get(self.base + path)
        # The joining line is gone sooner than it would be.
        settle(self.driver)
        self.driver.execute_script("document.getElementById('lines').replaceChildren()")

    def shoot(self, name):
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        (self.folder / f"{name}.png").write_bytes(base64.b64decode(picture))
        print(self.folder / f"{name}.png")

    def look(self, settings):
        self.driver.get(self.base + "/manifest.webmanifest")
        self.driver.execute_script("localStorage['baton.audience.settings'] = arguments[0]", json.dumps(settings))

    def everywhere(self):
        for look, settings in LOOKS.items():
            self.look(settings)
            for name, screen, scale in (("phone", PHONE, 2), ("tablet", TABLET, 1), ("desktop", DESKTOP, 1)):
                size(self.driver, screen, scale)
                self.scenario("at?piece=4&played=10")
                for path, view in (("/", "slide"), ("/#/programme", "programme"), ("/#/words/9", "glossary")):
                    self.open(path)
                    self.shoot(f"{view}-{name}-{look}")

    def few(self):
        for look, settings in LOOKS.items():
            self.look(settings)
            for name, screen in (("phone", PHONE), ("tablet", TABLET), ("desktop", DESKTOP)):
                size(self.driver, screen)
                self.scenario("at?piece=4&played=10")
                self.open()
                self.shoot(f"hall-{name}-{look}")

    def phone(self):
        self.look({})
        size(self.driver, PHONE, 2)
        for sheet in SHEETS:
            self.open()
            if sheet == "kept":
                hold_for(3.5)  # the pieces are kept when the page has nothing else to do
            self.driver.execute_script(
                "(document.querySelector(`[data-opens='${arguments[0]}']`) ?? "
                "document.getElementById(arguments[0])).click()", sheet)
            settle(self.driver)
            self.shoot(f"sheet-{sheet}-phone")
        if not self.obey:
            return
        for played, name in ((44, "whole"), (73, "short")):
            self.scenario(f"at?piece=4&played={played}")
            self.open()
            self.shoot(f"slide-{name}-phone")
        self.driver.execute_script("document.getElementById('previous').click()")
        settle(self.driver)
        self.shoot("slide-back-phone")
        self.scenario("message?kind=button")
        self.shoot("message-phone")
        self.driver.execute_script("document.querySelector('.message button').click()")
        self.scenario("message?kind=link")
        self.shoot("message-link-phone")
        self.driver.execute_script("document.querySelector('.message button').click()")
        self.scenario("gone")
        hold_for(3.5)  # the page notices that the hall is silent
        self.shoot("offline-phone")
        self.scenario("here")
        self.scenario("view?is=black")
        self.shoot("black-phone")
        self.scenario("view?is=live")
        self.look({"size": 1.8, "contrast": "high"})
        self.open()
        self.shoot("large-phone")
        self.look({"language": "de"})
        self.open()
        self.shoot("german-phone")
        self.look({})
        size(self.driver, LYING, 2)
        self.scenario("at?piece=4&played=10")
        self.open()
        self.shoot("slide-lying-phone")


def main():
    few = "--few" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--few"]
    if not 1 <= len(arguments) <= 2:
        raise SystemExit(__doc__)
    folder = pathlib.Path(arguments[-1])
    folder.mkdir(parents=True, exist_ok=True)
    if len(arguments) == 2:
        return take(arguments[0].rstrip("/"), folder, None, few)
    hall = served_hall.shared()
    take(hall.base, folder, hall.scenario, few)


def take(base, folder, scenario, few):
    with chromium() as driver:
        photographer = Photographer(driver, base, folder, scenario)
        if few:
            return photographer.few()
        photographer.everywhere()
        photographer.phone()


if __name__ == "__main__":
    main()
