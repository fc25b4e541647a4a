// Questions to MusicBrainz, setlist.fm and YouTube, each by a press. Without configured sources nothing of it is shown.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";

const patience = 25_000; // a source may be asked once a second only, and others may wait too

let known = null;

/** The names of the sources for each kind of question; none for strangers, and without the server. */
export async function offered() {
  try {
    known ??= await ask("/api/diary/sources");
  } catch {
    return { ensembles: [], works: [], setlists: [], videos: [] };
  }
  return known;
}

export const question = (path, json) => ask(`/api/diary/sources/${path}`, { method: "POST", json, patience });

const linkTo = (source, link) => make("a", { class: "button", href: link, target: "_blank", rel: "noopener noreferrer",
  text: `On ${source}` });

function foundRow(source, found, actions) {
  return make("li", { class: "outside" },
    make("span", { class: "title", text: found.name ?? found.title ?? found.ensemble }),
    make("span", { class: "faint", text: found.facts ?? "" }),
    make("div", { class: "row" }, ...actions(found), linkTo(source, found.link)));
}

/**
 * A section that asks a source by a button and lists what it found. `wanted()` gives the question, or null if a
 * field is missing; `actions(found)` gives the buttons of one result.
 */
export function sourceSection({ source, kind, word, fields = [], wanted, actions }) {
  const list = make("ul", {});
  const state = make("p", { class: "faint", role: "status" });
  const button = make("button", { type: "submit", text: word });
  const form = make("form", { class: "fields" }, ...fields, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const json = wanted();
    if (!json) return;
    button.disabled = true;
    state.textContent = `Asking ${source} …`;
    list.replaceChildren();
    try {
      const answer = await question(kind, json);
      state.textContent = answer.found.length === 0 ? `${source} knows none.` : "";
      list.replaceChildren(...answer.found.map((found) => foundRow(answer.source, found, actions)));
    } catch (refusal) {
      state.textContent = refusal.message;
    }
    button.disabled = false;
  });
  return make("section", { class: "source-question", "aria-label": source }, make("h2", { text: source }), form, state,
    list);
}

/** Joins an ensemble or a work to its record at a source, by a choice among what the source found. */
export async function identifying(view, kind, id, wanted, done) {
  const [source] = (await offered())[kind];
  if (!source) return null;
  return sourceSection({ source, kind, word: `Find in ${source}`, wanted, actions: (found) => [
    make("button", { type: "button", class: "primary", text: "This one", onclick: async () => {
      try {
        await question(`${kind}/${encodeURIComponent(id)}`, { mbid: found.mbid });
        done();
      } catch (refusal) {
        view.say(refusal.message);
      }
    } })] });
}

export const mbidLine = (kind, mbid) => (mbid ? make("p", { class: "facts" },
  make("a", { href: `https://musicbrainz.org/${kind}/${encodeURIComponent(mbid)}`, target: "_blank",
    rel: "noopener noreferrer", text: "MusicBrainz" })) : null);
