// Announces where the audience goes when the baton is given back, and where the follower wants to go.
import { find, write } from "/shared/dom.js";
import { keyLabel } from "./keymap.js";
import { leads } from "./leading.js";

const trusted = ["following", "coasting"];

/**
 * One line for the technician, or "" where nothing would change.
 * `keys` has the labels of the keys that give back and go on; `pieces` the programme's.
 * @param {{ position: import("/shared/exchanged").Position, follower: import("/shared/exchanged").Follower,
 *   show: import("/shared/exchanged").Show, pieces?: { name: string }[], keys?: Record<string, string> }} now
 */
export function goingWords({ position, follower, show, pieces = [], keys = {} }) {
  // A server that does not lead gives nothing back.
  if (!position || !follower || !leads(show)) return "";
  const held = show?.held ?? false;
  const byHand = (position.holder?.kind ?? "follower") !== "follower";
  const who = position.audience?.view === "live" ? "the audience" : "the position";
  const name = pieces[follower.piece]?.name;
  const elsewhere = follower.piece !== position.piece && name ? `bar ${follower.measure} of “${name}”` : null;
  const proving = position.proving ?? null;
  if (byHand || held) {
    const key = byHand ? keys.baton ?? "Give back" : keys.hold ?? "Go on";
    if (!trusted.includes(follower.state) || follower.measure === null || follower.silent) {
      return follower.state === "lost" ? `${key}: ${who} stays at ${position.measure}; the follower is lost` : "";
    }
    if (!elsewhere && follower.played === position.played) return "";
    const then = proving ? ", once the follower is sure" : "";
    return `${key}: ${who} goes from ${position.measure} to ${elsewhere ?? follower.measure}${then}`;
  }
  if (!proving) return "";
  const seconds = proving.inMs === null ? null : Math.ceil(proving.inMs / 1000);
  return seconds === null ? `The follower tries bar ${proving.measure} and is not sure; ${who} stays`
    : `The follower is sure of bar ${proving.measure}: ${who} goes there in ${seconds} s`;
}

export function showGoing({ desk, keymap }) {
  const line = find("going");
  const label = (action) => keymap.keys(action).map(keyLabel)[0];
  const paint = () => {
    const words = goingWords({
      position: desk.get("position"), follower: desk.get("follower"), show: desk.get("show"),
      pieces: desk.get("programme")?.pieces, keys: { baton: label("baton"), hold: label("hold") },
    });
    line.hidden = words === "";
    write(line, words);
  };
  for (const section of ["position", "follower", "show", "programme"]) desk.on(section, paint);
}
