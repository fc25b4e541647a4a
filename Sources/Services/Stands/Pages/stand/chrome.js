// The controls around the music: away while one plays, up with a tap in the middle; and the quiet signs that stay.
import { find, make, mark, write } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { lock } from "/shared/locked.js";
import { savedWords, sentenceOf } from "/shared/savedwords.js";
import { askFromBar, knownMovements } from "./frombar.js";
import { askWhatIsPlayed } from "./played.js";
import { choosePiece, openProgramme, refreshProgramme } from "./programme.js";
import { openRoomDialog, refreshRoomDialog } from "./roomdialog.js";
import { openSettings } from "./settings.js";
import { mayStart, startRehearsal } from "./start.js";
import { closeDialog, openDialog } from "./words.js";

const bars = ["top-bar", "foot-bar"];

const needScore = ["pencil", "bookmarks", "tools-open", "settings"]; // buttons that say nothing without music

export class Chrome {
  isUp = false;
  #remarking = false;
  #asked = ""; // the programme whose titles were asked for

  constructor(reader) {
    this.reader = reader;
    const on = (id, run) => find(id).addEventListener("click", run);
    on("leave", () => reader.leave());
    on("part", () => this.askPart());
    on("members", () => openRoomDialog(reader));
    on("settings", () => openSettings(reader));
    on("pencil", () => this.#pencil());
    on("remarks-done", () => this.#pencil(false));
    on("remarks-move",
      () => mark(find("toolbox"), "data-edge", find("toolbox").dataset.edge === "bottom" ? null : "bottom"));
    on("session", () => this.#session());
    on("turn-all", () => {
      reader.turnAllIn(reader.turnsForAll ? null : reader.content.session.id);
      if (reader.turnsForAll) reader.act({ turn: [reader.part, Math.max(reader.turning.view.page, 0)] });
      this.paint();
    });
    on("from-bar", () => askFromBar(reader));
    on("end-pinpoint", () => reader.act({ endPinpoint: true }));
    on("start", () => startRehearsal(reader));
    on("programme", () => openProgramme(reader));
    on("next-piece", () => {
      reader.onward.listName ? reader.onward.go(reader.onward.beside("forward"))
        : reader.evening.openForAll(reader.evening.next);
      this.show(false);
    });
    on("sign-away", () => reader.onward.comeBack());
    on("encore", () => choosePiece(reader, true));
    on("publish", () => reader.act({ publish: true }));
    on("reopen", () => reader.wire?.reopen());
    on("fall-in", () => {
      reader.turner.fallIn();
      this.show(false);
    });
  }

  /** Puts the tools of remarks where they are when remarks are made. */
  equip(toolbar) {
    find("tools").replaceChildren(toolbar);
  }

  toggle() {
    this.show(!this.isUp);
  }

  show(isUp) {
    this.isUp = isUp;
    for (const id of bars) find(id).hidden = !isUp;
    mark(document.body, "data-controls", isUp ? "up" : null);
    if (!isUp) this.#pencil(false);
    this.paint();
    if (isUp) this.reader.strip.show(this.reader.paper.visible, this.reader.turner.leads);
    else find("stage").focus({ preventScroll: true });
  }

  /** Shows a small sign next to the music; an empty sentence removes it. */
  sign(id, sentence) {
    const element = find(id);
    write(element, sentence);
    element.hidden = sentence === "";
  }

  paint() {
    const { reader } = this;
    const { score, content } = reader;
    this.#programme();
    const session = content?.isRunning ?? false;
    if (!score) return this.#without(session);
    for (const id of needScore) find(id).hidden = false;
    write(find("what-title"), score.title);
    write(find("what-room"), content ? `${content.room.name}${session ? " · session" : ""}` : score.composer ?? "");
    write(find("part"), reader.isPartChosen ? score.parts[reader.part].name : "Which part?");
    find("part").hidden = score.parts.length < 2;
    find("members").hidden = !reader.room;
    const { leads } = reader;
    const waits = this.#whyLocked(session, leads);
    lock(find("turn-all"), waits && `Turn for all: ${waits}`);
    lock(find("from-bar"), waits && `From bar: ${waits}`);
    find("leading").hidden = !reader.room && !reader.onward.listName;
    write(find("session"), session ? "End session" : "Begin session");
    find("session").hidden = !leads;
    find("turn-all").hidden = !leads;
    mark(find("turn-all"), "aria-pressed", String(reader.turnsForAll));
    find("from-bar").hidden = !leads || knownMovements(score).length === 0;
    find("end-pinpoint").hidden = !leads || !content?.pinpoint;
    find("publish").hidden = content?.role(reader.user) !== "owner" || content.room.isPublished;
    this.#signs(session);
    refreshRoomDialog(reader);
  }

  /** Another server has the show: its stands are there. */
  #elsewhere(refusal) {
    find("sign-elsewhere").hidden = refusal === null;
    if (refusal === null) return;
    write(find("elsewhere-why"), refusal.message);
    const address = refusal.value?.address ?? "";
    find("elsewhere").hidden = !/^https?:\/\//.test(address);
    find("elsewhere").href = `${address}/stand`;
  }

  /** Shows signs for the state of the server and for remarks that wait to be sent. */
  #signs(session) {
    const { content, wire, leads, remarking } = this.reader;
    if (wire) {
      write(find("surplus-why"), wire.surplus);
      find("sign-surplus").hidden = wire.surplus === "";
      this.#elsewhere(wire.state === "lost" ? wire.elsewhere : null);
      this.sign("sign-offline", wire.state !== "lost" || wire.surplus || wire.elsewhere ? ""
        : !wire.acts.isKept ? sentenceOf("waiting", {}, false)
          : wire.isUnknown ? "The server does not know this room; what you made is kept"
            : wire.link?.isHeldBack ? "This network holds back live data; use another one" : "Without the server");
      this.sign("sign-leads", session && leads && this.reader.turnsForAll ? "Your turns turn all stands" : "");
      this.sign("sign-waiting", content && !session && wire.state === "joined" && !leads
        ? content.isEvening ? "Follows once the evening is armed" : "Waiting for the session" : "");
      this.#outbox(wire.state === "joined");
    } else {
      find("sign-surplus").hidden = true;
      this.#elsewhere(null);
      for (const id of ["sign-waiting", "sign-leads", "sign-pinpoint"]) this.sign(id, "");
      const { waits, acts } = remarking.wire ?? {};
      const isSaid = ["out", "other", "barred"].includes(waits?.state) || !acts?.isKept;
      this.sign("sign-offline", remarking.waitingCount > 0 && isSaid ? waits.sentence : "");
      this.#outbox(remarking.wire?.isJoined ?? true);
    }
  }

  /** The programme's buttons, and the one that starts the rehearsal. */
  #programme() {
    const { reader } = this;
    const { evening, leads, onward } = reader;
    find("start").hidden = !reader.content || !mayStart(reader);
    find("programme").hidden = !leads && !evening.isSeveral;
    find("encore").hidden = !leads;
    const next = onward.listName ? onward.beside("forward") : leads ? evening.next : null;
    find("next-piece").hidden = !next;
    find("sign-away").hidden = !onward.isAway;
    if (next && !evening.titleOf(next.score)) this.#askTitles();
    write(find("next-piece"), next ? `Next: ${evening.titleOf(next.score) || "the next piece"}` : "");
    refreshProgramme(reader);
  }

