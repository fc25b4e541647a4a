// The title of a tab that became a tab of its own because it was changed in two places: it says which one is the copy.
import { wallClock } from "/shared/wallclock.js";

const moment = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
  second: "2-digit" });
const most = 200;

/** “Etude (copy of 28 Nov, 19:25:04)”; a copy of a copy has the newer moment only. */
export function copyTitle(title, now = wallClock()) {
  const mark = ` (copy of ${moment.format(now)})`;
  const plain = (title || "Untitled").replace(/ \(copy of [^()]*\)$/, "");
  return plain.slice(0, most - mark.length) + mark;
}
