// Who turns the pages of this stand, and what follows from a turn: the player's hand, the other stand of a pair, the
// hub.
import { find, write } from "/shared/dom.js";
import { Neighbour } from "./neighbour.js";
import { pageInPart } from "./places.js";
import { quick } from "./store.js";

export class Turner {
  #shown = null; // the view that was shown last

  constructor(reader) {
    this.reader = reader;
    this.neighbour = new Neighbour(reader, (page) => {
      reader.turning.own(page);
      this.show();
      reader.wire?.link.deliver(reader.turning.view.page, reader.score?.id);
    });
    setInterval(() => reader.isOpen && reader.turning.settle() && this.show(), 200);
  }

  turn(direction) {
    const { turning, live, preferences } = this.reader;
    if (this.reader.evening.goesOn(direction)) return;
    this.#owned(turning.press(direction, live.isFollowing && preferences?.value.followsMusic));
  }

  /** The player goes to a page. */
  go(page) {
    this.#owned(this.reader.turning.own(page));
  }

  #owned(page) {
    const { reader } = this;
    this.show();
    if (page === null || !reader.score) return;
    reader.wire?.link.deliver(page, reader.score.id);
    this.neighbour.tell(page);
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
    this.show();
  }

  /** Shows where turning stands. A page that was zoomed gives way to the whole of the next: no note of it is hidden. */
  show() {
    const { reader } = this;
    const { turning: { view, facing }, paper, look, score } = reader;
    if (!score) return; // it is still on its way
    const name = `${score.id} ${reader.part} ${facing} ${view.page} ${view.ahead ?? ""}`;
    if (name !== this.#shown) reader.lens.reset();
    this.#shown = name;
    paper.show(view, facing, look.value.pair);
    const seen = paper.visible;
    reader.strip.show(seen, reader.preferences.value.pageLeads);
    write(find("page-number"), `${seen.map((page) => page + 1).join("–")} / ${reader.count}`);
    const page = Math.max(view.page, 0);
    quick.put(`part.${reader.user}.${score.id}`, { part: reader.part, page });
    reader.listener.where({ room: reader.room, score: score.id, part: reader.part, page });
    reader.live.paint();
    const { room, stand, preferences } = reader;
    // Told as it is by then: which page is the newest may have to be found first.
    const lies = () => (reader.preferences === preferences && reader.score
      ? { score: reader.score.id, part: reader.part, page: Math.max(reader.turning.view.page, 0),
        facing: reader.turning.facing,
        pair: look.value.pair } : null);
    if (reader.wire) preferences.tell(room, stand, lies, reader.settled);
  }

  /** Back to where the music is, and on with it. */
  fallIn() {
    const { live, turning, wire } = this.reader;
    const { page } = live;
    if (page !== null && turning.fallIn(page)) this.show();
    wire?.link.fallIn();
  }

  /** The leader turned for all: to the same music in this part. */
  ordered(turn) {
    const { score, part, content, user, turning } = this.reader;
    const page = score && pageInPart(turn, part, score);
    if (page === null || page === undefined || !content.participation(user)) return;
    if (turning.ordered(page)) this.show();
  }

  /** The hub says where the music turns to. */
  follow(view) {
    const { preferences, wire, turning } = this.reader;
    if (preferences?.value.followsMusic === false || wire?.link.owesHand) return;
    if (turning.follow(view)) this.show();
  }
}