  #askTitles() {
    const { content, evening } = this.reader;
    const name = content.programme.map(({ id }) => id).join();
    if (name === this.#asked) return;
    this.#asked = name;
    evening.ask();
  }

  /** Shows the controls that remain while there is no score on the stand. */
  #without(session) {
    const { evening, content, room } = this.reader;
    if (!content || evening.withheld === null) return;
    this.#signs(session);
    write(find("what-title"), evening.titleOf(evening.withheld) || "No score on this stand");
    write(find("what-room"), content.room.name);
    find("part").hidden = true;
    for (const id of needScore) find(id).hidden = true;
    find("members").hidden = !room;
    find("leading").hidden = false;
    for (const id of ["session", "turn-all", "from-bar", "end-pinpoint", "publish", "fall-in"]) find(id).hidden = true;
  }

  /** Says how many remarks wait, while there is no server or it does not take them. */
  #outbox(isJoined) {
    const { waitingCount: count, wire } = this.reader.remarking;
    this.sign("sign-outbox", count > 0 && (!isJoined || !["saved", "saving"].includes(wire.waits.state))
      ? `${count} ${count === 1 ? "remark" : "remarks"}: ${savedWords.waiting.toLowerCase()}` : "");
  }

  /** Says what the controls that need a session wait for; "" while one runs. */
  #whyLocked(session, leads) {
    const { content } = this.reader;
    if (session) return "";
    if (!content) return "the room is not here yet, the server has not answered.";
    const again = content.session ? "The last session has ended. " : "";
    return leads ? `${again}Press Begin session first.` : `${again}They open when the leader begins a session.`;
  }

  askPart() {
    const { reader } = this;
    const { evening, isPartChosen } = reader;
    const missing = isPartChosen ? null : evening.partName;
    const choices = reader.score.parts.map((part, index) => {
      const others = reader.content?.participations.elements.filter((one) => one.part === index && !one.left
        && one.user !== reader.user) ?? [];
      const names = others.map((one) => reader.content.members.at(one.user)?.name).filter(Boolean).join(", ");
      const button = make("button",
        { type: "button", class: "entry", "data-part": index,
          "aria-pressed": String(isPartChosen && index === reader.part) },
        make("span", { class: "lines" }, make("span", { class: "title", text: part.name }),
          make("span", { class: "by",
            text: [`${part.pages.length} ${part.pages.length === 1 ? "page" : "pages"}`, names].filter(Boolean)
              .join(" · ") })));
      button.addEventListener("click", () => {
        closeDialog();
        // What stands in for a part that is missing is for this piece alone.
        if (missing === null) evening.partName = part.name;
        if (index !== reader.part || !reader.isPartChosen) reader.openPart(index, this.#samePlace(index), true);
      });
      return make("li", {}, button);
    });
    openDialog("Which part?", missing === null ? null
      : make("p", { class: "hint", text: `There is no ${missing} in “${reader.score.title}”.` }),
    make("ul", { class: "choices" }, ...choices));
  }

  /** The page of another part that holds the first bar on the stand. */
  #samePlace(part) {
    const { score, turning } = this.reader;
    const first = (score.parts[this.reader.part].places ?? [])
      .find((place) => place.page >= turning.view.page && !place.steps);
    return (first && (score.parts[part].places ?? [])
      .find((place) => (place.movement ?? 0) === (first.movement ?? 0) && place.last >= first.first)?.page) ?? 0;
  }

  #pencil(isOn = !this.#remarking) {
    this.#remarking = isOn;
    mark(find("pencil"), "aria-pressed", String(isOn));
    this.reader.setRemarking(isOn);
  }

  #session() {
    const { reader } = this;
    if (!reader.content?.isRunning) {
      const { content, score } = reader;
      const before = content?.session && content.scoreOf(content.session) === score?.id ? content.session : null;
      askWhatIsPlayed(score, before,
        (performances) => reader.content && !reader.content.isRunning
          && reader.act({ begin: { session: newID(), layer: newID(), ...performances } }));
      return;
    }
    const end = make("button", { type: "button", class: "danger", id: "end-session", text: "End it for all" });
    end.addEventListener("click", () => {
      closeDialog();
      reader.turnAllIn(null);
      reader.act({ endSession: true });
    });
    openDialog("End the session?",
      make("p", { class: "hint", text: "All stands keep their music. Remarks stay; new ones need another session." }),
      end);
  }
}
