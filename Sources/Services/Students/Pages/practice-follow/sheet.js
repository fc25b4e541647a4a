// The page of the score, with the bar that is played.
import { find, mark } from "/shared/dom.js";

const lead = 0.25; // of the visible height above the bar

/** The address of a copy in this page; the server's own if it could not be loaded. */
async function loaded(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? URL.createObjectURL(await answer.blob()) : path;
}

export class Sheet {
  #piece = null;
  #page = -1;
  #played = -1;
  #pages = []; // promises of their addresses in this page: they are turned also without the network

  /** Shows another piece, as the server describes it; nothing if it has no engraved pages. */
  open(piece) {
    this.#piece = piece.pages > 0 ? piece : null;
    [this.#page, this.#played] = [-1, -1];
    find("sheet").hidden = this.#piece === null;
    for (const old of this.#pages) old.then((address) => URL.revokeObjectURL(address));
    this.#pages = Array.from({ length: piece.pages }, (_, page) => loaded(
      `/api/practice/pieces/${encodeURIComponent(piece.folder)}/pages/${page}`));
    if (this.#piece) this.move({ played: 0 });
  }

  /** Marks the bar of the follower's position, and turns to its page. */
  move({ played }) {
    const place = this.#piece?.places[played];
    if (!place || played === this.#played) return;
    this.#played = played;
    if (place.page !== this.#page) {
      this.#page = place.page;
      const image = find("page");
      const pages = this.#pages;
      pages[place.page].then((address) => {
        if (this.#pages === pages && this.#page === place.page) image.src = address;
      });
      mark(image, "alt", `Page ${place.page + 1} of ${this.#piece.pages}`);
      image.onload = () => this.#scroll(place);
    }
    const here = find("here");
    here.hidden = false;
    const { x: left, y: top, width, height } = place;
    for (const [side, share] of Object.entries({ left, top, width, height })) here.style[side] = `${100 * share}%`;
    this.#scroll(place);
  }

  #scroll(place) {
    const [sheet, page] = [find("sheet"), find("page")];
    const top = Math.max(0, place.y * page.clientHeight - lead * sheet.clientHeight);
    // On a phone the page is wider than the screen; a bar that is seen whole moves nothing.
    const [from, to] = [place.x * page.clientWidth, (place.x + place.width) * page.clientWidth];
    const isSeen = from >= sheet.scrollLeft && to <= sheet.scrollLeft + sheet.clientWidth;
    const left = isSeen ? sheet.scrollLeft : Math.max(0, from - lead * sheet.clientWidth);
    if (Math.abs(top - sheet.scrollTop) > 4 || left !== sheet.scrollLeft) {
      sheet.scrollTo({ top, left, behavior: "smooth" });
    }
  }
}
