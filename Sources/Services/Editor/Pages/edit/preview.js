// The concert as listeners would get it, for the phone next to the texts.
import { ask } from "/shared/api.js";

export class Preview {
  #book;
  #concert = null;
  #timer = null;
  #takers = new Set();

  constructor(book) {
    this.#book = book;
    book.onChange((why) => why !== "edit" && this.#soon());
    this.#soon();
  }

  onChange(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  /** A slide as the audience gets it; null if the server has not seen the newest text yet. */
  slide(node) {
    if (!this.#concert || this.#book.hasUnsent
      || this.#concert.revision !== `${this.#book.concert}.${this.#book.revision}`) {
      return null;
    }
    const { tree } = this.#book;
    const track = tree.get(node.parent);
    const piece = tree.get(track?.parent);
    const found = this.#concert.pieces.find(({ name }) => name === piece?.fields.name);
    const tracks = found?.tracks[tree.children(piece.id, "track").indexOf(track)];
    return tracks?.slides[tree.children(track.id, "slide").indexOf(node)] ?? null;
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#load(), 300);
  }

  async #load() {
    try {
      this.#concert = await ask(`/api/edit/concerts/${this.#book.concert}/preview`, { patience: 10_000 });
      for (const take of [...this.#takers]) take();
    } catch {
      // The next change asks again; the phone shows the plain text meanwhile.
    }
  }
}

const picture = /\$([\w.-]*\w\.(?:png|jpe?g|gif|webp|svg))\b(,)?/gi;

/** A slide's text taken apart here, until the server has it: paragraphs, and pictures with captions. */
export function partsOfText(text) {
  return text.split("\n\n").flatMap((paragraph) => {
    const marks = [...paragraph.matchAll(picture)];
    const parts = [];
    const add = (words) => words.trim() && parts.push({ text: words.trim().replace(/\s*\n\s*/g, " ") });
    add(paragraph.slice(0, marks[0]?.index ?? paragraph.length));
    marks.forEach((mark, index) => {
      const rest = paragraph.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? paragraph.length);
      parts.push({ image: `/images/${mark[1]}`, caption: mark[2] ? rest.trim() : "" });
      if (!mark[2]) add(rest.replace(/^\./, ""));
    });
    return parts;
  });
}

/** The address at which the editor finds a picture of a concert that listeners may not have yet. */
export const pictureAddress = (concert, image) =>
  `/api/edit/concerts/${concert}/assets/images/${encodeURIComponent(image.replace(/^\/images\//, ""))}`;
