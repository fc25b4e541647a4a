// The stand while music is on it: one score, one part, perhaps a room. Everything else asks this for what is the case.
import { find, mark, write } from "/shared/dom.js";
import { Awake } from "/audience/awake.js";
import { Chrome } from "./chrome.js";
import { listenToHands, listenToPedal } from "./hands.js";
import { newID } from "./ids.js";
import { Live } from "./live.js";
import { Look } from "./look.js";
import { Paper } from "./paper.js";
import { pageInPart, pinpointOf, pinpointPlace } from "./places.js";
import { Preferences, standID } from "./preferences.js";
import { createRemarks } from "./remarks/remarks.js";
import { RoomWire } from "./roomwire.js";
import { askPageLead } from "./settings.js";
import { sheetOf } from "./sheets.js";
import * as shelf from "./shelf.js";
import { quick } from "./store.js";
import { Strip } from "./strip.js";
import { Turning } from "./turning.js";
import { dialogIsOpen, notice, say } from "./words.js";

export class Reader {
  isOpen = false;
  room = null; // its id; null where one plays alone
  score = null;
  part = 0;
  wire = null; // RoomWire
  preferences = null;
  turning = new Turning();
  stand = standID(newID);
  turnsForAll = false;
  #remarks = null;
  #opening = 0;
  #neighbours = null;
  #pinpoint = null; // the place shown to all, until the music has left it behind

