// What the partner decides, who plays along with a student, and how it stretches sound.
import { test } from "node:test";

import { equal, isTrue, near } from "./lib/equal.js";
import { BarTimes } from "/practice-follow/partner/bartimes.js";
import { HeldSound } from "/practice-follow/partner/held.js";
import { Partner } from "/practice-follow/partner/partner.js";
import { Parts, Stretcher } from "/practice-follow/partner/stretch.js";

// A piece of 20 bars of two seconds.
const bars = new BarTimes(Array.from({ length: 20 }, (_, index) => 2 * index), 40);
const make = (mode, holds) => new Partner({ bars, mode, holds });
const silence = { place: 0, rate: 1, isPlaying: false, stopAt: null };

/**
 * Plays for some seconds; answers are told as a server would, a quarter of a second late. `student(at)` is his place,
 * or null while he is silent; `student.since(at)` when the note began that sounds. Gives the sound at the end, how
 * often it has jumped, and the partner's states.
 */
function play(partner, begin, end, student, before = silence) {
  const sound = { ...before };
  const states = [];
  let late = [];
  const obey = (orders) => {
    for (const { expect, ...order } of orders) {
      Object.assign(sound, order);
      if (expect !== undefined) sound.expect = expect;
      if (order.place !== undefined) sound.jumps = (sound.jumps ?? 0) + 1;
    }
  };
  for (let step = Math.round(begin / 0.04); step < Math.round(end / 0.04); step += 1) {
    const at = step * 0.04;
    const place = student(at);
    if (step % 3 === 0 && student.since) partner.lasts(place === null ? null : student.since(at));
    if (place !== null && step % 3 === 0) {
      obey(partner.sounds(at));
      late.push({ at, place, state: student.state?.(at) ?? "following", confidence: 0.9 });
    }
    for (const answer of late.filter((each) => each.at <= at - 0.25)) obey(partner.heard(answer));
    late = late.filter((each) => each.at > at - 0.25);
    obey(partner.tick({ at, place: sound.place }));
    if (sound.isPlaying && !(sound.stopAt !== null && sound.place >= sound.stopAt)) sound.place += 0.04 * sound.rate;
    if (states.at(-1) !== partner.state) states.push(partner.state);
  }
  return { ...sound, states };
}

test("it begins with the students first sound and takes up his tempo", () => {
  const student = (at) => (at < 1 ? null : 0.8 * (at - 1));
  student.state = (at) => (at < 2 ? "waiting" : "following");
  const partner = make("waits");
  const first = play(partner, 0, 1.2, student);
  const then = play(partner, 1.2, 10, student, first);
  equal(first.states, ["ready", "entering"]);
  equal(then.states, ["entering", "together"]);
  near(then.rate, 0.8, 0.03);
  near(then.place, 7.2, 0.05);
});

test("a sound that is no music leaves it waiting", () => {
  const cough = (at) => (at > 1 && at < 1.2 ? 0 : null);
  cough.state = () => "waiting";
  const { states, isPlaying } = play(make("waits"), 0, 4, cough);
  equal([states, isPlaying], [["ready", "entering", "waiting"], false]);
});

test("it waits at the bar line where the student stops and goes on with him", () => {
  const partner = make("waits");
  const stopping = play(partner, 0, 9, (at) => (at < 5 ? at : null));
  const going = play(partner, 9, 12, (at) => (at < 10 ? null : 6 + at - 10), stopping);
  // He stopped in the middle of the third bar; the partner played to its end.
  equal(stopping.states.slice(-2), ["ending", "waiting"]);
  near(stopping.place, 6, 0.05);
  equal(going.expect, 3);
  equal(going.states, ["waiting", "entering", "together"]);
  near(going.place, 8, 0.12);
});

test("it stops at the bar line at which he stopped", () => {
  const partner = make("waits");
  const sound = play(partner, 0, 9, (at) => (at < 6.3 ? at : null));
  equal(sound.states.at(-1), "waiting");
  equal(play(partner, 9, 9.2, (at) => 6 + at - 9, sound).expect, 3);
});

// He holds what begins at place 12 from second 12 to 19; the follower believes for a second that he goes on.
const holding = (at) => (at < 13 ? at : at < 20 ? 13 : at - 7);
holding.since = (at) => (at >= 12 && at < 19 ? 12 : Math.floor(at / 0.5) * 0.5);

test("at a fermata it waits until he goes on", () => {
  const partner = make("waits", [[12, 14], [38, 40]]);
  const held = play(partner, 0, 19, holding);
  const going = play(partner, 19, 19.6, holding, { ...held, jumps: 0 });
  equal(held.states.at(-1), "holding");
  near(held.place, 14, 0.05);
  equal(going.states, ["holding", "entering"]);
  isTrue(going.isPlaying, "it plays");
  near(going.place, 14.6, 0.15);
});

test("if he does not hold a fermata it loses less than a second", () => {
  const student = (at) => at;
  student.since = (at) => Math.floor(at / 0.5) * 0.5;
  const partner = make("waits", [[12, 14]]);
  const before = play(partner, 0, 12.5, student);
  const after = play(partner, 12.5, 18, student, before);
  equal([before.states.at(-1), after.states.at(-1)], ["holding", "together"]);
  near(after.place, 18, 0.1);
});

test("without a score it is silent while he stands still", () => {
  const partner = make("waits");
  const before = play(partner, 0, 12.5, holding);
  const held = play(partner, 12.5, 19, holding, before);
  const after = play(partner, 19, 24, holding, held);
  equal([held.states.at(-1), held.isPlaying], ["holding", false]);
  equal(held.jumps, before.jumps, "it does not stutter");
  equal(after.states, ["holding", "together"]);
  near(after.place, 17, 0.12);
});

