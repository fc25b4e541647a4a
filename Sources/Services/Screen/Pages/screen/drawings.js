// Shows a speaker's drawings on the slide, and the laser pointer.
import { DrawingsStream, Ink } from "/shared/ink.js";
import { knownQuery } from "./known.js";

export class DrawingLayer {
  #ink = new Ink();
  #stream = null; // begun with the first slide
  #slide = null; // the slide whose picture is shown
  #base = ""; // the address of the server that has the drawings; empty for this page's own

  /** Drawings come from the server at this address from now on; those that are there stay until it has sent them. */
  readFrom(base) {
    this.#base = base;
    this.#stream?.join();
  }

  /** The picture of another slide is shown; null for none. */
  put(picture, slide) {
    this.#slide = slide;
    if (!picture) return void this.#ink.element.remove();
    this.#ink.fit(picture.naturalWidth, picture.naturalHeight);
    picture.after(this.#ink.element);
    this.#ink.point(null);
    if (this.#stream) return void this.#show(this.#stream.known);
    this.#ink.show([]);
    this.#stream = new DrawingsStream({
      shown: (drawings) => this.#show(drawings),
      added: (stroke) => this.#isOf(this.#stream.known) && this.#ink.add(stroke),
      pointed: (place) => this.#ink.point(place),
    }, () => this.#base, knownQuery);
    this.#stream.start();
  }

  #isOf({ document, page }) {
    return this.#slide?.document === document && this.#slide?.page === page;
  }

  #show(drawings) {
    this.#ink.show(this.#isOf(drawings) ? drawings.strokes : []);
  }
}
