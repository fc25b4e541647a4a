// The tools of every reader of music: finding a bar, links at repeats, a recording beside the music, metronome, tuner,
// keys that are learned; and the picture that explains the stand.
import { find, make } from "/shared/dom.js";
import { Actions } from "./actions.js";
import { BeatPanel } from "./beatpanel.js";
import { Dock } from "./dock.js";
import { askForBar, barForm, goToBar } from "./gotobar.js";
import { Links, linksOf } from "./links.js";
import { Listen } from "./listen.js";
import { Practise } from "./practise.js";
import { References } from "./references.js";
import { Tour } from "./tour.js";
import { Tuner } from "./tuner.js";
import { closeDialog, dialogIsOpen, notice, openDialog } from "./words.js";

export class Tools {
  #linked = []; // for what the links were made

  constructor(reader) {
    this.reader = reader;
    this.references = new References();
    this.links = new Links((movement, bar) => goToBar(reader, movement, bar));
    this.dock = new Dock();
    this.listen = new Listen(reader, this.references);
    this.practise = new Practise(reader);
    this.beat = new BeatPanel(reader, this.references);
    this.tuner = new Tuner();
    this.tour = new Tour(reader);
    this.actions = new Actions((action) => this.#run(action), () => reader.isOpen && reader.score !== null);
    const button = make("button",
      { type: "button", id: "tools-open", class: "plain", "aria-haspopup": "dialog", text: "Tools" });
    button.addEventListener("click", () => this.open());
    find("settings").before(button);
    addEventListener("keydown", (event) => this.#digit(event));
  }

  /** A part lies on the stand. */
  opened() {
    const { reader } = this;
    this.references.open(reader.score, () => this.update());
    this.update();
  }

  /** Called when the playing order may have changed: another session, or the reference has come. */
  update() {
    const { reader, references } = this;
    if (!reader.score) return;
    const { score, content } = reader;
    const session = content?.isRunning && content.scoreOf(content.session) === score.id ? content.session : null;
    this.tour.withdraw();
    this.tour.offer();
    // A room changes with every stroke of a pen: links only where what is played does.
    const key = [score, reader.part, session?.id, references.edition];
    if (key.every((value, index) => value === this.#linked[index])) return;
    this.#linked = key;
    this.links.show(linksOf(score.parts[reader.part], score.movements?.length ?? 1,
      (movement) => references.passages(score, session, movement)));
  }

  close() {
    this.dock.close();
    this.tour.leave();
    this.references.close();
    this.links.show([]);
    this.#linked = [];
  }

  /** The follower leads: what sounds or covers the music gives way. */
  hush() {
    if (!this.reader.live.isFollowing) return;
    this.listen.hush();
    this.practise.hush();
    this.beat.hush();
    this.tour.withdraw();
  }

  sessionBegan() {
    this.tour.withdraw();
    this.tour.hintForLeader();
  }

  open() {
    const { reader } = this;
    const tool = (id, text, hint, run) => {
      const button = make("button", { type: "button", class: "tool", id }, make("strong", { text }),
        make("small", { text: hint }));
      button.addEventListener("click", () => {
        closeDialog();
        reader.chrome.show(false);
        run();
      });
      return button;
    };
    openDialog("Tools", barForm(reader, this.references), make("div", { class: "tools-grid" },
      tool("tool-listen", "Recording", "beside the music, at any speed", () => this.listen.open(this.dock)),
      tool("tool-practise", "Follow me", "by the microphone, and turn my pages", () => this.practise.open(this.dock)),
      tool("tool-metronome", "Metronome", "heard or only seen", () => this.beat.open(this.dock)),
      tool("tool-tuner", "Tuner", "written for your instrument", () => this.tuner.open(this.dock)),
      tool("tool-keys", "Keys, pedals, MIDI", "learn what they do", () => this.actions.openDialog()),
      tool("tool-tour", "How this stand works", "zones, pen, pedal", () => this.tour.show())));
  }

  /** A digit that is typed while the music lies there begins the number of a bar. */
  #digit(event) {
    const { reader } = this;
    // 0 shows the whole page.
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!reader.isOpen || !reader.score || dialogIsOpen()) return;
    if (document.body.dataset.remarking !== undefined
      || event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    askForBar(reader, this.references, event.key);
  }

  #run(action) {
    const { reader } = this;
    const { live, onward, turner, turning } = reader;
    switch (action) {
      case "next": return turner.turn("forward");
      case "back": return turner.turn("back");
      case "half": {
        const before = turning.byHalves;
        turning.byHalves = true;
        turner.turn("forward");
        turning.byHalves = before;
        return undefined;
      }
      case "first": return turner.go(0);
      case "last": return turner.go(reader.count - 1);
      case "bar": return askForBar(reader, this.references);
      case "metronome":
        if (this.dock.name !== "metronome") this.beat.open(this.dock);
        return this.beat.toggle();
      case "tap":
        if (this.dock.name !== "metronome") this.beat.open(this.dock);
        return this.beat.tap();
      case "listen":
        if (this.dock.name !== "listen") this.listen.open(this.dock);
        return this.listen.toggle();
      case "music": return live.page !== null || onward.isAway ? turner.fallIn() : undefined;
      case "controls": return reader.chrome.toggle();
      case "pencil": return find("pencil").click();
      case "piece":
      case "piece-back": {
        const entry = onward.beside(action === "piece" ? "forward" : "back");
        if (!entry) return notice(`There is no piece ${action === "piece" ? "after" : "before"} this one.`);
        return reader.leads ? reader.evening.openForAll(entry) : onward.go(entry);
      }
      default: return undefined;
    }
  }
}