  constructor(device, listener) {
    this.device = device;
    this.listener = listener;
    this.look = new Look((fields) => this.#looked(fields));
    this.paper = new Paper(find("stage"), {
      attach: (element, page) => this.#remarks?.attach(element, { part: this.part, page }),
      detach: (element) => this.#remarks?.detach(element),
      failed: (page) => this.paper.visible.includes(page) && this.wire?.state !== "joined" && notice(`Page ${page + 1} is not on this device, and the server does not answer.`),
    });
    this.strip = new Strip(find("strip"), {
      go: (page) => this.#owned(this.turning.own(page)),
      long: (page) => askPageLead(this, page),
    });
    this.live = new Live(this);
    this.chrome = new Chrome(this);
    this.awake = new Awake(() => {});
    const hands = {
      turn: (direction) => this.turn(direction),
      middle: () => this.chrome.toggle(),
      long: (x, y, target) => this.#long(x, y, target),
      edge: (which) => this.#owned(this.turning.own(which === "first" ? 0 : this.count - 1)),
    };
    listenToHands(find("stage"), hands);
    listenToPedal(hands, (event) => this.isOpen && !dialogIsOpen() && !isMeantFor(event));
    new ResizeObserver(() => this.isOpen && this.#lay()).observe(find("stage"));
    setInterval(() => this.isOpen && this.turning.settle() && this.#show(), 200);
    if ("BroadcastChannel" in self) {
      this.#neighbours = new BroadcastChannel("baton-stand");
      this.#neighbours.onmessage = ({ data }) => this.#neighbour(data);
    }
  }

  get user() {
    return this.device.currentID;
  }

  get count() {
    return this.score?.parts[this.part]?.pages.length ?? 1;
  }

  get content() {
    return this.wire?.copy.content ?? null;
  }

  get leads() {
    return this.content?.leads(this.user) ?? false;
  }

  // -- Opening ------------------------------------------------------------------------------------------------

  /** Opens a score, alone or in a room. Throws Refusal where neither this device nor the server has it. */
  async open({ room = null, score = null, part = null, page = null }) {
    this.close();
    const opening = (this.#opening += 1);
    this.isOpen = true;
    this.room = room;
    this.chrome.show(false);
    if (room) {
      this.wire = new RoomWire(this, room);
      await this.wire.load();
    }
    const id = score ?? this.content?.room.score ?? (await this.wire?.scoreID());
    if (opening !== this.#opening) return;
    const whole = await shelf.score(id);
    if (opening !== this.#opening) return;
    this.score = whole;
    this.preferences = new Preferences(this.user, id, () => this.device.vouch());
    this.#remarks = createRemarks({ userID: this.user, send: (act) => this.act(act), newID });
    this.chrome.equip(this.#remarks.toolbar);
    this.#remarks.toolbar.addEventListener("remark-layer", ({ detail }) => detail === "own" && this.wire?.openOwnLayer());
    this.awake.want(true);
    const kept = quick.get(`part.${this.user}.${id}`);
    const chosen = part ?? kept?.part ?? (whole.parts.length === 1 ? 0 : null);
    this.openPart(chosen ?? 0, page ?? kept?.page ?? 0);
    this.wire?.start();
    if (room) this.preferences.fetch(room, this.stand).then(() => opening === this.#opening && this.#lay());
    if (chosen === null) this.chrome.askPart();
    // A newer edition is looked for behind the music.
    shelf.score(id, true).then((fresh) => {
      if (opening === this.#opening && (fresh.revision ?? "") !== (whole.revision ?? "")) {
        this.score = fresh;
        this.openPart(Math.min(this.part, fresh.parts.length - 1), this.turning.view.page);
      }
    }).catch(() => {});
  }

  /** Puts a part on the stand. */
  openPart(part, page) {
    this.part = Math.min(Math.max(part, 0), this.score.parts.length - 1);
    const sheets = this.score.parts[this.part];
    const picture = (kind) => (number) => shelf.picture(this.score, this.part, number, kind);
    this.paper.open(sheets, picture());
    this.strip.open(sheets, picture("thumbnail"));
    this.turning.open({ page: Math.max(page, 0), facing: this.#facing(), count: this.count });
    this.turning.byHalves = this.preferences.value.halfTurns;
    this.#show();
    this.#remarksChanged();
    this.wire?.enter();
    this.#pinpointed(this.content?.pinpoint ?? null, false);
    this.chrome.paint();
  }

  close() {
    this.#opening += 1;
    this.wire?.stop();
    this.wire = null;
    this.paper.close();
    this.#remarks?.close?.();
    this.#remarks = null;
    this.live.clear();
    this.turnsForAll = false;
    this.isOpen = false;
    this.room = this.score = null;
    this.awake.want(false);
  }

  /** Leaves the room for good, until it is chosen again. */
  leave(sentence = "") {
    if (this.content?.isRunning && this.content.participation(this.user)) this.act({ leave: true });
    this.wire?.farewell();
    this.close();
    this.listener.left(sentence);
  }

  rejoin() {
    this.wire?.link.join();
  }

  /** The stand goes on without the server; a word says why. */
  standAlone(sentence) {
    this.chrome.sign("sign-offline", sentence);
  }

  // -- Turning ------------------------------------------------------------------------------------------------

  turn(direction) {
    this.#owned(this.turning.press(direction, this.live.isFollowing && this.preferences?.value.followsMusic));
  }

  #owned(page) {
    this.#show();
    if (page === null) return;
    this.wire?.link.deliver(page);
    if (this.look.value.pair) this.#neighbours?.postMessage({ user: this.user, room: this.room, score: this.score.id, part: this.part, page });
    if (this.turnsForAll && this.leads && this.content.isRunning) this.act({ turn: [this.part, Math.max(page, 0)] });
  }

  /** The other stand of a pair was turned. */
  #neighbour({ user, room, score, part, page }) {
    if (!this.isOpen || !this.look.value.pair || user !== this.user || room !== this.room || score !== this.score?.id || part !== this.part) return;
    this.turning.own(page);
    this.#show();
    this.wire?.link.deliver(this.turning.view.page);
  }

  #facing() {
    return this.preferences.facingOn(find("stage"), this.count, this.look.value.pair);
  }

  /** The stage or what lies on it changed: pages are laid anew. */
  #lay() {
    if (!this.score || !this.preferences) return;
    const facing = this.#facing();
    if (facing !== this.turning.facing) this.turning.open({ page: Math.max(this.turning.view.page, 0), facing, count: this.count });
    this.turning.byHalves = this.preferences.value.halfTurns;
    this.#show();
  }

  #show() {
    const { view, facing } = this.turning;
    this.paper.show(view, facing, this.look.value.pair);
    const seen = this.paper.visible;
    this.strip.show(seen, this.preferences.value.pageLeads);
    write(find("page-number"), `${seen.map((page) => page + 1).join("–")} / ${this.count}`);
    const page = Math.max(view.page, 0);
    quick.put(`part.${this.user}.${this.score.id}`, { part: this.part, page });
    this.listener.where({ room: this.room, score: this.score.id, part: this.part, page });
    this.live.paint();
    this.#tell();
  }

  #tell() {
    if (!this.wire) return;
    const { view, facing } = this.turning;
    this.preferences.tell(this.room, this.stand, { part: this.part, page: Math.max(view.page, 0), facing, pair: this.look.value.pair });
  }

  /** The player changed how pages turn. */
  prefer(fields) {
    this.preferences.set(fields);
    this.#lay();
  }

  #looked(fields) {
    if (!this.isOpen || !this.score) return;
    if ("pair" in fields) this.#lay();
    this.live.paint();
  }

  /** Back to where the music is, and on with it. */
  fallIn() {
    const page = this.live.page;
    if (page !== null && this.turning.fallIn(page)) this.#show();
    this.wire?.link.fallIn();
  }

  // -- The room -----------------------------------------------------------------------------------------------

  /** Makes an act, keeps it until it is delivered, and gives its id. */
  act(act) {
    return this.wire?.make(act) ?? null;
  }

  /** The copy took acts; `isFresh` where it was given whole. */
  took(acts, isFresh) {
    for (const { name, value } of acts) {
      if (name === "turn") this.#ordered(value);
      if (name === "pinpoint") this.#pinpointed(value, true);
      if (name === "endPinpoint") this.#pinpointed(null, true);
      if (name === "begin") say("The session has begun.");
      if (name === "endSession") notice("The session has ended.");
    }
    if (isFresh) this.#pinpointed(this.content.pinpoint, false);
    this.#remarksChanged();
    this.chrome.paint();
  }

  #remarksChanged() {
    const { copy } = this.wire ?? {};
    if (!this.#remarks || !copy) return;
    const shown = copy.shown;
    if (!shown) return;
    const session = shown.isRunning ? shown.session.id : null;
    this.#remarks.update({
      remarks: [...shown.remarks.elements, ...shown.ownRemarks.elements],
      layers: {
        public: session ? shown.layers.elements.findLast((layer) => layer.session === session)?.id ?? null : null,
        own: session ? this.wire.ownLayer(session) : null,
      },
      undelivered: copy.undeliveredRemarks,
      names: Object.fromEntries(shown.members.elements.map((member) => [member.user, member.name])),
    });
  }

  setTool(tool) {
    this.#remarks?.setTool(tool);
  }

  #ordered(turn) {
    const page = this.score && pageInPart(turn, this.part, this.score);
    if (page === null || page === undefined || !this.content.participation(this.user)) return;
    if (this.turning.ordered(page)) this.#show();
  }

