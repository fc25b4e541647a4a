// Decides what turns the pages of this stand, and what follows from a turn: the player's hand, the other stand of a
// pair, the hub.
import { find, write } from "/shared/dom.js";
import { filedPage, laidPage, laidTurn, laidView } from "./layout.js";
import { Neighbour } from "./neighbour.js";
import { pageInPart, placeOf } from "./places.js";
import { quick } from "./store.js";
import { SystemTurning } from "./systems.js";

export class Turner {
  #shown = null; // the view that was shown last
  systems = null; // SystemTurning while systems are read one after the other

  constructor(reader) {
    this.reader = reader;
    this.neighbour = new Neighbour(reader, (page) => {
      reader.turning.own(laidPage(this.#part, page));
      this.show();
      reader.wire?.link.deliver(this.#filed(reader.turning.view.page), reader.score?.id);
    });
    reader.turning.canHalve = (page, next) => reader.paper.canHalve(page, next);
    setInterval(() => {
      if (!reader.isOpen) return;
      if (this.systems) this.followBar();
      else if (reader.turning.settle()) this.show();
    }, 200);
  }

  get #part() {
    return this.reader.score?.parts[this.reader.part];
  }

  /** The number by which the server knows a page. */
  #filed(page) {
    return filedPage(this.#part, page);
  }

  turn(direction) {
    const { turning, live, preferences } = this.reader;
    if (this.reader.onward.press(direction)) return;
    if (this.systems) {
      const before = this.systems.page;
      if (!this.systems.press(direction)) return;
      return this.#owned(this.systems.page === before ? null : turning.own(this.systems.page));
    }
    this.#owned(turning.press(direction, live.isFollowing && preferences?.value.followsMusic));
  }

  /** True if the place of a bar is seen here; with two paired stands, on either of them. */
  isSeen({ page, box = null }) {
    return this.systems ? this.systems.shows(this.systems.rowOf(page, box)) : this.reader.shows(page);
  }

  /** The player goes to a page, where it is read by systems to the one with a box. */
  go(page, box = null) {
    this.systems?.go(this.systems.rowOf(page, box), true);
    this.#owned(this.reader.turning.own(page));
  }

  #owned(page) {
    const { reader } = this;
    this.show();
    if (page === null || !reader.score) return;
    reader.wire?.link.deliver(this.#filed(page), reader.score.id);
    this.neighbour.tell(this.#filed(page));
    if (reader.turnsForAll && reader.leads && reader.content.isRunning) {
      reader.act({ turn: [reader.part, Math.max(page, 0)] });
    }
  }

  get facing() {
    const { preferences, count, look } = this.reader;
    return preferences.facingOn(find("stage"), count, look.value.pair);
  }

  /** The stage or what lies on it changed: pages are laid anew, and all of them is seen. */
  lay() {
    const { score, preferences, turning, count, lens } = this.reader;
    if (!score || !preferences) return;
    lens.reset();
    const { facing } = this;
    if (facing !== turning.facing) turning.open({ page: Math.max(turning.view.page, 0), facing, count });
    turning.byHalves = preferences.value.halfTurns;
    this.arrange();
    this.show();
  }

  /** Reads systems one after the other, or pages, as the player and the screen want it. */
  arrange() {
    const { preferences, look, paper, turning } = this.reader;
    const wants = !look.value.pair && preferences.readsSystems(find("stage"), this.#part);
    const { frame } = paper;
    const before = this.systems;
    if (!wants) this.systems = null;
    else if (before?.part !== this.#part || JSON.stringify(before.frame) !== JSON.stringify(frame)) {
      const row = before?.part === this.#part ? before.rows[before.top] : null;
      const systems = new SystemTurning(this.#part, frame);
      this.systems = systems.rows.length > 0 ? systems : null;
      // A screen that was turned round goes on with the same music.
      this.systems?.go(systems.rowOf(row?.page ?? Math.max(turning.view.page, 0), row?.box ?? null), before === null);
    }
  }

  /** Shows where turning stands. A page that was zoomed gives way to the whole of the next: no note of it is hidden. */
  show() {
    const { reader } = this;
    const { turning, turning: { view, facing }, paper, look, score } = reader;
    if (!score) return; // it is still on its way
    if (this.systems && this.systems.page !== view.page) turning.ordered(this.systems.page);
    const name = `${score.id} ${reader.part} ${facing} ${view.page} ${view.ahead ?? ""} ${this.systems?.top ?? ""}`;
    if (name !== this.#shown) reader.lens.reset();
    this.#shown = name;
    paper.show(turning.view, facing, look.value.pair, this.systems?.state ?? null);
    const seen = paper.visible;
    reader.strip.show(seen, this.leads);
    write(find("page-number"), `${seen.map((page) => page + 1).join("–")} / ${reader.count}`);
    const page = this.#filed(Math.max(turning.view.page, 0));
    const part = reader.isPartChosen ? reader.part : null;
    if (part !== null) quick.put(`part.${reader.user}.${score.id}`, { part, page });
    reader.listener.where({ room: reader.room, score: score.id, part, page, ...reader.onward.where });
    reader.onward.shown();
    reader.live.paint();
    const { room, stand, preferences } = reader;
    // Told as it is by then: which page is the newest may have to be found first.
    const lies = () => (reader.preferences === preferences && reader.score
      ? { score: reader.score.id, part: reader.part, page: this.#filed(Math.max(reader.turning.view.page, 0)),
        facing: reader.turning.facing,
        pair: look.value.pair } : null);
    if (reader.wire) preferences.tell(room, stand, lies, reader.settled);
  }

  /** Back to where the music is, and on with it. */
  fallIn() {
    const { live, onward, turning, wire } = this.reader;
    if (onward.isAway) return onward.comeBack();
    const { page } = live;
    this.systems?.release();
    if (this.systems) this.followBar();
    else if (page !== null && turning.fallIn(page)) this.show();
    return wire?.link.fallIn();
  }

  /** The leader turned for all: to the same music in this part. */
  ordered(turn) {
    const { score, part, content, user } = this.reader;
    // It means the piece that is open for all.
    if (content.openScore !== score?.id) return;
    const page = pageInPart(laidTurn(turn, score), part, score);
    if (page === null || !content.participation(user)) return;
    this.goTo(page);
  }

  /** The hub says where the music turns to. */
  follow(view) {
    const { preferences, wire, turning } = this.reader;
    if (preferences?.value.followsMusic === false || wire?.link.owesHand) return;
    // Systems follow the bar that sounds; where none is known, they follow the page.
    if (this.systems) {
      if (this.#row() !== null || this.reader.shows(laidPage(this.#part, view.page))) return;
      if (this.systems.follow(this.systems.rowOf(laidPage(this.#part, view.page)))) this.show();
    } else if (turning.follow(laidView(view, this.#part))) this.show();
  }

  /** Goes to a page, or to a place on it, by an order of somebody else. */
  goTo(page, box = null) {
    const { turning } = this.reader;
    // The order stays until the music comes there or goes on elsewhere, as a turn of the player's own would.
    const moved = this.systems?.go(this.systems.rowOf(page, box), true) ?? false;
    if (turning.ordered(page) || moved) this.show();
  }

  /** The row in which the music will be in a moment; null if nobody knows. */
  #row() {
    const { live, preferences } = this.reader;
    const bar = live.barAhead(preferences?.value.leadSeconds ?? 1);
    const place = bar && this.#part ? placeOf(this.#part, bar.measure, bar.movement) : null;
    return place ? this.systems.rowOf(place.page, place.box ?? null) : null;
  }

  /** Moves to the system in which the music will be in a moment. */
  followBar() {
    const row = this.systems ? this.#row() : null;
    if (row === null || this.reader.preferences?.value.followsMusic === false) return;
    if (this.systems.follow(row)) this.show();
  }

  /** True if the music's system can be seen. */
  get showsMusic() {
    const row = this.systems ? this.#row() : null;
    return row === null ? null : this.systems.shows(row);
  }

  /** Leads of single pages, by their positions. */
  get leads() {
    return (this.reader.preferences?.value.pageLeads ?? [])
      .map((lead) => ({ ...lead, page: laidPage(this.#part, lead.page) }));
  }
}
