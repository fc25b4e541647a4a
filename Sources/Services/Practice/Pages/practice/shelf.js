// The library: all tabs of this browser, with their state, to open, copy and delete; prepared pieces and scores.
import { find, make, write } from "/shared/dom.js";
import { isListable } from "./fault.js";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

const link = (href, text) => make("li", {}, make("a", { class: "button", href, text }));

/** The title of a tab; that of the server's list if the tab itself is damaged. */
const titleOf = ({ tab, title }) => (isListable(tab) ? tab.title : tab?.title || title) || "Untitled";

const contentOf = ({ bars, tracks }) => [`${(bars ?? []).length} bars`,
  (tracks ?? []).map(({ name }) => name || "Track").slice(0, 3).join(", ")];

const damaged = (owner) => `damaged: it cannot be opened; ${owner ? `${owner} can delete it` : "delete it"}`;

export class Shelf {
  #acts;
  #kept = [];
  #isWhole = false;
  #pieces = [];
  #scores = [];

  /** `acts` has open, create, copy, remove (each with a kept tab) and bring (with a file). */
  constructor(acts) {
    this.#acts = acts;
    // The second click of a double click makes no second tab.
    find("new-tab").onclick = ({ detail }) => detail < 2 && acts.create();
    find("import").onclick = () => find("import-file").click();
    find("import-file").onchange = ({ target }) => {
      if (target.files[0]) acts.bring(target.files[0]);
      target.value = "";
    };
    find("seek").oninput = () => this.#draw();
    const main = find("shelf");
    main.addEventListener("dragover", (event) => event.preventDefault());
    main.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) acts.bring(event.dataTransfer.files[0]);
    });
  }

  /** Shows tabs; `isWhole` is false if it is not known yet whose tabs may be shown, so that more may come. */
  show(kept, isWhole) {
    this.#isWhole = isWhole;
    this.#kept = kept.filter(({ isRemoved }) => !isRemoved);
    this.#draw();
  }

  /** Shows the state of the synchronization with the server: the states of Sync. */
  showSync({ state, person, why }) {
    const words = { away: why, working: find("sync").textContent,
      anonymous: "On this device only.", done: person === "local" ? "Saved on the server." : `${person}: in sync.` };
    write(find("sync"), words[state]);
    find("sync").dataset.state = state;
    find("sign-in").hidden = state !== "anonymous";
  }

  /** The prepared pieces that can be practised with the microphone: [{ folder, name, bars }]. */
  showPieces(pieces) {
    this.#pieces = pieces;
    this.#draw();
  }

  /** The scores of the library that this person may open: [{ title, composer, parts }]. */
  showScores(scores) {
    this.#scores = scores;
    this.#draw();
  }

  #draw() {
    const wanted = find("seek").value.trim().toLocaleLowerCase();
    const fits = (...texts) => texts.join(" ").toLocaleLowerCase().includes(wanted);
    const shown = this.#kept.filter((each) => fits(titleOf(each)));
    find("no-tabs").hidden = this.#kept.length > 0 || !this.#isWhole;
    find("tabs").replaceChildren(...shown.map((each) => this.#row(each)));
    const pieces = this.#pieces.filter(({ name }) => fits(name));
    find("along").hidden = pieces.length === 0;
    find("pieces").replaceChildren(...pieces.map(({ folder, name, bars }) => link(
      `/practice/follow?piece=${encodeURIComponent(folder)}`, `${name} · ${bars} bars`)));
    const scores = this.#scores.filter(({ title, composer, parts }) => fits(title, composer, ...parts.map(
      ({ name }) => name)));
    find("scores-part").hidden = scores.length === 0;
    find("scores").replaceChildren(...scores.map(({ title, composer, parts }) => link("/stand",
      [title, composer, `${parts.length} ${parts.length === 1 ? "part" : "parts"}`].filter(Boolean).join(" · "))));
  }

  #row(kept) {
    const { tab, owner, isDirty, isShared, changed } = kept;
    const title = titleOf(kept);
    const isWhole = isListable(tab);
    const facts = [
      owner ? `${isShared ? "" : "for you, "}by ${owner}` : null,
      ...(isWhole ? contentOf(tab) : [damaged(owner)]), day.format(changed),
      isShared && !owner ? "shared" : null, isDirty ? "not on the server yet" : null,
    ];
    const button = (text, label, act, kind = "plain") => make("button", { type: "button", class: kind, text,
      "aria-label": `${label} ${title}`, onclick: act });
    return make("li", { "data-id": kept.id },
      make("button", { type: "button", class: "open plain", onclick: () => this.#acts.open(kept) },
        make("strong", { text: title }), make("span", { text: facts.filter(Boolean).join(" · ") })),
      isWhole ? button("Copy", "Copy", () => this.#acts.copy(kept)) : null,
      owner && isShared ? null : button(owner ? "Remove" : "Delete", owner ? "Remove" : "Delete",
        () => this.#acts.remove(kept), "plain danger-text"));
  }
}
