// One large line above the deck: where the music is while the listener reads elsewhere, and what comes next.
import { find, mark, write } from "/shared/dom.js";
import { folderOf, labelOf } from "./concert.js";
import { say } from "./words.js";

export class Where {
  #hall;
  #button = find("where");

  /** `follow` takes the listener to the music. */
  constructor(hall, follow) {
    this.#hall = hall;
    this.#button.addEventListener("click", () => {
      if (this.#button.dataset.leads === "live") follow();
      else if (this.#button.dataset.leads === "home") location.hash = "#/programme";
      else location.hash = `#/piece/${this.#button.dataset.folder}`;
    });
  }

  /** `screen` is what the page shows: the programme has its own large sign of what plays. */
  show(screen) {
    const { elsewhere, next, view, isOver } = this.#hall;
    const isShown = ["slides", "words", "notes"].includes(screen)
      && Boolean(elsewhere || (next || isOver) && view.name === "live");
    this.#button.hidden = !isShown;
    if (!isShown) return;
    if (isOver) return this.#showEnd();
    mark(this.#button, "data-leads", elsewhere ? "live" : "next");
    mark(this.#button, "data-folder", elsewhere ? null : folderOf(next.name));
    write(find("where-head"), elsewhere ? this.#head(elsewhere) : say("comesNext", { name: shortName(next) }));
    write(find("where-about"), elsewhere ? aboutMusic(elsewhere, this.#hall.language) : next.composer);
  }

  /** The last slide stays; the line above it leads to everything else that can be read. */
  #showEnd() {
    mark(this.#button, "data-leads", "home");
    mark(this.#button, "data-folder", null);
    write(find("where-head"), say("over"));
    write(find("where-about"), say("programme"));
  }

  #head({ piece, name }) {
    if (this.#hall.piece !== piece) return say("playsElsewhere", { name: piece ? shortName(piece) : name });
    return say(this.#hall.view.name === "piece" ? "begins" : "follow");
  }
}

/** A piece as one calls it: a movement by its own name. */
const shortName = (piece) => piece.movement || piece.work || piece.name;

function aboutMusic({ piece, slide, all, section }, language) {
  if (!piece) return say("noTextShort");
  const place = slide < 0 ? say("musicBegins") : say("musicAt", { n: slide + 1, all });
  return section ? `${place} · ${labelOf(section, language)}` : place;
}
