// Words about bars, and which of them a person should check.

export const doubtful = 0.5; // from this doubt on a bar is to be checked by ear

export const isDoubtful = (bar) => bar.doubt >= doubtful && !bar.checked;

/** `1:05.24` */
export function clock(seconds, digits = 2) {
  if (!Number.isFinite(seconds)) return "–";
  const units = Math.round(Math.max(seconds, 0) * 10 ** digits);
  const [whole, part] = [Math.floor(units / 10 ** digits), units % 10 ** digits];
  const pair = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const main = hours > 0 ? `${hours}:${pair(minutes)}:${pair(whole % 60)}` : `${minutes}:${pair(whole % 60)}`;
  return digits > 0 ? `${main}.${String(part).padStart(digits, "0")}` : main;
}

export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** For each bar how often its number has come until there: 2 in a repeat. */
export function passes(bars) {
  const seen = new Map();
  return bars.map(({ printed }) => {
    seen.set(printed, (seen.get(printed) ?? 0) + 1);
    return seen.get(printed);
  });
}

/** `bar 12`, `bar 12 (2nd time)` */
export function barName(bar, pass = 1) {
  if (pass < 2) return `bar ${bar.printed}`;
  return `bar ${bar.printed} (${pass}${pass === 2 ? "nd" : pass === 3 ? "rd" : "th"} time)`;
}

/** The number a bar gets that is put in before the index `place`: one more than the bar before it. */
export const numberAt = (bars, place) =>
  (place > 0 ? bars[place - 1].printed + 1 : Math.max((bars[0]?.printed ?? 2) - 1, 0));
