// What the stand computes: forms and cuts of pages, rows of a phone, the zoom, pitches, taps.
import { test } from "node:test";

import { equal, isTrue, near } from "./lib/equal.js";
import { vectors } from "./lib/files.js";
import { hour } from "/rehearsal/words.js";
import { Form } from "/shared/pageform.js";
import { addTap, tappedTempo } from "/stand/beat.js";
import { cutOf, cutsBetween, cutsInRows, systemsOf } from "/stand/cuts.js";
import { foreignInk } from "/stand/ownink.js";
import { pitchOf } from "/stand/pitch.js";
import { rowsOf } from "/stand/systems.js";
import { Zoom } from "/stand/zoom.js";

test("forms and cuts are those of the server", () => {
  const { forms, cuts } = vectors("page-forms.json");
  for (const { size: [width, height], turns, tilt, points } of forms) {
    const form = new Form({ width, height }, turns, tilt);
    for (const [x, y, toX, toY] of points) {
      const [a, b] = form.upright([x, y]), [c, d] = form.filed([a, b]);
      near(Math.hypot(a - toX, b - toY), 0, 1e-8, `upright, ${turns} turns, ${tilt}°`);
      near(Math.hypot(c - x, d - y), 0, 1e-9, `filed again, ${turns} turns, ${tilt}°`);
    }
  }
  for (const { name, boxes, systems, cut } of cuts) {
    const found = systemsOf(boxes);
    const [best = null] = cutsBetween(found);
    equal(found.map(({ top, bottom }) => [top, bottom]), systems, name);
    if (best === null || cut === null) equal(best, cut, name);
    else near(best, cut, 1e-9, name);
  }
  isTrue(forms.length > 0 && cuts.length > 0, "there are vectors");
});

test("white gaps are found where no measures are known", () => {
  const rows = Array.from({ length: 500 }, (_, at) =>
    ((at > 50 && at < 190) || (at > 230 && at < 300) || (at > 330 && at < 450) ? 40 : at === 210 ? 1 : 0));
  const { cuts, end } = cutsInRows(rows);
  equal(cuts.length, 2);
  near(cuts[0], 0.42, 0.01);
  near(end, 0.9, 0.01);
  equal(cutsInRows(rows.map(() => 0)), { cuts: [], end: 0 });
  equal([cutOf([400, 200], [150, 380, 420]), cutOf([400], [420]), cutOf([], [3]), cutOf([400], [100], 350)],
    [{ cut: 400, end: 380 }, null, null, { cut: 400, end: 400 }]);
});

test("a row of a phone has what is printed above and below its system", () => {
  const isRows = (tops, high, wanted) => {
    const rows = rowsOf({ pages: [{ width: 595, height: 842 }],
      places: tops.map((top) => ({ page: 0, box: [0.1, top, 0.9, top + high] })) }, { width: 390, height: 844 });
    equal(rows.map(({ box }) => [box[1], box[3]].map((each) => Number(each.toFixed(6)))), wanted);
  };
  // To the next system, and a fifth further, where the ink of both is told apart.
  isRows([0.1, 0.2, 0.3, 0.4], 0.03, [[0.055, 0.172], [0.158, 0.272], [0.258, 0.372], [0.358, 0.475]]);
  isRows([0.1, 0.4, 0.7], 0.04, [[0.04, 0.2], [0.34, 0.5], [0.64, 0.8]]); // no more white than that
  isRows([0.05, 0.55], 0.4, [[0, 0.51], [0.49, 1]]);
});

test("a row of a phone leaves out the ink of the systems beside it", () => {
  // A staff on the rows 0 to 9 and one on 40 to 49; the middle between them is 24.5.
  const [width, height] = [60, 50];
  const things = { above: [0, 0, 60, 10], below: [0, 40, 60, 50], stem: [5, 10, 7, 30], tempo: [20, 21, 32, 31],
    loud: [40, 16, 52, 27], low: [12, 22, 14, 40] };
  const ink = new Uint8Array(width * height), whose = new Map();
  for (const [name, [left, top, right, bottom]] of Object.entries(things)) {
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        ink[y * width + x] = 1;
        whose.set(y * width + x, name);
      }
    }
  }
  const others = (systems) =>
    [...new Set(foreignInk(ink, { width, height }, systems).map((at) => whose.get(at)))].sort();
  const [upper, lower] = [[0, 9], [40, 49]];
  equal(others({ own: lower, above: upper, below: null }), ["above", "loud", "stem"]);
  equal(others({ own: upper, above: null, below: lower }), ["below", "low", "tempo"]);
});

test("the reckoning keeps the paper on the stage", () => {
  const zoom = new Zoom();
  const lies = (...wanted) =>
    [zoom.x, zoom.y].forEach((each, at) => near(each, wanted[at], 1e-6, "the paper's corner"));
  zoom.lay({ width: 800, height: 1000 }, { left: 100, top: 0, right: 700, bottom: 1000 });
  zoom.to(1.2, { x: 400, y: 500 });
  lies(-80, -100); // narrower than the stage: in its middle
  zoom.to(2, { x: 100, y: 0 });
  equal([zoom.x, zoom.y].map(Math.round), [-200, -167]);
  zoom.pan(9999, 9999);
  lies(-200, 0);
  zoom.pan(-9999, -9999);
  lies(-600, -1000);
  zoom.to(9, { x: 0, y: 0 });
  equal(zoom.scale, 4);
  zoom.to(0.1, { x: 0, y: 0 });
  equal([zoom.scale, zoom.x, zoom.y], [1, 0, 0]);
});

test("taps give a tempo until a long pause", () => {
  const times = [0, 500, 1000, 1510, 2000].reduce(addTap, []);
  equal([Math.round(tappedTempo(times)), tappedTempo([1]), addTap(times, 9000)], [120, null, [9000]]);
});

test("pitches are found within a cent from the double bass to the piccolo", () => {
  const rate = 48000;
  for (const hertz of [30.9, 41.2, 65.4, 110, 196, 440, 987.8, 2093, 3951]) {
    for (const tones of [[1], [1, 0.5, 0.3, 0.2], [0.2, 1, 0.4, 0.5]]) {
      const samples = Float32Array.from({ length: 4096 }, (_, i) => 0.2 * tones.reduce((sum, level, n) =>
        sum + level * Math.sin(2 * Math.PI * hertz * (n + 1) * i / rate + n), 0) + 0.004 * Math.sin(i * i));
      near(1200 * Math.log2(pitchOf(samples, rate).hertz / hertz), 0, 1, `cents of ${hertz} Hz, ${tones.length} tones`);
    }
  }
  equal(pitchOf(new Float32Array(4096), rate), null);
});

test("times have 24 hours in every browser", () => {
  equal(hour(new Date(2026, 10, 28, 16, 58).getTime()), "16:58");
});
