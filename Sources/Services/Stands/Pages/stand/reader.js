// The stand while music is on it: one score, one part, perhaps a room. Everything else asks this for what is the case.
import { find, mark, write } from "/shared/dom.js";
import { Awake } from "/shared/awake.js";
import { pageID } from "/shared/ids.js";
import { Chrome } from "./chrome.js";
import { Evening, partFor } from "./evening.js";
import { listenToHands, listenToPedal, rejectPalms } from "./hands.js";
import { Lens } from "./lens.js";
import { Live } from "./live.js";
import { filedAct, laidPage, laidScore } from "./layout.js";
import { Look } from "./look.js";
import { marksByPage, marksOf } from "./marks.js";
import { Onward } from "./onward.js";
import { Paper } from "./paper.js";
import { listenToPinches, zoomedByKey } from "./pinch.js";
import { Pinpoint } from "./pinpoint.js";
import { placeOf } from "./places.js";
import { Preferences } from "./preferences.js";
import { Remarking } from "./remarking.js";
import { Bookmarks } from "./remarks/bookmarks.js";
import { RoomWire } from "./roomwire.js";
import { askPageLead } from "./settings.js";
import { sheetOf } from "./sheets.js";
import * as shelf from "./shelf.js";
import { quick } from "./store.js";
import { Strip } from "./strip.js";
import { Tools } from "./tools.js";
import { Turner } from "./turner.js";
import { Turning } from "./turning.js";
import { serverIsNewer } from "./whereabouts.js";
import { dialogIsOpen, notice, say } from "./words.js";
import { isRewritable, readingOf, setReading, writtenPart, writtenPicture } from "./written.js";

export class Reader {
  isOpen = false;
  room = null; // its id; null if one plays alone
  score = null;
  part = 0;
  isPartChosen = false; // by the player; until then the first part lies there
  wire = null; // RoomWire
  preferences = null;
  turning = new Turning();
  stand = pageID("baton.stand.id"); // one of its own for each tab
  evening = new Evening(this);
  onward = new Onward(this);
  /** Until it is known which page is the newest, after a crash: this device's or the server's. */
  settled = Promise.resolve();
  #opening = 0;
  #coming = null; // the id of the score that is being opened
  #early = {}; // the newest `follow` and `live` on the open score while it does not lie here yet
  #renewal = null;

