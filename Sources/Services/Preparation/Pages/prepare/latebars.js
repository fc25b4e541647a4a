// Bars that lie after the end of the recording or of the piece: such a piece cannot be prepared.
import { clock, counted } from "./bars.js";

/** The index of the first bar after the end, and a sentence about all of them; null if there is none. */
export function lateBars({ bars, end, main, recordings }) {
  const seconds = recordings.find(({ id }) => id === main)?.seconds ?? 0;
  if (!(seconds > 0)) return null;
  const last = Math.min(end ?? seconds, seconds);
  const index = bars.findIndex((bar) => bar.seconds >= last);
  if (index < 0) return null;
  const count = bars.filter((bar) => bar.seconds >= last).length;
  const whole = last < seconds ? "piece" : "recording";
  return { index, sentence: `Bar ${bars[index].printed} begins at ${clock(bars[index].seconds)}, and the ${whole} ends `
    + `at ${clock(last)}${count > 1 ? `; ${counted(count, "bar")} lie after it` : ""}. Move or delete `
    + `${count > 1 ? "them" : "it"}${whole === "piece" ? ", or correct the end" : ""}.` };
}
