// The page /practice: the library, and one tab to edit and play. It works alone; the server keeps what it can.
import { find, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { lastAccountKey } from "/shared/lastaccount.js";
import { notice } from "/shared/notice.js";
import { Ear } from "./ear.js";
import { Editor } from "./editor.js";
import { faultOf } from "./fault.js";
import { tellFoot } from "./foot.js";
import { Keeping } from "./keeping.js";
import { carryOut } from "./keys.js";
import { Library } from "./library.js";
import { completed } from "/shared/tabmodel.js";
import { Palette } from "./palette.js";
import { Playing } from "./playing.js";
import { readersPart } from "./readers.js";
import { Sheet, zooms } from "./sheet.js";
import { Store } from "./store.js";
import { Sync } from "./sync.js";
import { TabDialog } from "./tabdialog.js";

const say = (text, tone = "plain") => notice(text, { tone, seconds: 7 });
const windows = new BroadcastChannel("baton-practice"); // of this browser: one tells the others that it kept a tab
const notationKey = "baton-practice-notation";
/** The time between two looks for newer versions while a tab is open and seen, in milliseconds. */
const openRenewal = 4_000;
const isTouched = matchMedia("(pointer: coarse)").matches;

class Page {
  #store;
  #sync;
  #library;
  #keeping;
  #editor = null;
  #sheet;
  #palette;
  #playing;
  #dialog;
  #ear = new Ear(() => {
    const { strings = [], capo = 0 } = this.#editor?.track ?? {};
    return strings.map((pitch) => pitch + capo);
  });
  #soon = null;
  #state = null;

  constructor(store) {
    this.#store = store;
    this.#keeping = new Keeping(store, (state) => this.#showKept(state), () => this.#sync.account ?? null);
    this.#library = new Library({ store, sync: () => this.#sync, say });
    const editor = () => this.#editor;
    this.#sheet = new Sheet(find("sheet"), {
      chosen: (cell) => {
        if (this.#playing.isPlaying) return;
        this.#editor.moveTo(cell);
        find("sheet").focus();
      },
      banded: (bar) => this.#playing.tapBar(bar),
    });
    this.#palette = new Palette(find("palette"), editor);
    this.#playing = new Playing({ editor, sheet: this.#sheet, say });
    this.#playing.unlocked = () => this.#showButtons();
    this.#dialog = new TabDialog(editor, {
      hasNotation: () => this.#sheet.withNotation,
      showNotation: () => {
        this.#sheet.setNotation(!this.#sheet.withNotation);
        keep(notationKey, this.#sheet.withNotation);
      },
      isShared: () => this.#keeping.kept.isShared,
      share: () => this.#keeping.change({ isShared: !this.#keeping.kept.isShared }),
      readers: () => (this.#sync.hasAccounts && !this.#keeping.kept.owner ? readersPart(this.#keeping.kept) : null),
      save: (kind) => this.#library.give(this.#editor.tab, kind),
      follow: () => this.#library.follow({ ...this.#keeping.kept, tab: this.#editor.tab }),
      tune: () => this.#ear.open(),
      copyBars: () => this.#copyBars(), cutBars: () => this.#cutBars(), say: (text) => say(text, "bad"),
    });
    this.#sheet.setNotation(readKept(notationKey) === true);
    this.#sync = new Sync(store, (told) => this.#synced(told));
    this.#listen();
  }

  #listen() {
    find("leave").onclick = () => (location.hash = "");
    find("undo").onclick = () => this.#editor.undo();
    find("redo").onclick = () => this.#editor.redo();
    find("zoom-in").onclick = () => this.#zoom(1);
    find("zoom-out").onclick = () => this.#zoom(-1);
    find("more").onclick = () => this.#dialog.open();
    for (const id of ["hear", "tune"]) find(id).onclick = () => this.#ear.open();
    find("title").onchange = ({ target }) => this.#editor.edit((tab) => ({ ...tab, title: target.value.trim() }));
    find("title").onblur = ({ target }) => this.#editor && this.#showTab(document.activeElement === target);
    addEventListener("hashchange", () => this.show());
    addEventListener("online", () => this.#sync.run());
    addEventListener("focus", () => this.#sync.run());
    // Another window signed out.
    addEventListener("storage", ({ key }) => key === lastAccountKey && this.#sync.run());
    // A page that the browser brings back shows nothing before it is known who is there.
    addEventListener("pagehide", ({ persisted }) => persisted && (document.body.hidden = true));
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    windows.addEventListener("message", () => this.#changedInOtherWindow());
    setInterval(() => this.#state !== "anonymous" && this.#sync.run(), 30_000);
    // An open tab takes up soon what another device changes, before it is written on here.
    setInterval(() => this.#state === "done" && this.#editor && !document.hidden && this.#sync.run(), openRenewal);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (!this.#editor || document.querySelector("dialog[open]") || event.target.matches("input, select, textarea")) {
      return;
    }
    // A button that has the focus keeps its own key.
    if (event.key === " " && event.target.matches("button") || event.key === "Enter") return;
    if (this.#playing.isPlaying && ![" ", "Escape", "+", "-"].includes(event.key)) return;
    const isOurs = carryOut(event, this.#editor, {
      play: () => this.#playing.toggle(), playHere: () => this.#playing.toggle(this.#editor.cursor.bar),
      stop: () => this.#playing.stop(), loop: () => this.#playing.toggleLoop(), zoom: (by) => this.#zoom(by),
      save: () => this.#sync.run(), copyBars: () => this.#copyBars(), cutBars: () => this.#cutBars(),
    });
    if (isOurs) event.preventDefault();
  }

  /** The bars that are looped, or the cursor's bar. */
  #chosenBars() {
    const { bar } = this.#editor.cursor;
    return this.#playing.loop ?? [bar, bar];
  }

  #copyBars() {
    const count = this.#editor.copyBars(this.#chosenBars());
    say(count === 1 ? "The bar is copied." : `${count} bars are copied.`);
  }

  #cutBars() {
    const bars = this.#chosenBars();
    this.#editor.copyBars(bars);
    if (this.#editor.removeBars(bars)) this.#playing.setLoop(null);
  }

  #zoom(by) {
    const at = zooms.indexOf(this.#sheet.zoom);
    this.#sheet.setZoom(zooms[Math.max(0, Math.min(zooms.length - 1, at + by))]);
    this.#showButtons();
  }

  // MARK: Library and tab

  /** Shows what the address says: the library, or one tab. */
  async show() {
    const id = /^#\/([a-z0-9-]{8,40})$/.exec(location.hash)?.[1];
    const kept = id ? await this.#store.read(id) : null;
    if (kept?.account && this.#sync.account === undefined) {
      await this.#sync.known;
      return this.show();
    }
    if (id && (!kept || kept.isRemoved || !this.#sync.isOurs(kept))) {
      say(kept?.account && this.#sync.account === null ? "This tab belongs to an account. Sign in to see it."
        : "This tab is not on this device. It may come with the next sync.", "bad");
      location.replace("#");
      return undefined;
    }
    if (kept && kept.id === this.#keeping.kept?.id && this.#editor) return undefined;
    const fault = kept && faultOf(kept.tab);
    if (fault) {
      say(`“${kept.tab?.title || kept.title || "Untitled"}” cannot be opened. ${fault}`, "bad");
      location.replace("#");
      return undefined;
    }
    this.#playing.stop();
    document.body.dataset.view = kept ? "tab" : "shelf";
    find("shelf").hidden = Boolean(kept);
    find("tab").hidden = !kept;
    if (kept) this.#open(kept);
    else {
      this.#keeping.close();
      this.#editor = null;
      await this.#library.show();
      document.title = "Practice · Baton";
    }
    return undefined;
  }

  /** Shows a tab, or a newer version of the open one: a title that is being typed stays then, and goes into it. */
  #open(kept) {
    const isTyping = kept.id === this.#keeping.kept?.id && document.activeElement === find("title");
    this.#keeping.open(kept);
    this.#editor = new Editor(completed(kept.tab), {
      changed: (what) => this.#changed(what), refused: (sentence) => say(sentence, "bad"),
    });
    this.#sheet.show(this.#editor.tab, 0);
    find("sheet").scrollTop = 0;
    this.#playing.reset();
    this.#changed("cursor");
    this.#showTab(isTyping);
    write(find("saved"), this.#store.isLasting ? "Saved" : "Not kept: this browser forbids it");
    if (!isTyping) find("sheet").focus();
  }

  #changed(what) {
    const { cursor, tab } = this.#editor;
    if (what === "tab") {
      this.#showTab();
      this.#keeping.change({ tab });
    }
    this.#sheet.show(tab, cursor.track);
    this.#sheet.setCursor(cursor);
    this.#sheet.reveal();
    write(find("place"), this.#editor.describe());
    this.#palette.show();
    this.#showButtons();
  }

  /** The open tab goes on as a copy; a title that is being typed stays. */
  #retitle(title) {
    this.#editor.retitle(title);
    this.#showTab(document.activeElement === find("title"));
  }

  #showTab(isTyping = false) {
    const { tab } = this.#editor;
    if (!isTyping) find("title").value = tab.title;
    document.title = `${tab.title || "Untitled"} · Practice`;
    this.#playing.show();
  }

  #showButtons() {
    if (!this.#editor || this.#playing.isPlaying) return;
    find("undo").disabled = !this.#editor.canUndo;
    find("redo").disabled = !this.#editor.canRedo;
    mark(find("zoom-in"), "disabled", this.#sheet.zoom === zooms.at(-1));
    mark(find("zoom-out"), "disabled", this.#sheet.zoom === zooms[0]);
  }

  /** Says how the open tab is kept. */
  #showKept(state) {
    const saved = this.#store.isLasting ? "Saved" : "Not kept: this browser forbids it";
    write(find("saved"), { saving: "Saving …", saved, failed: "Not saved", copied: "Saving …" }[state]);
    if (state === "saved") {
      this.#syncSoon();
      windows.postMessage(this.#keeping.kept?.id ?? null);
    }
    if (state === "failed") say("This device has no space left for the tab. Export it, or delete others.", "bad");
    if (state === "copied") {
      history.replaceState(null, "", `#/${this.#keeping.kept.id}`);
      this.#retitle(this.#keeping.kept.tab.title);
      say("This is a copy of your own now; the other stays as it is.");
    }
  }

  /** Shows what another window of this browser wrote, unless this one has changes of its own. */
  async #changedInOtherWindow() {
    if (!this.#editor) return this.#library.show();
    await this.#keeping.done();
    const { kept } = this.#keeping;
    const mine = kept && await this.#store.read(kept.id);
    const isBusy = this.#playing.isPlaying || document.querySelector("dialog[open]");
    if (!mine || mine.isRemoved || isBusy || !this.#isReplacedBy(mine)) return undefined;
    const { cursor } = this.#editor;
    this.#open(mine);
    this.#editor.moveTo(cursor);
    return undefined;
  }

  #isReplacedBy(kept) {
    return this.#keeping.isReplacedBy(kept) && !faultOf(kept.tab);
  }

  // MARK: The server

  sync() {
    return this.#sync.run();
  }

  /** Sends what is new soon, not with every key. */
  #syncSoon() {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#sync.run(), 1_000);
  }

  async #synced(told) {
    this.#library.showSync(told);
    if (told.state !== "working") {
      if (told.changed.has("account")) this.#library.forgetPieces();
      if (told.state === "done" && (this.#state !== "done" || told.changed.has("account"))) this.#library.findPieces();
      this.#state = told.state;
    }
    if (told.sentence) say(told.sentence, "bad");
    if (told.state === "working" || told.changed.size === 0) return;
    if (!this.#editor) return this.#library.show();
    const all = await this.#library.tabs();
    await this.#keeping.done();
    const { kept } = this.#keeping;
    const mine = kept && await this.#store.read(kept.id);
    const moved = kept && all.find(({ copyOf }) => copyOf === kept.id && told.changed.has(copyOf));
    if (!kept) return undefined;
    if (!this.#sync.isOurs(mine ?? kept)) {
      say(this.#sync.account === null ? "You are signed out. Sign in to see this tab again."
        : "This tab belongs to another person.", "bad");
      location.hash = "";
    } else if (moved && !mine) {
      history.replaceState(null, "", `#/${moved.id}`);
      this.#keeping.open(moved);
      this.#retitle(moved.tab.title);
    } else if (moved && mine.changed !== kept.changed) {
      // The tab that was changed here goes on under its new id; the server's version is in the library.
      history.replaceState(null, "", `#/${moved.id}`);
      this.#retitle(moved.tab.title);
      this.#keeping.open({ ...moved, tab: this.#editor.tab });
      say(`This tab was changed on another device too. Both are kept: this one is now “${moved.tab.title}”.`);
    } else if (!mine) {
      say("This tab was deleted on another device.");
      location.hash = "";
    } else if (this.#isReplacedBy(mine) && !this.#playing.isPlaying) {
      this.#open(mine);
      say("A newer version came from another device.");
    } else {
      this.#keeping.refresh(mine);
    }
    return undefined;
  }
}

const page = new Page(await Store.open());
if (isTouched) document.body.dataset.touch = "";
tellFoot();
page.sync();
await page.show();
if (navigator.serviceWorker) {
  navigator.serviceWorker.register("/practice-sw.js", { scope: "/practice" }).catch(() => {});
  setTimeout(() => navigator.serviceWorker.controller?.postMessage("renew"), 3_000);
}
