// What the listener sees, worked out from what is live and where they went.
import { pieceInFolder, pieceNamed, slideAt, trackFor } from "./concert.js";

export class Hall {
  concert = null;
  /** The live position to be shown now: already admitted and delayed; null where nothing is live. */
  live = null;
  /** The last that was live while this page was open: its slide stays when the stream ends. */
  last = null;
  /** A piece kept from an earlier concert that the listener opened: {folder, piece, glossary}. */
  earlier = null;
  joined = false;
  /** {name: "live" | "home" | "piece" | "words", folder, word} */
  view = { name: "live" };
  /** The slide the listener turned to; null while they follow. */
  page = null;
  #settings;

  constructor(settings) {
    this.#settings = settings;
  }

  /** Takes what is live now. A piece that begins while the listener follows carries them along. */
  take(live) {
    const active = live && live.view !== "ended" ? live : null;
    if (active && this.last && active.pieceName !== this.last.pieceName) this.page = this.view.name === "live" ? null : this.page;
    this.live = active;
    if (active) this.last = active;
  }

  go(view) {
    if (view.name === "piece" && this.live && pieceInFolder(this.concert, view.folder) === this.livePiece) view = { name: "live" };
    if (view.name !== this.view.name || view.folder !== this.view.folder) {
      // Coming back from the glossary finds the slide one left.
      if (view.name === "words") this.#left = { view: this.view, page: this.page, piece: this.piece };
      this.page = null;
      this.view = view;
      if (this.#left && same(view, this.#left.view) && this.piece === this.#left.piece) this.page = this.#left.page;
    }
    this.view = view;
  }

  #left = null;

  get livePiece() {
    return this.live ? pieceNamed(this.concert, this.live.pieceName) : null;
  }

  /** What is shown: "home", "slides" or "words". */
  get screen() {
    if (this.view.name === "live") return this.live || (this.last && this.piece) ? "slides" : "home";
    if (this.view.name === "piece") return this.piece ? "slides" : "home";
    return this.view.name;
  }

  get piece() {
    if (this.view.name === "piece") {
      const { folder } = this.view;
      return pieceInFolder(this.concert, folder) ?? (this.earlier?.folder === folder ? this.earlier.piece : null);
    }
    return pieceNamed(this.concert, (this.live ?? this.last)?.pieceName);
  }

  get glossary() {
    const old = this.earlier && this.#left?.view.folder === this.earlier.folder && !pieceInFolder(this.concert, this.earlier.folder);
    return (old ? this.earlier.glossary : this.concert?.glossary) ?? [];
  }

  get track() {
    return trackFor(this.piece, this.#settings.values);
  }

  /** Whether the piece shown is the one that plays. */
  get isOfNow() {
    return this.view.name === "live" && this.live !== null;
  }

  /** The last slide that may be seen: the one of the moment in the piece that plays; -1 before its first. */
  get limit() {
    if (!this.track) return -1;
    if (this.view.name === "live" && this.live) return slideAt(this.track, this.live.played);
    return this.track.slides.length - 1;
  }

  /** Which slide is shown; -1 for the title. */
  get index() {
    if (this.page !== null) return Math.min(this.page, this.limit);
    if (this.view.name !== "live") return Math.min(0, this.limit);
    return this.live ? this.limit : slideAt(this.track, this.last?.played ?? -1);
  }

  /** Whether what is seen is what plays. */
  get atLive() {
    return this.joined && this.isOfNow && this.page === null;
  }

  /** Turns by some slides; arriving at the slide of the moment means to follow again. */
  turn(by) {
    this.turnTo(this.index + by);
  }

  turnTo(index) {
    const wanted = Math.max(Math.min(index, this.limit), Math.min(0, this.limit));
    this.page = this.isOfNow && wanted === this.limit ? null : wanted;
  }

  /** Where in the piece the playhead stands, as a played measure: the music's, or the slide's where nothing plays. */
  get playhead() {
    if (this.isOfNow) return this.live.played;
    return this.track?.slides[this.index]?.played ?? 0;
  }
}

const same = (a, b) => a.name === b.name && a.folder === b.folder;
