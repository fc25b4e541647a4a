// A score that is in the library already: it is chosen there, and goes the way of a file.
import { Dialog } from "/shared/dialog.js";
import { icon, make } from "/shared/dom.js";
import { complain } from "/shared/saved.js";
import { libraryMusic, libraryScores } from "./server.js";

const withMusic = async () => (await libraryScores().catch(() => [])).filter(({ parts }) =>
  parts.some(({ source }) => source === "engraved"));

/** True if the library has a score whose bars Baton can read; PDFs are pages alone. */
export const hasLibraryScores = async () => (await withMusic()).length > 0;

const nameOf = ({ composer, title }) => [composer, title].filter(Boolean).join(", ");

/** Asks for a score of the library; `take(file)` is called with its music. */
export async function askLibraryScore(take) {
  const scores = (await withMusic()).sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const shown = new Dialog({ sign: icon("close"), closed: () => shown.element.remove() });
  const choose = async (score) => {
    shown.close();
    try {
      const music = await libraryMusic(score.id);
      const isZip = new TextDecoder().decode(await music.slice(0, 2).arrayBuffer()) === "PK";
      const name = nameOf(score).replace(/[/\\\p{Cc}]+/gu, " ").slice(0, 90);
      take(new File([music], `${name}.${isZip ? "mxl" : "musicxml"}`));
    } catch (refusal) {
      complain(refusal);
    }
  };
  shown.show("From the library", make("ul", { class: "pieces" }, ...scores.map((score) =>
    make("li", {}, make("button", { type: "button", class: "library-score", "data-score": score.id,
      onclick: () => choose(score) }, nameOf(score))))));
}
