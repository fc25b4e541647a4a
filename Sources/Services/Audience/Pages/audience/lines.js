// Short lines that come and go: what the stream does, and that the hall is out of reach.
import { find, make, write } from "/shared/dom.js";

/** Shows a line for a while, below those still standing. `tone` is "good", "bad" or "plain". */
export function line(text, { tone = "plain", seconds = 3 } = {}) {
  const place = find("lines");
  // Its own words, not those on the page: the browser may have translated them.
  for (const other of place.children) if (other.dataset.tone === tone || other.dataset.says === text) other.remove();
  const element = make("p", { class: `line ${tone}`, "data-tone": tone, "data-says": text, text });
  place.append(element);
  setTimeout(() => element.remove(), seconds * 1000);
}

/** Shows a notice that stays, or with null takes it away. */
export function notice(text) {
  const place = find("notice");
  write(place, text ?? "");
  place.hidden = !text;
}