  constructor(device, listener) {
    this.device = device;
    this.listener = listener;
    this.look = new Look((fields) => this.#looked(fields));
    this.remarking = new Remarking(this);
    this.paper = new Paper(find("stage"), {
      attach: (element, page) => {
        this.remarking.attach(element, page);
        this.tools.links.attach(element, page);
      },
      detach: (element) => {
        this.tools.links.detach(element);
        this.remarking.detach(element);
      },
      failed: (page) => this.paper.visible.includes(page) && this.wire?.state !== "joined"
        && notice(`Page ${page + 1} is not on this device, and the server does not answer.`),
    });
    this.lens = new Lens(this.paper, (scale) => this.#zoomed(scale));
    this.turner = new Turner(this);
    this.pinpoint = new Pinpoint(this);
    this.bookmarks = new Bookmarks(this);
    this.strip = new Strip(find("strip"), {
      go: (page) => this.turner.go(page),
      long: (page) => askPageLead(this, this.score.parts[this.part].pages[page].page),
    });
    this.live = new Live(this);
    this.chrome = new Chrome(this);
    this.tools = new Tools(this);
    this.awake = new Awake(notice);
    this.#listen();
  }

  #listen() {
    const { lens, turner } = this;
    const stage = find("stage");
    const hands = {
      turn: (direction) => turner.turn(direction),
      middle: () => this.chrome.toggle(),
      twice: (point) => (lens.isWhole ? lens.go(2, point) : lens.whole()),
      long: (x, y, target) => this.pinpoint.put(x, y, target),
      edge: (which) => turner.go(which === "first" ? 0 : this.count - 1),
      drag: (across, down) => {
        if (!lens.isWhole) lens.pan(across, down);
        return !lens.isWhole;
      },
      dropped: () => lens.release(),
    };
    rejectPalms(stage);
    listenToPinches(stage, lens);
    listenToHands(stage, hands);
    listenToPedal(hands, () => this.isOpen && !dialogIsOpen(), (event) => zoomedByKey(event, lens));
    find("whole").addEventListener("click", () => {
      lens.whole();
      stage.focus({ preventScroll: true });
    });
    new ResizeObserver(() => this.isOpen && turner.lay()).observe(stage);
    // Without a room, nobody says that the score has changed.
    document.addEventListener("visibilitychange",
      () => this.isOpen && !this.wire && document.visibilityState === "visible" && this.renew());
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

  /** Opens a score: in a room, as the `entry` of a setlist, or alone. Throws Refusal where neither this device nor the
      server has it. */
  async open({ room = null, score = null, part = null, page = null, list = null, entry = null }) {
    this.close();
    const opening = (this.#opening += 1);
    this.isOpen = true;
    this.room = room;
    this.chrome.show(false);
    if (room) {
      this.wire = new RoomWire(this, room);
      await this.wire.load();
    }
    const id = score ?? this.content?.openScore ?? (await this.wire?.scoreID());
    await this.onward.take(list, entry, id);
    if (opening !== this.#opening) return;
    const whole = await this.evening.fetch(id);
    if (opening !== this.#opening) return;
    this.remarking.open();
    this.awake.want(true);
    const kept = quick.get(`part.${this.user}.${id}`);
    if (whole) this.#lay(whole, part ?? partFor(this.user, whole), page ?? kept?.page ?? 0, opening);
    this.wire?.start();
    if (list) this.evening.ready();
  }

  /** Opens the score that is open in the room, where another one lies here: as a page is turned. It lies at `page` of
      its file, or, if `obeys`, at the page to which its leader has turned. */
  followOpen(page = 0, obeys = true) {
    const id = this.content?.openScore;
    if (!this.isOpen || !id || id === this.#coming || this.evening.lies(id)) return Promise.resolve();
    return this.openOther(id, page)
      .then(() => obeys && this.content?.turn && this.turner.ordered(this.content.turn));
  }

  /** A score that is on its way does not lie down any more where the leader has gone back meanwhile. */
  #callOff() {
    if (this.#coming === null || this.#coming === this.content.openScore) return;
    this.#opening += 1;
    this.#coming = null;
  }

  /** Opens another score of the programme on this stand, on the part that the player has. */
  async openOther(id, page = 0) {
    const opening = (this.#opening += 1);
    this.#early = {};
    this.#coming = id;
    const whole = await this.evening.fetch(id).finally(() => opening === this.#opening && (this.#coming = null));
    if (opening !== this.#opening) return;
    if (this.tools.dock.name === "listen") this.tools.dock.close();
    this.wire?.link?.forgetHand();
    this.live.clear();
    if (whole) this.#lay(whole, partFor(this.user, whole, this.evening.partName), page, opening, true);
    this.evening.opened();
    this.#hearEarly();
  }

  /** Lays a score on the stand, at a page of its file; `chosen` null asks for the part, with `isKnown` first the
      server, which may know it. */
  #lay(whole, chosen, page, opening, isKnown = false) {
    const { room } = this;
    const { id } = whole;
    this.remarking.settle();
    this.score = laidScore(whole);
    this.preferences = new Preferences(this.user, id, () => this.device.vouch());
    const at = (part) => laidPage(this.score.parts[part] ?? this.score.parts[0], page);
    this.openPart(chosen ?? 0, at(chosen ?? 0), chosen !== null);
    const told = room ? this.preferences.fetch(room, this.stand) : Promise.resolve(null);
    told.then((found) => {
      if (opening !== this.#opening) return;
      const part = found?.part ?? null;
      if (chosen === null && isKnown && part !== null && whole.parts[part]) this.openPart(part, at(part), true);
      else if (chosen === null && isKnown) this.chrome.askPart();
      else if (room) this.turner.lay();
    });
    if (chosen === null && !isKnown) this.chrome.askPart();
    this.evening.tellOnly(this.score.parts);
    // Looks for a newer edition while the music is shown already.
    shelf.score(id, true).then((fresh) => {
      if (opening === this.#opening && edition(fresh) !== edition(whole)) this.lay(fresh);
    }).catch((refusal) => opening === this.#opening && this.#tellBin(refusal));
  }

  /** Takes a newer edition of the score, and goes on where it is: at the page of the file that lies there, even if that
      page now has another place. */
  lay(fresh) {
    const { page } = this.score.parts[this.part].pages[Math.max(this.turning.view.page, 0)] ?? { page: 0 };
    this.score = laidScore(fresh);
    const part = Math.min(this.part, fresh.parts.length - 1);
    this.openPart(part, laidPage(this.score.parts[part], page));
  }

  /** Not all stands of an orchestra at the same moment. */
  #renewSoon() {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => this.renew(), Math.random() * 1_000);
  }

  /** Looks whether there is a newer edition of the score, and takes it. */
  async renew() {
    const [opening, before] = [this.#opening, this.score];
    if (!before) return;
    const fresh = await shelf.score(before.id, true)
      .catch((refusal) => opening === this.#opening && this.#tellBin(refusal));
    if (fresh && opening === this.#opening && edition(fresh) !== edition(this.score)) this.lay(fresh);
  }

  /** What lies on the stand stays, but whoever reads it is told that it is in the bin. */
  #tellBin({ code, message }) {
    if (code === "score-in-bin") notice(message);
    return null;
  }

  /** After the page was opened again: the server's page counts where it came to lie there later than the one this
      device had `kept`, and nobody has turned since. */
  comeBack(home, kept) {
    const there = home?.whereabouts;
    if (!this.isOpen || !this.score || !there || there.room !== this.room || there.part !== this.part) return;
    if (there.score && there.score !== this.score.id) return;
    const part = this.score.parts[this.part];
    if (!serverIsNewer(home, kept) || !this.shows(laidPage(part, kept.page ?? 0))) return;
    this.turner.goTo(laidPage(part, there.page));
  }

  /** Puts a part on the stand. */
  openPart(part, page, isChosen = this.isPartChosen) {
    this.isPartChosen = isChosen;
    this.part = Math.min(Math.max(part, 0), this.score.parts.length - 1);
    const sheets = this.score.parts[this.part];
    this.paper.open(sheets, (number, isZoomed) => this.#picture(number, isZoomed));
    this.strip.open(sheets, (number) => this.#thumbnail(number), marksByPage(marksOf(this.score), sheets, placeOf));
    this.turning.open({ page: Math.max(page, 0), facing: this.turner.facing, count: this.count });
    this.turning.byHalves = this.preferences.value.halfTurns;
    this.remarking.update();
    if (isChosen && this.score.parts.length > 1) this.evening.partName ??= this.score.parts[this.part].name;
    this.paper.crop(this.look.value.crop, (number) => this.remarking.boxesOn(number));
    this.turner.arrange();
    this.turner.show();
    this.wire?.enter();
    this.pinpoint.show(this.content?.pinpoint ?? null, false);
    this.chrome.paint();
    this.tools.opened();
  }

  /** The interval by which the open part is read higher than it is written; null for as it is. */
  get reading() {
    if (!this.score || !isRewritable(this.score, this.part)) return null;
    return readingOf(this.user, this.score.id, this.part);
  }

  /** Reads the open part higher by an interval, or with "" as it is written. Throws Refusal where that is not to be
      had. */
  async readIn(interval) {
    const { score, part, user } = this;
    if (interval) await writtenPart(score, part, interval);
    setReading(user, score.id, part, interval);
    if (this.score === score && this.part === part) this.openPart(part, Math.max(this.turning.view.page, 0));
  }

  /** The picture of a page of the open part, in the key in which it is read. */
  async #picture(number, isZoomed) {
    const { score, part, reading } = this;
    const laid = score.parts[part].pages[number];
    if (reading && !laid.isBlank) {
      try {
        return await writtenPicture(score, part, laid.page, reading);
      } catch (refusal) {
        // Without the server the page waits: other notes than the player expects help nobody.
        if (!(refusal.status >= 400 && refusal.status < 500)) throw refusal;
        setReading(this.user, score.id, part, null);
        notice(`${refusal.message} It is shown as it is written.`);
      }
    }
    return { blob: await (isZoomed ? shelf.largePicture : shelf.picture)(score, part, number) };
  }

  /** The picture of a page of the open part for its thumbnail, in the key in which it is read. */
  async #thumbnail(number) {
    const { score, part, reading } = this;
    const laid = score.parts[part].pages[number];
    if (reading && !laid.isBlank) return writtenPicture(score, part, laid.page, reading);
    return { blob: await shelf.picture(score, part, number, "thumbnail") };
  }

  close() {
    this.#opening += 1;
    this.#coming = null;
    this.wire?.stop();
    this.wire = null;
    this.lens.reset();
    this.paper.close();
    this.remarking.close();
    this.live.clear();
    this.tools.close();
    this.isOpen = false;
    this.room = this.score = null;
    this.evening.close();
    this.onward.close();
    this.isPartChosen = false;
    this.awake.want(false);
  }

  /** True while this leader's turns turn all stands: for one session, also after the page was loaded anew. */
  get turnsForAll() {
    const session = this.content?.session?.id;
    return session !== undefined && quick.get(`turns-all.${this.user}`) === session;
  }

  /** Turns all stands from now on in a session, or with null no longer. */
  turnAllIn(session) {
    quick.put(`turns-all.${this.user}`, session);
  }

  /** Leaves the room for good, until it is chosen again. */
  leave(sentence = "") {
    if (this.content?.isRunning && this.content.participation(this.user)) this.act({ leave: true });
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

  // -- Layout of the pages -----------------------------------------------------------------------------------

  /** The player changed how pages turn. */
  prefer(fields) {
    this.preferences?.set(fields);
    this.turner.lay();
  }

  #looked(fields) {
    if (!this.isOpen || !this.score) return;
    if ("pair" in fields) this.turner.lay();
    if ("crop" in fields) this.paper.crop(fields.crop);
    this.live.paint();
  }

  /** While not all of a page is seen, its number gives way to the way back. */
  #zoomed(scale) {
    const isZoomed = scale > 1;
    find("whole").hidden = !isZoomed;
    mark(document.body, "data-zoomed", isZoomed ? "" : null);
    if (isZoomed) write(find("whole"), `${scale.toFixed(1)}× · whole page`);
  }

  /** True if this sheet is the one that is shown. */
  shows(page) {
    return this.paper.visible.includes(page) || sheetOf(page, this.turning.facing) === this.turning.view.page;
  }

  setTool(tool) {
    this.remarking.setTool(tool);
  }

  setRemarking(isOn) {
    mark(find("toolbox"), "hidden", !isOn);
    mark(document.body, "data-remarking", isOn ? "" : null);
    if (isOn) return this.remarking.resume();
    this.setTool(null);
    // Remarks in a margin are seen from now on; while somebody writes, nothing moves under the pen.
    return this.paper.layout();
  }

  // -- The room -----------------------------------------------------------------------------------------------

  /** Makes an act, keeps it until it is delivered, and gives its id. */
  act(act) {
    const filed = filedAct(act, this.score);
    return this.wire?.make(this.evening.named(filed)) ?? null;
  }

  /** The copy took acts; `isFresh` where it was given whole. */
  took(acts, isFresh) {
    for (const { name, value } of acts) {
      if (name === "turn") this.turner.ordered(value);
      if (name === "pinpoint") this.pinpoint.show(value, true);
      if (name === "endPinpoint") this.pinpoint.show(null, true);
      if (name === "begin") {
        say("The session has begun.");
        this.tools.sessionBegan();
      }
      if (name === "endSession") notice("The session has ended.");
    }
    const opensAnother = acts.some(({ name }) => name === "openScore");
    if (opensAnother) this.#callOff();
    if (isFresh || opensAnother) this.followOpen();
    if (isFresh) this.pinpoint.show(this.content.pinpoint, false);
    this.remarking.update();
    if (!document.body.hasAttribute("data-remarking")) this.paper.layout();
    this.tools.update();
    this.chrome.paint();
  }

  /** Takes the words that came before their score lay here. */
  #hearEarly() {
    const { follow, live } = this.#early;
    this.#early = {};
    if (live) this.heard({ live });
    if (follow) this.heard({ follow });
  }

  /** A word of the hub that is no event. */
  heard(message) {
    if (message.edition) this.#renewSoon();
    const word = message.follow ?? message.live;
    if (!word) return;
    // A word on the score that was open a moment ago says nothing of this one; one on the score that is being opened
    // counts as soon as it lies here, for the hub says it once.
    const score = this.content?.scoreOf(word);
    if (score !== this.score?.id) {
      if (score === this.content?.openScore) Object.assign(this.#early, message);
      return;
    }
    if (message.follow) this.turner.follow(message.follow);
    if (message.live) {
      this.live.hear(message.live);
      this.turner.followBar();
      this.tools.hush();
      this.pinpoint.leave();
    }
  }
}

/** A text that differs between two editions of a score: the librarians' changes, and the boxes found on its pages. */
const edition = (score) => `${score.revision ?? ""} ${JSON.stringify(score.parts.map(({ layout }) => layout ?? null))}`;
