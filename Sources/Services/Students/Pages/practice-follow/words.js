// The words of the page that follows a student.
import { duration } from "/shared/numbers.js";

const states = {
  waiting: "Play when you like.",
  following: "Following you.",
  coasting: "Going on …",
  lost: "Looking for where you are. Play on, or tap the line.",
  finished: "The end. Play again whenever you like.",
};

export const stateWords = (state) => states[state] ?? "";

/** Says what the loudness means for following; in decibels of full scale. */
export function levelWords({ peak, power }) {
  if (peak > -0.5) return "Too loud";
  if (power > -50) return "Good";
  return power > -65 ? "Soft" : "Hardly a sound";
}

/** Says what the microphone did not give, and whether the follower broke; empty if all is well. */
export function troubleWords({ lost, restarts }, rate) {
  const seconds = lost / rate;
  return [
    seconds < 0.05 ? "" : `The microphone left out ${seconds.toFixed(1)} s, which count as silence.`,
    restarts === 0 ? "" : "The follower broke, was started again, and goes on from where it was sure last.",
  ].filter(Boolean).join(" ");
}

/** The take in one sentence. */
export function summary(position, rate) {
  const jumps = position.jumps === 0 ? "" : position.jumps === 1 ? ", with one jump" : `, with ${position.jumps} jumps`;
  const where = position.bar === undefined ? "No bar was recognised" : `The last bar was ${position.bar}`;
  return `You played for ${duration(position.heard / rate)}${jumps}. ${where}.`;
}
