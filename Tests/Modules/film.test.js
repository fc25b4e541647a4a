// How a screen keeps a film at its place, and what the console says of it.
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { filmWords, screenFilmWords } from "/console/film.js";
import { filmPlace, nextCorrection } from "/screen/film.js";

/** Lets a film that is behind by some seconds be brought back; gives its distances, ten a second. */
function brought(distance, seconds) {
  const distances = [];
  let correction = 0;
  for (let look = 0; look < 10 * seconds; look += 1) {
    correction = nextCorrection(correction, distance, 0.1);
    distance -= correction * 0.1;
    distances.push(distance);
  }
  return distances;
}

test("a film goes on between two values of the server", () => {
  equal(filmPlace({ seconds: 10, since: 4000, speed: 1.5 }, 6000), 13);
});

test("a small distance is made up for without a change of speed that is seen", () => {
  let correction = 0;
  for (let look = 0; look < 100; look += 1) {
    const next = nextCorrection(correction, 0.05 * Math.sin(look / 10), 0.1);
    ok(Math.abs(next - correction) <= 0.0021 && Math.abs(next) <= 0.05);
    correction = next;
  }
});

test("a film that is away comes back, whichever way, and stays", () => {
  for (const distance of [0.9, 0.3, 0.05, -0.05, -0.3, -0.9]) {
    const after = brought(distance, 20).slice(120);
    ok(after.every((each) => Math.abs(each) < 0.03), `${distance}: ${after}`);
  }
});

test("the console says where the film is and how it keeps up", () => {
  const now = { count: 1, hasFilm: true, state: "following", seconds: 65, speed: 1.02, distanceMs: 12, trouble: null };
  equal(filmWords(now), "The film is at 1:05 · speed 1.02 · with the music.");
  equal(filmWords({ ...now, distanceMs: -80 }), "The film is at 1:05 · speed 1.02 · 80 ms ahead of the music.");
  equal(filmWords({ ...now, state: "holding", distanceMs: null }), "The film holds at 1:05.");
  equal(filmWords({ ...now, hasFilm: false, trouble: "It is broken." }), "This piece has no film. It is broken.");
  deepEqual(["ready", "holding", "playing"].map((state) => screenFilmWords({ state, distanceMs: 40 })),
    ["The film is loaded.", "Holds its frame.", "Plays, 40 ms late."]);
  ok(screenFilmWords({ state: "failed", distanceMs: null }).includes("cannot play"));
});
