// From piece to piece by hand: past the end of one to the next, and back; to another piece of the programme while the
// room plays on. A setlist is the programme of whoever plays alone.
import { keptSheet } from "./sheets.js";
import { quick, things } from "./store.js";
import { notice } from "./words.js";

export class Onward {
  #list = null; // the setlist that is played: { id, name, entries, at }, `at` the id of the entry that lies here
  #away = null; // in a room: { entry } that lies here, while { from } is open for all; { turn } was the last one in it
  #asked = null; // the direction of the press that said which piece comes
  #came = null; // the direction of the press by which one came here, until a page is turned

  constructor(reader) {
    this.reader = reader;
  }

  close() {
    this.#list = this.#away = null;
    this.#forget();
  }

  /** Takes up a setlist that this device has, at the entry `at` with a score; nothing where it is not in it. */
  async take(id, at, score) {
    if (!id) return;
    const { evening, user } = this.reader;
    const [lists, home] = await Promise.all([things.get(`setlists:${user}`), things.get(`home:${user}`)]);
    const list = lists?.find((each) => each.id === id);
    evening.learnTitles(home?.scores ?? []);
    const entries = (list?.scores ?? []).map((each, index) => ({ id: String(index), score: each }))
      .filter((entry) => !home || evening.titleOf(entry.score) !== "");
    const here = entries.find((entry) => entry.id === at && entry.score === score)
      ?? entries.find((entry) => entry.score === score);
    if (here) this.#list = { id, name: list.name, entries, at: here.id };
  }

  // -- Where one is -------------------------------------------------------------------------------------------

  /** The setlist's name; null if none is played. */
  get listName() {
    return this.#list?.name ?? null;
  }

  /** What has to be kept to come back here. */
  get where() {
    return this.#list ? { list: this.#list.id, entry: this.#list.at } : {};
  }

  /** The pieces in their order, as `{ id, score, attacca }`. */
  get entries() {
    return this.#list?.entries ?? this.reader.content?.programme ?? [];
  }

  /** True while another piece lies here than the one that is open for all. */
  get isAway() {
    return this.#away !== null && this.#away.from === this.reader.content?.open;
  }

  /** The entry that lies here; null if there is no programme. */
  get here() {
    const id = this.#list ? this.#list.at : this.isAway ? this.#away.entry : this.reader.content?.open;
    return this.entries.find((entry) => entry.id === id) ?? null;
  }

  /** The entry after or before the one that lies here; null if there is none. */
  beside(direction) {
    const at = this.entries.indexOf(this.here);
    return at < 0 ? null : this.entries[at + (direction === "forward" ? 1 : -1)] ?? null;
  }

  // -- Going --------------------------------------------------------------------------------------------------

  /** A press that turns; true if it lay past the end or the beginning of the piece. The first one says what comes, the
      second goes there. One is enough where the music goes on attacca, and to take the step back. */
  press(direction) {
    const entry = this.#isAtEnd(direction) ? this.beside(direction) : null;
    if (!entry) {
      this.#forget();
      return false;
    }
    const isAttacca = direction === "forward" ? this.here.attacca : entry.attacca;
    const isStepBack = this.#came !== null && this.#came !== direction;
    if (isAttacca || isStepBack || this.#asked === direction) this.go(entry, direction);
    else this.#ask(entry, direction);
    return true;
  }

  #isAtEnd(direction) {
    const { score, turner: { systems }, turning: { view, facing, count } } = this.reader;
    if (!score || (view.ahead ?? null) !== null) return false;
    // Read by systems, a page goes on until its last one.
    if (systems) return direction === "back" ? systems.top <= 0 : systems.top + systems.seen >= systems.rows.length;
    return view.page === keptSheet(direction === "back" ? 0 : count - 1, facing, count);
  }

  async #ask(entry, direction) {
    const { chrome, evening } = this.reader;
    this.#asked = direction;
    const where = direction === "forward" ? "Next" : "Before";
    const show = () => this.#asked === direction
      && chrome.sign("sign-next", `${where}: ${evening.titleOf(entry.score) || "another piece"} · turn again`);
    show();
    if (!evening.titleOf(entry.score) && await evening.ask()) show();
  }

  #forget() {
    this.#asked = this.#came = null;
    this.reader.chrome.sign("sign-next", "");
  }

  /** A page lies there: what was asked at the end of a piece holds only there. */
  shown() {
    if (this.#asked !== null && !this.#isAtEnd(this.#asked)) this.#forget();
  }

  /** Goes to a piece, backwards to its last page: on all stands where this leader's turns are for all, else here. */
  async go(entry, direction = "forward") {
    const { content, evening, leads, turnsForAll } = this.reader;
    const toEnd = direction === "back";
    this.#forget();
    if (turnsForAll && leads && content.isRunning) evening.openForAll(entry, toEnd);
    else if (await this.#lay(entry, toEnd ? Number.MAX_SAFE_INTEGER : 0)) this.#came = direction;
  }

  /** Lays a piece on this stand alone; false if it cannot be had. */
  async #lay(entry, page) {
    const { reader } = this;
    const [list, away] = [this.#list, this.#away];
    if (list) this.#list = { ...list, at: entry.id };
    else {
      const { open, turn } = reader.content;
      this.#away = { from: open, entry: entry.id, turn: away?.turn ?? JSON.stringify(turn) };
    }
    if (this.#away?.from === entry.id) this.#away = null;
    try {
      await reader.openOther(entry.score, page);
      return true;
    } catch (refusal) {
      [this.#list, this.#away] = [list, away];
      notice(refusal.message);
      return false;
    }
  }

  /** Goes back to the piece that is open for all: to the page that lay there, or to the page that its leader or the
      music has reached meanwhile. */
  async comeBack() {
    const { reader } = this;
    const { content, user, wire } = reader;
    const hasTurned = JSON.stringify(content?.turn) !== this.#away?.turn;
    this.#away = null;
    this.#forget();
    await reader.followOpen(quick.get(`part.${user}.${content?.openScore}`)?.page ?? 0, hasTurned);
    wire?.link?.fallIn();
  }
}
