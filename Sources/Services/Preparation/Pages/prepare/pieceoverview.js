// One prepared piece with everything that the server has of it, what it lacks, and where each is taken further.
import { make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { complain } from "/shared/saved.js";
import { counted } from "./bars.js";
import { Forecast } from "./forecast.js";
import { model as fetchModel, piece as fetchDraft } from "./server.js";

/** @typedef {import("/shared/exchanged").PieceOverview} PieceOverview */

/** The best of what concerts have for listeners: that of the concert they find, or else the one with most slides. */
const slidesOf = (slides) => slides.find(({ isServed }) => isServed)
  ?? slides.toSorted((a, b) => b.count - a.count)[0] ?? null;

/**
 * What the piece lacks for tonight, and what follows from it, as sentences by the part that lacks.
 * @param {PieceOverview} piece
 * @returns {Record<string, string>}
 */
export function lacksOf({ scores, slides, sections }) {
  const shown = slidesOf(slides);
  const other = slides.find(({ count }) => count > 0);
  const unmarked = scores.reduce((sum, { parts, markedParts }) => sum + parts - markedParts, 0);
  const lacks = {
    score: scores.length === 0 ? "No score: stands show nothing of it."
      : unmarked > 0 ? `The bars of ${counted(unmarked, "part")} are not marked: pages are turned by hand there.` : "",
    sections: sections.length === 0 ? "No sections or letters: places are named by bars." : "",
    slides: !shown?.count ? other ? `Its slides are in “${other.title}”, which listeners do not find.`
      : "No slides: phones show its name, bars and sections." : "",
  };
  return Object.fromEntries(Object.entries(lacks).filter(([, sentence]) => sentence));
}

const link = (href, text) => make("a", { class: "button", href, text });

export class PiecePage {
  element = make("div", { class: "page overview-page" });
  name = "";
  #folder;
  #shown = "";

  constructor(folder) {
    this.#folder = folder;
  }

  /** Loads the piece. Throws the server's refusal. */
  async open() {
    const piece = await fetchModel(this.#folder);
    const draft = piece.model.piece ? await fetchDraft(piece.model.piece).catch(() => null) : null;
    const key = JSON.stringify([piece, draft]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.name = piece.model.name;
    this.element.replaceChildren(...this.#parts(piece, draft));
  }

  update() {
    return this.open().catch(complain);
  }

  shown() {}

  close() {}

  #parts(piece, draft) {
    const { model, scores, sections, titles, cues } = piece;
    const lacks = lacksOf(piece);
    const slides = slidesOf(piece.slides);
    const preparation = draft ? `#/${encodeURIComponent(draft.id)}` : null;
    const facet = (name, heading, facts, ...links) => make("section", { class: "facet", "data-facet": name },
      make("h2", { text: heading }), ...facts.filter(Boolean).map((fact) => (typeof fact === "string"
        ? make("p", { text: fact }) : fact)), make("div", { class: "row" }, ...links.filter(Boolean)));
    return [
      make("h1", { text: model.name }),
      make("p", { class: "lead", text: [counted(model.bars, "bar"), duration(model.seconds),
        model.isOnProgramme ? "on tonight’s programme" : "not on tonight’s programme"].join(" · ") }),
      make("section", { class: "lacks", "aria-label": "What is missing for tonight" },
        ...(Object.keys(lacks).length === 0
          ? [make("p", { class: "complete", text: "Nothing is missing for tonight." })]
          : [make("h2", { text: "Missing for tonight" }), make("ul", {}, ...Object.entries(lacks).map(
            ([name, sentence]) => make("li", { "data-lacks": name, text: sentence })))])),
      make("div", { class: "facets" },
        facet("recordings", "Recordings", [piece.references.join(", "), this.#forecast(draft),
          draft ? "" : "It came ready-made. To work on its bars, prepare it from a recording."],
        preparation && link(preparation, "Bars and recordings")),
        facet("score", "Score and parts", scores.map(({ title, parts, markedParts }) =>
          `${title}: ${counted(parts, "part")}, ${markedParts === parts ? "all" : markedParts} marked`),
        ...(scores.length > 0 ? scores.map(({ id, title }) => link(`/library#/score/${id}`,
          scores.length > 1 ? title : "Open the score")) : [link("/library", "Add a score")])),
        facet("sections", "Sections and letters", [sections.length === 0 ? "None."
          : make("ul", { class: "chips" }, ...sections.map(({ label, bar }) =>
            make("li", { class: "chip" }, make("strong", { text: label }), ` bar ${bar}`)))],
        preparation ? link(preparation, "Mark them in the sound")
          : scores.length > 0 ? link(`/library#/score/${scores[0].id}`, "Write them at the score") : null),
        facet("slides", "Slides", piece.slides.length === 0 ? ["In no concert yet."] : piece.slides.map((each) =>
          `${each.title || "A concert without a title"}: ${counted(each.count, "slide")}`
            + (each.isServed ? ", found by listeners" : "")),
        link(slides ? `/edit#/${slides.concert}/piece/${slides.node}` : "/edit", "Write slides")),
        facet("titles", "Titles", [titles === 0 ? "None: screens show no titles." : counted(titles, "title")],
          link(slides ? `/edit#/${slides.concert}/titles/${slides.node}` : "/titles", "Write titles")),
        facet("cues", "Cues", [cues === 0 ? "None: nothing fires by itself." : counted(cues, "cue")],
          model.isOnProgramme ? link("/console", "Write cues on the console")
            : make("p", { class: "hint", text: "Put it on the programme to write cues on the console." }))),
    ];
  }

  /** How well it will be followed, as was tried when it was prepared. */
  #forecast(draft) {
    if (!draft?.forecast) return null;
    const forecast = new Forecast({ piece: { draft }, choose: () => (location.hash = `#/${draft.id}`) });
    forecast.update();
    return forecast.element;
  }
}
