// The words, sign, colour and pattern of each mode; one table for the badge and the graphs. What the badge says.

const modes = {
  following: { word: "Following", spoken: "The follower follows.", colour: "#4cc79a", sign: "following" },
  coasting: { word: "Coasting", spoken: "Coasting: the place is carried on by tempo.", colour: "#f0b941",
    sign: "coasting" },
  lost: { word: "Lost", spoken: "The follower is lost. The last place stays.", colour: "#ff7a66", sign: "lost" },
  undecided: { word: "One of several",
    spoken: "The passage is known, but not which of its copies. The last place stays.", colour: "#ff9d52",
    sign: "lost" },
  waiting: { word: "Waiting", spoken: "Waiting for the music.", colour: "#9aa7b4", sign: "waiting" },
  finished: { word: "Finished", spoken: "The piece is finished.", colour: "#9aa7b4", sign: "finished" },
  held: { word: "Held", spoken: "The place is held.", colour: "#c3a6ff", sign: "held" },
  resting: { word: "Waiting for sound", spoken: "No music is heard. The place stays and goes on with the sound.",
    colour: "#9aa7b4", sign: "waiting" },
  "not-yet": { word: "Not yet", spoken: "Not armed yet: nothing is shown or fired.", colour: "#9aa7b4", sign: "pause" },
  armed: { word: "Armed", spoken: "Armed: the follower waits for the first bar.", colour: "#9aa7b4", sign: "waiting" },
  manual: { word: "By hand", spoken: "The place is set by hand.", colour: "#74b6ff", sign: "manual" },
};

export const modeOf = (name) => modes[name] ?? { word: name ?? "–", spoken: "", colour: "#9aa7b4", sign: "waiting" };

/** True while no sound comes from the input: its fault is open. */
const lacksInput = (faults) => (faults ?? []).some(({ id, over }) => id === "input" && !over);

/** True if something is heard after the last piece, which is live again only if it is a piece of the programme. */
const isAfterAll = ({ position, follower }) => position.mode === "waiting" && position.audience?.why === "over"
  && follower?.silent === false;

/** The stage of the evening where it says more than the mode: “waiting”, or “finished” before the next piece. */
function stageOf({ position: { mode }, show }) {
  const evening = show?.rehearsal ? null : show?.evening;
  return evening === "not-yet" && ["waiting", "finished"].includes(mode) || evening === "armed" && mode === "waiting"
    ? evening : mode;
}

/** “Bar 12 or bar 44”; copies that have the same number in the score are told apart by section, or by their order. */
function barsOf(candidates) {
  const numbers = candidates.map(({ measure }) => measure);
  const areApart = new Set(numbers).size === numbers.length;
  const names = candidates.map(({ measure, section }, index) =>
    areApart ? `bar ${measure}` : `bar ${measure} (${section || `place ${index + 1}`})`);
  const words = names.join(" or ");
  return words[0].toUpperCase() + words.slice(1);
}

/**
 * What the big state says: a mode's word and sign, and a `note` where a person has to act; `warns` where it is urgent.
 * `keys` has the labels of the keys that it names.
 * @param {{ position: import("/shared/exchanged").Position, follower: import("/shared/exchanged").Follower,
 *   show: import("/shared/exchanged").Show, faults?: any[], help?: any, keys?: Record<string, string> }} now
 */
export function stateOf({ position, follower, faults, show, help, keys = {} }) {
  const mode = modeOf(stageOf({ position, show }));
  if (position.mode === "undecided" && help?.candidates?.length > 1) {
    const word = barsOf(help.candidates);
    const note = "The sound cannot tell them apart. Choose one, or wait until they differ.";
    return { ...mode, word, note, spoken: `${word}. ${note}`, warns: false };
  }
  if (["resting", "waiting"].includes(position.mode) && lacksInput(faults)) {
    const note = `No sound arrives and the place stands. Take over: Tap (${keys.tap}) or Bar is now (${keys.now}).`;
    return { word: "No sound", sign: "warn", note, spoken: note, warns: true };
  }
  if (isAfterAll({ position, follower })) {
    const note = "Something is heard. A piece of the programme goes live by itself. "
      + `To begin it now, open Programme (${keys.programme}).`;
    return { ...mode, note, spoken: note, warns: false };
  }
  return { ...mode, note: "", warns: false };
}
