// Decides what the listener sees, from the live state and from the place to which the listener went.
import { slideAt } from "/shared/slides.js";
import { folderOf, pieceAfter, pieceInFolder, pieceNamed, playedAt, sectionAt, trackFor } from "./concert.js";

export class Hall {
  concert = null;
  /** The live position to be shown now: already admitted and delayed; null if nothing is live. */
  live = null;
  /** The last that was live while this page was open: its slide stays when the stream ends. */
  last = null;
  /** The name of the piece this phone heard last in tonight's show, also before the page was opened; null for none. */
  heardBefore = null;
  /** A piece kept from an earlier concert that the listener opened: {folder, piece, glossary}. */
  earlier = null;
  /** Tonight's performers as the console has them: {name, role}. */
  people = [];
  joined = false;
  /** The phase of the evening: "before", "during" or "over"; null while the hall has not said. */
  phase = null;
  /** True after a hard stop in the middle of a piece, until the panic is over. */
  isBrokenOff = false;
  isIntermission = false;
  /** {name: "live" | "home" | "piece" | "words" | "notes", folder, word} */
  view = { name: "live" };
  /** The slide the listener turned to; null while they follow. */
  page = null;
  #settings;

  constructor(settings) {
    this.#settings = settings;
  }

  /**
   * Takes what is live now; null while nothing plays, undefined while this page has not heard whether anything does.
   * When a piece begins, every listener who waits for it is taken to it: from the programme, the piece or its slides.
   * Tells whether it took the listener to another place.
   */
  take(live) {
    const active = live && live.view !== "ended" ? live : null;
    if (live) this.#evening = live;
    this.phase = live?.phase ?? null;
    this.isBrokenOff = live?.isBrokenOff ?? false;
    this.isIntermission = live?.isIntermission ?? false;
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = live !== undefined && active === null;
    if (active && this.last && active.pieceName !== this.last.pieceName && this.view.name === "live") this.page = null;
    this.live = active;
    if (active) this.last = active;
    // Before the concert is loaded nobody knows which piece that is.
    if (active && !this.concert) return false;
    const begins = active !== null && active.pieceName !== this.#begun;
    this.#begun = active?.pieceName ?? null;
    return begins && this.#carryAlong(wasQuiet);
  }

  /** What the concert is called: as the evening's own people say, or else as its texts do. */
  get title() {
    return this.#evening?.evening ?? this.concert?.title ?? "";
  }

  get date() {
    return this.#evening?.date ?? this.concert?.date;
  }

  #evening = null; // what the hall has said last
  #isQuiet = false; // whether this page has said that nothing plays
  #begun = null; // the piece whose beginning was seen to

  /** True if the listener turned to another slide: the page then only offers to follow. */
  #carryAlong(wasQuiet) {
    const { name, folder } = this.view;
    const waits = this.screen === "home" ? wasQuiet : name === "piece" && this.page === null
      && folder === this.liveFolder;
    if (waits) this.view = { name: "live" };
    return waits;
  }

  go(view) {
    if (view.name === "piece" && view.folder === this.liveFolder && !this.#isReading(view)) view = { name: "live" };
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

  /** Coming back to a piece in which the listener was reading when it began. */
  #isReading(view) {
    if (this.view.name === "piece") return this.view.folder === view.folder && this.page !== null;
    return this.view.name === "words" && this.#left !== null && same(view, this.#left.view) && this.#left.page !== null;
  }

  get livePiece() {
    return this.live ? pieceNamed(this.concert, this.live.pieceName) : null;
  }

  /** The folder of the piece that plays; null if nothing plays, or a piece that the concert does not have. */
  get liveFolder() {
    return this.livePiece ? folderOf(this.livePiece.name) : null;
  }

  /** The played measure that sounds, counted in the content's own map; -1 before its first. */
  get livePlayed() {
    return playedAt(this.livePiece, this.live);
  }

  /** The music's place while the listener reads elsewhere: {piece, slide, section}; null while the listener sees it. */
  get elsewhere() {
    if (!this.live || this.isOfNow && this.page === null) return null;
    const piece = this.livePiece;
    const track = trackFor(piece, this.#settings.values);
    const section = piece?.structure?.sections[sectionAt(piece, this.livePlayed)] ?? null;
    return { piece, name: this.live.pieceName, slide: slideAt(track, this.livePlayed), all: track?.slides.length ?? 0,
      section };
  }

  /** True if the concert was played to its end and nothing has played since. */
  get isOver() {
    return this.phase === "over";
  }

  /** The piece that the concert begins with, before it begins. */
  get first() {
    return this.joined && this.phase === "before" ? this.concert?.pieces[0] ?? null : null;
  }

  /**
   * The piece that comes when the one heard last is over: after its last measure, or when the stream has ended other
   * than by a hard stop.
   */
  get next() {
    if (this.isOver || this.isBrokenOff) return null;
    const piece = pieceNamed(this.concert, (this.live ?? this.last)?.pieceName ?? this.heardBefore);
    if (!piece || this.live && this.livePlayed < piece.measures.length - 1) return null;
    return pieceAfter(this.concert, piece);
  }

  /** The name of the screen shown: "home", "slides", "words" or "notes". */
  get screen() {
    if (this.view.name === "live") return this.live || (this.last && this.piece) ? "slides" : "home";
    if (this.view.name === "piece") return this.piece ? "slides" : "home";
    if (this.view.name === "notes" && !this.concert?.programNotesText) return "home";
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
    const { folder } = this.view.name === "words" ? this.#left?.view ?? {} : this.view;
    const old = this.earlier && folder === this.earlier.folder && !pieceInFolder(this.concert, folder);
    return (old ? this.earlier.glossary : this.concert?.glossary) ?? [];
  }

  /** The language in which the listener reads. */
  get language() {
    return this.#settings.values.language;
  }

  get track() {
    return trackFor(this.piece, this.#settings.values);
  }

  /** True if the piece shown is the one that plays. */
  get isOfNow() {
    return this.view.name === "live" && this.live !== null;
  }

  /** The last slide that may be seen: the one of the moment in the piece that plays; -1 before its first. */
  get limit() {
    if (!this.track) return -1;
    if (this.view.name === "live" && this.live) return slideAt(this.track, this.livePlayed);
    return this.track.slides.length - 1;
  }

  /** The index of the slide shown; -1 for the title. */
  get index() {
    if (this.page !== null) return Math.min(this.page, this.limit);
    if (this.view.name !== "live") return Math.min(0, this.limit);
    return this.live ? this.limit : slideAt(this.track, playedAt(this.piece, this.last));
  }

  /** True if the listener sees the present slide of the piece that plays. */
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

  /** The playhead's place in the piece as a played measure: the music's, or the slide's if nothing plays. */
  get playhead() {
    if (this.isOfNow) return this.livePlayed;
    return this.track?.slides[this.index]?.played ?? 0;
  }
}

const same = (a, b) => a.name === b.name && a.folder === b.folder;
