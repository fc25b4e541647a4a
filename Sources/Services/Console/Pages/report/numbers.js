// Numbers of an evening from its report.

/** A clock of the evening: show time in ms → “20:14:05”, or minutes since the start where that is unknown. */
export function clockOf(report) {
  const began = new Date(report.started ?? NaN).getTime();
  return (at) => {
    if (typeof at !== "number") return "";
    if (!Number.isNaN(began)) return new Date(began + at).toLocaleTimeString("en-GB");
    const seconds = Math.round(at / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
}

export const minutes = (ms) => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
};

/** Milliseconds a piece spent in each state; the last state lasts until the last measure or confidence point. */
function timeInStates(piece) {
  const spans = {};
  for (const [from, until, state] of stateSpans(piece)) spans[state] = (spans[state] ?? 0) + until - from;
  return spans;
}

/** [from, until, state] in ms, in order; none goes beyond the end of the piece. */
export function stateSpans(piece) {
  const states = piece.states ?? [];
  const end = endOf(piece);
  return states.map(([from, state], index) =>
    [from, Math.max(from, Math.min(end, states[index + 1]?.[0] ?? end)), state])
    .filter(([, , state]) => state !== left);
}

// A pause between two bars of a piece after which it has sounded twice: in a rehearsal, or in a second round.
const longestPauseMs = 30_000;

/** [from, until] in ms of each time at which the piece sounded: by its bars, and, in a rehearsal, by the follower. */
export function soundingStretches(piece) {
  const bars = (piece.measures ?? []).map(({ at, liveSeconds, referenceSeconds }) =>
    [at, at + (liveSeconds ?? referenceSeconds ?? 0) * 1_000]);
  const followed = piece.states?.length
    ? stateSpans(piece).filter(([, , state]) => ["following", "coasting"].includes(state)) : [];
  const stretches = [];
  for (const [from, until] of [...bars, ...followed].sort(([one], [other]) => one - other)) {
    const last = stretches.at(-1);
    if (last && from - last[1] <= longestPauseMs) last[1] = Math.max(last[1], until);
    else stretches.push([from, until]);
  }
  return stretches;
}

/** The states in which no music is followed. */
const unfollowed = ["waiting", "resting", "finished"];
// The follower reports at least every 5 s; after a longer gap than this its confidence is not known.
const longestGapMs = 10_000;

/** [from, until] in ms of each stretch in which the piece was followed, through changes of the state. */
function followedStretches(piece) {
  if (!piece.states?.length) return [[-Infinity, Infinity]];
  const stretches = [];
  for (const [from, until, state] of stateSpans(piece)) {
    if (unfollowed.includes(state)) continue;
    if (stretches.at(-1)?.[1] === from) stretches.at(-1)[1] = until;
    else stretches.push([from, until]);
  }
  return stretches;
}

/**
 * The confidence as runs of [ms, value]. A run ends when another piece is the present one, when no music is followed,
 * and when the follower does not report.
 */
export function confidenceRuns(piece) {
  const runs = [];
  const end = endOf(piece);
  for (const [from, until] of followedStretches(piece)) {
    let before = -Infinity;
    for (const [at, value] of piece.confidence ?? []) {
      if (at < from || at > until || at === until && until < end) continue;
      if (at - before > longestGapMs) runs.push([]);
      runs.at(-1).push([at, value]);
      before = at;
    }
  }
  return runs;
}

/** The state of a piece while another one is played. */
const left = "left";
const ownStates = (piece) => (piece.states ?? []).filter(([, state]) => state !== left);

export function endOf(piece) {
  const last = piece.measures?.at(-1);
  return Math.max(last ? last.at + (last.liveSeconds ?? 0) * 1000 : 0, piece.confidence?.at(-1)?.[0] ?? 0,
    ownStates(piece).at(-1)?.[0] ?? 0);
}

export const startOf = (piece) =>
  Math.min(piece.measures?.[0]?.at ?? Infinity, piece.confidence?.[0]?.[0] ?? Infinity,
    ownStates(piece)[0]?.[0] ?? Infinity);

/** Something of it was played; a piece that was only on the programme has nothing to show. */
export const isPlayed = (piece) => Boolean(piece.measures?.length);

/** The figures at the head of the page. */
export function totalsOf(report) {
  const programme = report.pieces ?? [];
  const pieces = programme.filter(isPlayed);
  const count = pieces.length === programme.length ? pieces.length : `${pieces.length} of ${programme.length}`;
  const sum = (state) => pieces.reduce((total, piece) => total + (timeInStates(piece)[state] ?? 0), 0);
  // Waiting for the first note, a hold and the time after the end are no music.
  const music = ["following", "coasting", "lost", "undecided", "manual"]
    .reduce((total, state) => total + sum(state), 0);
  const trusted = music > 0 ? `${(100 * Math.min(1, sum("following") / music)).toFixed(1)} %` : "–";
  return [
    ["Pieces", count], ["Music", minutes(music)], ["Following", trusted], ["Coasting", minutes(sum("coasting"))],
    ["Lost", minutes(sum("lost") + sum("undecided"))], ["Interventions", report.interventions?.length ?? 0],
    ["Faults", report.faults?.length ?? 0],
  ];
}

// A server that takes over leaps ahead by a million, so that phones take none of its packets for a late one. No
// evening has as many packets between two notes of the log.
const leap = 500_000;

/** Counts since the beginning as counts a second; a sender that began anew, or took over, gives no rate. */
export function rates(counts) {
  return counts.slice(1).flatMap(([at, count], index) => {
    const [before, less] = counts[index];
    if (count - less >= leap) return [];
    return [[at, Math.max(0, (count - less) * 1000 / Math.max(at - before, 1))]];
  });
}

/** “medianMs” → “median ms”. */
export const spell = (name) => name.replace(/([a-z0-9])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

/**
 * The labels under a chart's measures, in the order they were played: [index, text, isReturn]. About `most` measures
 * have a number, at equal distances. A measure at which the music went back, or played the same measure again, has its
 * number behind an arrow, so that the numbers in between rise. Of returns close together the first has its number.
 */
export function measureMarks(measures, most) {
  const every = Math.max(1, Math.ceil(measures.length / most));
  const returns = measures.flatMap((measure, index) => (index > 0 && measure <= measures[index - 1] ? [index] : []));
  const marks = [];
  for (const index of returns) {
    marks.push([index, index - (marks.findLast(([, text]) => text)?.[0] ?? -every) < every
      ? "" : `↩ ${measures[index]}`, true]);
  }
  const told = marks.filter(([, text]) => text).map(([index]) => index);
  const isFree = (index) => !returns.includes(index) && told.every((other) => Math.abs(other - index) >= every);
  for (let index = 0; index < measures.length; index += every) {
    if (isFree(index)) marks.push([index, String(measures[index]), false]);
  }
  return marks.sort(([one], [other]) => one - other);
}