test("a held sound stays itself until another begins", () => {
  const rate = 3_000;
  const held = new HeldSound(rate);
  /** A note from an instant on: vibrato of a fifth of a semitone, and it fades by 6 dB in a second. */
  const note = (hertz, begin) => (at) => {
    const age = at - begin;
    const bent = age + 0.0003 * Math.sin(2 * Math.PI * 6 * age);
    return age < 0 ? 0 : 0.2 * Math.exp(-0.7 * age) * [1, 2, 3].reduce((sum, partial) =>
      sum + Math.sin(2 * Math.PI * hertz * partial * bent) / partial, 0);
  };
  // Two notes a whole tone apart, the second one struck twice, then silence.
  const notes = [[440, 0, 3], [494, 3, 4.5], [494, 4.5, 6]].map(([hertz, begin, end]) =>
    [note(hertz, begin), begin, end]);
  const since = [];
  for (let block = 0; block < 65; block += 1) {
    const samples = Array.from({ length: 300 }, (_, index) => {
      const at = block / 10 + index / rate;
      const sounding = notes.find(([, begin, end]) => at >= begin && at < end);
      return sounding ? sounding[0](at) : 0;
    });
    const power = 10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 1e-9) / 300);
    since.push(held.take(block / 10, samples, power, power > -60));
  }
  const within = (from, until, least, most) =>
    isTrue(since.slice(from, until).every((each) => each !== null && each >= least && each <= most),
      `${since.slice(from, until)} is from ${least} to ${most}`);
  within(5, 30, 0, 0.35);
  within(34, 45, 2.8, 3.4);
  within(47, 60, 4.4, 4.8);
  equal(since[62], null);
});

test("it goes on without him if that is wanted", () => {
  const { states, isPlaying, place } = play(make("goes-on"), 0, 10, (at) => (at < 5 ? 1.1 * at : null));
  equal([states.at(-1), isPlaying], ["alone", true]);
  near(place, 11, 0.5);
});

test("at its own speed it hears nobody", () => {
  const partner = make("steady");
  const { states, rate, place } = play(partner, 0, 6, (at) => 0.5 * at, { ...silence, ...partner.begin(4)[0] });
  equal([states, rate], [["alone"], 1]);
  near(place, 10, 0.01);
});

test("it jumps with him once", () => {
  const partner = make("waits");
  const before = play(partner, 0, 6, (at) => at);
  const after = play(partner, 6, 10, (at) => 20 + at, before);
  equal([before.jumps, after.jumps, after.states], [1, 2, ["together"]]);
  near(after.place, 30, 0.06);
});

test("its speed stays within its bounds", () => {
  near(play(make("waits"), 0, 6, (at) => 1.9 * at).rate, 1.5, 0.005);
  const slow = play(make("waits"), 0, 12, (at) => 0.21 * at);
  isTrue(slow.rate >= 0.25, slow.rate);
});

test("what the microphone hears of the partner is not the student", () => {
  const partner = make("waits");
  const before = play(partner, 0, 4, (at) => 0.8 * at);
  for (const order of partner.misled(true)) Object.assign(before, order);
  const { states, jumps, rate } = play(partner, 4, 8, () => 30, before);
  equal([states, jumps, rate], [["alone"], 1, 1]);
});

test("another speed keeps the pitch and leaves no gap", () => {
  const rate = 24_000;
  const tones = [220, 440, 660, 880];
  const parts = new Parts(10 * rate, 60 * rate);
  for (let part = 0; part < 2; part += 1) {
    parts.put(part, Float32Array.from({ length: 10 * rate }, (_, index) => tones.reduce((sum, hertz, which) =>
      sum + 0.2 * Math.sin(2 * Math.PI * hertz * (index / rate + 10 * part) + which), 0)));
  }
  const stretcher = new Stretcher(parts, rate);
  stretcher.isPlaying = true;
  stretcher.goTo(2 * rate);
  const output = new Float32Array(6 * rate);
  for (let at = 0; at < output.length; at += 128) {
    stretcher.rate = [1, 0.25, 1.5, 0.8, 0.5, 1.2][Math.floor(at / rate)];
    stretcher.take(output.subarray(at, Math.min(output.length, at + 128)));
  }
  const window = Math.round(0.04 * rate);
  const powers = [];
  for (let at = 0.2 * rate; at + window < output.length; at += window / 2) {
    let sum = 0;
    for (let index = 0; index < window; index += 1) sum += output[Math.round(at) + index] ** 2;
    powers.push(sum / window);
  }
  powers.sort((a, b) => a - b);
  const likeness = (hertz, from) => {
    let [re, im] = [0, 0];
    for (let index = 0; index < 0.8 * rate; index += 1) {
      const angle = 2 * Math.PI * hertz * index / rate;
      re += output[from + index] * Math.cos(angle);
      im += output[from + index] * Math.sin(angle);
    }
    return Math.hypot(re, im) / (0.4 * rate);
  };
  const softest = 10 * Math.log10(powers[0] / powers[powers.length >> 1]);
  isTrue(softest > -1.5, `${softest} decibels of 40 ms beside all`);
  for (let second = 0; second < 6; second += 1) {
    for (const hertz of tones) {
      const kept = likeness(hertz, Math.round((second + 0.15) * rate));
      isTrue(kept > 0.17, `each tone of 0.2 stands where it was: ${hertz} Hz ${kept}`);
    }
  }
  near(stretcher.place / rate, 2 + 1 + 0.25 + 1.5 + 0.8 + 0.5 + 1.2, 0.05);
});
