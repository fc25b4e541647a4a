// The slide of the current speaker, as large as it fits, under the titles.

export class SlideLayer {
  #stage;
  #wanted = null; // the address of the picture that should be shown
  #shown = null; // the picture that is shown
  #page = 0;
  #base = ""; // the address of the server that has the pictures; empty for this page's own
  #changed;

  /**
   * `changed` is called with each picture that is put on the stage and its slide, and with nulls for none.
   * @param {HTMLElement} stage
   * @param {(picture: any, slide: any) => void} changed
   */
  constructor(stage, changed = () => {}) {
    this.#stage = stage;
    this.#changed = changed;
  }

  /** The number of the page that is really shown; 0 for none. */
  get page() {
    return this.#page;
  }

  /** Pictures come from the server at this address from now on; those that are there stay. */
  readFrom(base) {
    this.#base = base;
  }

  /** Shows a slide; null for none. The one before stays until the picture of the next is there. */
  show(slide) {
    const address = slide?.image ?? null;
    if (address === this.#wanted) return;
    this.#wanted = address;
    if (!slide) return void this.#put(null, null);
    this.#load(slide, 0);
  }

  #load(slide, failures) {
    const picture = new Image();
    picture.className = "slide";
    picture.alt = "";
    if (this.#base) picture.crossOrigin = "anonymous";
    picture.src = this.#base + slide.image;
    picture.decode().then(() => {
      if (this.#wanted === slide.image) this.#put(picture, slide);
    }, () => {
      // The server is away or busy: the frame is held, and the picture asked for again.
      setTimeout(() => this.#again(slide, failures + 1), Math.min(250 * 2 ** failures, 4000));
    });
  }

  #again(slide, failures) {
    if (this.#wanted === slide.image) this.#load(slide, failures);
  }

  #put(picture, slide) {
    this.#shown?.remove();
    this.#shown = picture;
    this.#page = slide?.page ?? 0;
    if (picture) this.#stage.prepend(picture);
    this.#changed(picture, slide);
  }
}