  #pinpointed(pinpoint, isNew) {
    if (!this.score) return;
    this.#pinpoint = pinpoint ? { measure: pinpoint.measure ?? null, movement: pinpoint.movement ?? 0, isTakenUp: false } : null;
    const place = pinpoint ? pinpointPlace(pinpoint, this.part, this.score) : null;
    this.paper.mark("pinpoint", place && (place.box || place.point) ? { page: place.page, box: place.box, point: place.box ? null : place.point } : null);
    if (place && isNew && this.turning.ordered(place.page)) this.#show();
    const bar = pinpoint?.measure;
    const sentence = pinpoint ? (bar === null || bar === undefined ? "From the place marked" : `From bar ${bar}`) : "";
    this.chrome.sign("sign-pinpoint", sentence);
    if (isNew && sentence) say(`${sentence}, page ${(place?.page ?? this.turning.view.page) + 1}.`);
  }

  /** Once the players have taken up the place shown and are well on their way, nothing need be shown any more. */
  #leavePinpoint() {
    const bar = this.#pinpoint ? this.live.barOf(this.#pinpoint.movement) : null;
    const { measure = null } = this.#pinpoint ?? {};
    if (bar === null || measure === null) return;
    if (Math.abs(bar - measure) <= 2) this.#pinpoint.isTakenUp = true;
    else if (this.#pinpoint.isTakenUp && bar >= measure + 4) this.#pinpointed(null, false);
  }

  /** A long press on a bar: its leader shows all from where to play again. */
  #long(x, y, target) {
    if (!this.leads || !this.content.isRunning || target.closest?.("[data-remark]")) return;
    const spot = this.paper.spotAt(x, y);
    if (!spot) return;
    navigator.vibrate?.(15);
    this.act({ pinpoint: pinpointOf(spot.x, spot.y, spot.page, this.part, this.score) });
  }

  /** A word of the hub that is no event. */
  heard(message) {
    if (message.follow && this.preferences?.value.followsMusic !== false && !this.wire?.link.owesHand) {
      if (this.turning.follow(message.follow)) this.#show();
    }
    if (message.live) {
      this.live.hear(message.live);
      this.#leavePinpoint();
    }
  }

  /** Whether a sheet is the one that lies there. */
  shows(page) {
    return this.paper.visible.includes(page) || sheetOf(page, this.turning.facing) === this.turning.view.page;
  }

  setRemarking(isOn) {
    mark(find("toolbox"), "hidden", !isOn);
    mark(document.body, "data-remarking", isOn ? "" : null);
    if (!isOn) this.setTool(null);
  }
}

/** A key that something else than the stand is waiting for. A pedal turns pages whatever has the focus. */
function isMeantFor({ key, target }) {
  if (target.closest?.("input, textarea, select, [contenteditable]")) return true;
  return ["Enter", " "].includes(key) && target.closest?.("button, a, summary") !== null && target.closest !== undefined;
}
