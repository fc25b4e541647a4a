// Names that the diary knows, offered while one types into a form. Without the server, those that this device knows.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { mine } from "./own.js";

const searchAfter = 200; // ms after the last letter
let count = 0;

/** Offers the names of `kind` ("ensembles" or "halls") below an input. */
export function suggest(input, kind) {
  const list = make("datalist", { id: `names-${(count += 1)}` });
  input.setAttribute("list", list.id);
  input.after(list);
  const own = kind === "halls" ? "venue" : "ensemble";
  let [timer, asked] = [null, 0];
  const look = async () => {
    const words = input.value.trim();
    const turn = (asked += 1);
    const kept = mine().map((concert) => concert[own]).filter((name) =>
      name?.toLowerCase().includes(words.toLowerCase()));
    let found = [];
    try {
      found = (await ask(`/api/diary/search?${new URLSearchParams({ q: words })}`))[kind].map(({ name }) => name);
    } catch {
      // Without an answer, only the names that this device knows are offered.
    }
    if (turn !== asked) return;
    list.replaceChildren(...[...new Set([...found, ...kept])].slice(0, 12).map((value) => make("option", { value })));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim().length > 1) timer = setTimeout(look, searchAfter);
  });
  return input;
}
