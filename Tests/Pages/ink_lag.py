#!/usr/bin/python3
"""Measures the delay of ink behind a pen: from the pointer event to its pixels, measured in the page.

    BATON=path/to/baton Tests/Pages/ink_lag.py [STROKES]      on a machine that does nothing else

Draws strokes in reading, on a stand of 1024 × 1366 pixels, and prints the lags; fails if the median is above 25 ms.
Begin: `event.timeStamp`, when the browser got the pointer's event. End: the first task after the frame in which the
canvas under the pen has ink, read back pixel by pixel; the frame's own drawing has ended by then. What the compositor
and the display add on a device (one or two of its frames) is not in it.
"""

import statistics
import sys

MOST_MS = 25
WATCH = """
    window.inkLags = [];
    const inked = (x, y) => [...document.querySelectorAll(".remark-wet, .remark-tail")].some((canvas) => {
        const f = canvas.getBoundingClientRect(), scale = canvas.width / f.width;
        const [px, py] = [Math.round((x - f.left) * scale) - 2, Math.round((y - f.top) * scale) - 2];
        const { data } = canvas.getContext("2d").getImageData(px, py, 5, 5);
        for (let at = 3; at < data.length; at += 4) if (data[at] > 0) return true;
        return false;
    });
    const channel = new MessageChannel();
    let waiting = [];
    channel.port1.onmessage = () => {
        const now = performance.now();
        for (const { event, found } of waiting.splice(0)) {
            if (found) window.inkLags.push([event.type, now - event.timeStamp]);
            else window.inkLags.push(["missing", 0]);
        }
    };
    let isAsked = false, open = [];
    for (const name of ["pointerdown", "pointermove"]) {
        document.getElementById("stage").addEventListener(name, (event) => {
            if (event.pointerType !== "pen" || event.buttons === 0) return;
            open.push(event);
            if (isAsked) return;
            isAsked = true;
            requestAnimationFrame(() => {
                isAsked = false;
                for (const each of open.splice(0)) {
                    waiting.push({ event: each, found: inked(each.clientX, each.clientY) });
                }
                channel.port2.postMessage(null);
            });
        }, { capture: true });
    }"""


def measure(driver, spot, strokes=3, points=20):
    """Draws strokes with a pen and gives the lags of all pointer events, in ms: median, 95th percentile, longest, and
    that of the first point. `spot(x, y)` gives a point of the screen for shares of the page."""
    driver.execute_script(WATCH)
    for stroke in range(strokes):
        top = 0.1 + 0.08 * (stroke % 10)
        places = [spot(0.2 + 0.5 * step / points, top + 0.02 * (step % 3)) for step in range(points)]
        kinds = ["mousePressed", *["mouseMoved"] * (points - 1), "mouseReleased"]
        for kind, (x, y) in zip(kinds, [*places, places[-1]], strict=True):
            driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "buttons": 0 if kind == "mouseReleased" else 1,
                "clickCount": 1, "pointerType": "pen", "force": 0.5})
    found = driver.execute_script("return window.inkLags")
    lags = sorted(lag for name, lag in found if name != "missing")
    firsts = [lag for name, lag in found if name == "pointerdown"]
    return {"events": len(lags), "missing": sum(name == "missing" for name, _ in found),
            "median_ms": round(statistics.median(lags), 1), "p95_ms": round(lags[int(0.95 * (len(lags) - 1))], 1),
            "most_ms": round(lags[-1], 1), "first_point_ms": [round(each, 1) for each in firsts]}


def main():
    import unittest

    from hall_case import size
    from score_remarks_test import ScoreCase

    class Lag(ScoreCase):
        def test_lag(self):
            self.open_score()
            size(self.driver, (1024, 1366))
            self.until(self.is_painted, "the page is painted")
            self.settle()
            found = measure(self.driver, self.spot, strokes=int(sys.argv[1]) if len(sys.argv) > 1 else 10)
            print(found, flush=True)
            self.assertLessEqual(found["median_ms"], MOST_MS)

    outcome = unittest.TextTestRunner().run(unittest.TestSuite([Lag("test_lag")]))
    sys.exit(not outcome.wasSuccessful())


if __name__ == "__main__":
    main()
