// The known playing order of a score: the bars of its reference, and from them repeats, tempi and the places where a
// player jumps.
import { ask } from "/shared/api.js";
import { things } from "./store.js";

/** Printed numbers in playing order as passages: `[[1, 16], [1, 32]]`. */
export function passagesOf(numbers) {
  const passages = [];
  for (const number of numbers) {
    const last = passages.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else passages.push([number, number]);
  }
  return passages;
}

/**
 * The jumps in the playing order: `[{ from, to }]`, each once, for every place at which the next printed bar is not
 * played next. A repeat, a second ending, D.C. and D.S. all are such jumps.
 */
export function jumpsOf(passages) {
  const jumps = [];
  for (let index = 1; index < passages.length; index += 1) {
    const [from, to] = [passages[index - 1][1], passages[index][0]];
    if (to !== from + 1 && !jumps.some((jump) => jump.from === from && jump.to === to)) jumps.push({ from, to });
  }
  return jumps;
}

/** The bar of `bars` (`[[printed, onset]]`) that sounds at a time; -1 before the first. */
export function barAt(bars, seconds) {
  let [low, high] = [-1, bars.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (seconds >= bars[middle][1]) low = middle;
    else high = middle;
  }
  return low;
}

/** The played bar with a printed number that is nearest to `near`, an index; -1 where there is none. */
export function playedBar(bars, printed, near = 0) {
  let found = -1;
  bars.forEach(([number], index) => {
    if (number === printed && (found < 0 || Math.abs(index - near) < Math.abs(found - near))) found = index;
  });
  return found;
}

/** Beats a minute in a played bar of the reference that has so many beats; null if nobody knows. */
export function tempoAt({ bars, end }, index, beats) {
  const begins = bars[index]?.[1];
  const ends = bars[index + 1]?.[1] ?? end;
  return begins === undefined || !(ends > begins) ? null : (60 * beats) / (ends - begins);
}

export class References {
  #movements = [];
  #score = null;
  /** Rises with each answer. */
  edition = 0;

  /** Asks for what belongs to a score; `changed()` is called when it is there. What is kept comes at once. */
  async open(score, changed) {
    if (this.#score === score.id) return;
    [this.#score, this.#movements] = [score.id, []];
    const key = `references:${score.id}`;
    const take = (found) => {
      if (this.#score !== score.id || !found?.movements) return;
      this.#movements = found.movements;
      this.edition += 1;
      changed();
    };
    take(await things.get(key));
    try {
      const found = await ask(`/api/scores/${score.id}/references`, { patience: 8_000 });
      await things.put(key, found);
      take(found);
    } catch {
      // Without an answer, the copy kept here is used.
    }
  }

  close() {
    [this.#score, this.#movements] = [null, []];
  }

  /** `{ movement, bars, end, sections, hasSound }` of a movement; null if it has none. */
  of(movement) {
    return this.#movements.find((one) => one.movement === movement) ?? null;
  }

  get all() {
    return this.#movements;
  }

  /** The passages of a movement: from this session, else from the librarian, else from the reference. */
  passages(score, session, movement) {
    const said = session?.performances?.[movement] ?? score.movements?.[movement]?.performance;
    if (said) return said;
    const reference = this.of(movement);
    return reference ? passagesOf(reference.bars.map(([printed]) => printed)) : [];
  }
}
