// Practising with the part that lies on the stand: the stand hears its player by its own microphone, marks the bar that
// is played, and turns the page a moment before it is needed, also through repeats, jumps and beginning again.
import { make } from "/shared/dom.js";
import { knownProblem, openMicrophone } from "/shared/microphone.js";
import { beginSession, loadPiece } from "/shared/practicesession.js";
import { BarTap } from "./bartap.js";
import { placeAt, placeOf } from "./places.js";
import { barAt, playedBar } from "./references.js";
import { notice } from "./words.js";

const states = {
  waiting: "Play when you like.", following: "Follows you.", coasting: "Going on …",
  lost: "Looks for where you are. Play on, or tap a bar.", finished: "The end. Play again whenever you like.",
};
const oldest = 1.5; // s for which a position is carried on
const leastConfidence = 0.35; // for a page to turn

export class Practise {
  #opening = 0;
  #isOpen = false;
  #microphone = null;
  #session = null;
  #bars = []; // [printed, onset] in playing order, on the timeline of the piece
  #movement = 0;
  #newest = null; // the follower's last position
  #origin = null; // the place of the microphone's first sample in its audio clock, in seconds
  #timer = null;
  #shown = -1;

  constructor(reader) {
    this.reader = reader;
    new BarTap(reader, () => this.#session !== null, (spot) => this.#tapped(spot));
  }

  /** The movement that lies on the stand if it has a piece, else the first that has; -1 where none has. */
  #bound() {
    const { score, part, turning } = this.reader;
    const movements = score.movements ?? [];
    const here = (score.parts[part].places ?? []).find((place) => place.page >= turning.view.page && !place.steps);
    return movements[here?.movement ?? 0]?.piece ? here?.movement ?? 0 : movements.findIndex(({ piece }) => piece);
  }

  open(dock) {
    const { reader } = this;
    const movement = this.#bound();
    if (movement < 0) {
      return notice("Nobody has bound this score to a prepared piece, so that nothing can follow you.");
    }
    if (reader.live.isFollowing) return notice("The orchestra plays: the stand follows it, and not your microphone.");
    const known = knownProblem();
    if (known) return notice(known.message);
    this.#movement = movement;
    this.bar = make("output", { id: "practise-bar", text: "–" });
    this.said = make("p", { class: "hint", id: "practise-say", role: "status", text: "The microphone starts …" });
    dock.open("practise", "Follow me", [make("span", { class: "listen-where" }, make("small", { text: "Bar" }),
      this.bar), this.said, make("p", { class: "hint", text: "Tap a bar to say where you begin." })],
    () => this.close());
    this.#isOpen = true;
    this.#start((this.#opening += 1), reader.score.movements[movement].piece);
  }

  async #start(opening, piece) {
    const isCurrent = () => this.#isOpen && opening === this.#opening;
    const early = []; // blocks that are captured before the session exists
    try {
      const loaded = await loadPiece(piece);
      if (!isCurrent()) return;
      this.#bars = loaded.piece.bars.map(({ printed, onset }) => [printed, onset]);
      const microphone = await openMicrophone({
        block: (block) => {
          this.#origin ??= block.frame - block.firstSample;
          if (this.#session) this.#session.hear(block);
          else early.push(block);
        },
        halted: (sentence) => isCurrent() && this.#say(sentence || states.waiting),
        ended: (problem) => isCurrent() && this.#over(problem.message),
      });
      if (!isCurrent()) return void microphone.stop();
      this.#microphone = microphone;
      const session = await beginSession({
        ...loaded, rate: microphone.rate, script: "/stand/followerworker.js",
        position: (position) => isCurrent() && this.#heard(position),
        ended: (problem) => isCurrent() && this.#over(problem.message),
      });
      if (!isCurrent()) return void session.end();
      this.#session = session;
      for (const block of early) session.hear(block);
      this.#say(microphone.warnings[0] ?? states.waiting);
      this.#timer = setInterval(() => this.#turn(), 60);
    } catch (problem) {
      if (isCurrent()) this.#over(problem.message);
    }
  }

  close() {
    this.#isOpen = false;
    this.#release();
    this.reader.paper.mark("heard", null);
  }

  #release() {
    this.#opening += 1; // what is still on its way comes too late
    clearInterval(this.#timer);
    this.#microphone?.stop();
    this.#session?.end();
    [this.#microphone, this.#session, this.#newest, this.#origin, this.#shown] = [null, null, null, null, -1];
  }

  #over(sentence) {
    this.#release();
    this.#say(sentence);
  }

  /** The orchestra begins: the stand follows it. */
  hush() {
    if (this.#isOpen) this.#over("The orchestra plays. Open this again when it has ended.");
  }

  #say(sentence) {
    this.said.textContent = sentence;
  }

  /** A tap on a bar says where the player begins. */
  #tapped({ page, x, y }) {
    const { reader } = this;
    const place = placeAt(reader.score.parts[reader.part], page, x, y);
    const isHit = place?.box && y >= place.box[1] - 0.02 && y <= place.box[3] + 0.02
      && (place.movement ?? 0) === this.#movement;
    const played = isHit ? playedBar(this.#bars, place.first, Math.max(this.#shown, 0)) : -1;
    if (played < 0) return false;
    this.#session.beginAt(played);
    this.#mark(played);
    return true;
  }

  #heard(position) {
    this.#newest = position;
    this.#say(states[position.state] ?? "");
    if (position.played !== undefined && position.state !== "lost") this.#mark(position.played);
  }

  #mark(played) {
    if (played === this.#shown) return;
    this.#shown = played;
    const { reader } = this;
    const [printed] = this.#bars[played];
    this.bar.textContent = String(printed);
    const place = placeOf(reader.score.parts[reader.part], printed, this.#movement, played);
    reader.paper.mark("heard", place?.box ? { page: place.page, box: place.box, point: null } : null);
  }

  /** Turns the page when the player is about to need the next. */
  #turn() {
    const { reader } = this;
    const newest = this.#newest;
    // In a session the room turns pages.
    if (!newest || !reader.score || reader.content?.isRunning || newest.played === undefined) return;
    if (newest.state !== "following" || newest.confidence < leastConfidence) return;
    const { context, rate } = this.#microphone;
    const age = context.currentTime - this.#origin / rate - newest.seconds;
    if (age > oldest) return;
    const isEarly = Math.min(reader.preferences?.value.leadSeconds ?? 1, 4);
    const soon = barAt(this.#bars, newest.place + (age + isEarly) * newest.tempo);
    const next = soon < 0 ? null : placeOf(reader.score.parts[reader.part], this.#bars[soon][0], this.#movement, soon);
    if (next && !reader.turner.isSeen(next)) reader.turner.go(next.page, next.box);
  }
}
