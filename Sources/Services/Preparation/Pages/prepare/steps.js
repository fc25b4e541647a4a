// The way from a recording to a piece that is followed: where the piece stands, and what to do next.
import { make, mark, write } from "/shared/dom.js";
import { counted } from "./bars.js";
import { lateBars } from "./latebars.js";
import { isRunning } from "./piece.js";

const words = [["sound", "Sound"], ["bars", "Bars"], ["check", "Check"], ["prepared", "Prepared"]];

/** The steps that are done, and the next one. */
export function standing(draft, doubts) {
  const hasSound = Boolean(draft.main);
  const hasBars = draft.bars.length > 1;
  const isPrepared = Boolean(draft.prepared);
  const done = { sound: hasSound, bars: hasBars, check: hasBars && doubts === 0,
    prepared: isPrepared && draft.prepared.revision === draft.revision };
  const next = !hasSound ? "sound" : !hasBars ? "bars" : done.prepared ? null
    : doubts > 0 ? "check" : "prepared";
  return { done, next };
}

// Cards of what to do next: title, text, and buttons as action, text and look.
const withoutSound = {
  onItsWay: ["The recording is on its way …", "When it has arrived, Baton listens to it. The other pages can be used "
    + "meanwhile, in another tab."],
  empty: ["Add a recording", "Drop it anywhere on this page: FLAC, WAV, MP3, Ogg or M4A, up to two hours. Add the "
    + "score too if you have it, as MusicXML or MIDI.", ["addSound"]],
  withScore: ["Add a recording of it", "Drop it anywhere on this page: FLAC, WAV, MP3, Ogg or M4A. Without one, Baton "
    + "plays the score itself.", ["addSound"], ["renderScore", "Play the score"]],
};
const withoutBars = {
  withSound: ["Tap the bars", "Listen and press at the beginning of each bar, or of every fourth. Baton puts them on "
    + "the sound and finds those in between. With the score (MusicXML, MIDI) it finds all by itself.",
  ["tap", "Tap the bars", "chief"], ["addScore"], ["libraryScore"]],
  withScore: ["Find the bars", "Baton plays the score for itself and looks for each bar in the recording.",
    ["findBars", "Find the bars", "chief"], ["tap", "Tap them myself"]],
};
const checking = ["Each is played once. One key says that it is right, another puts it where you hear it.",
  ["check", "Begin", "chief"], ["prepare", "Prepare without checking"]];
const preparing = {
  first: ["Ready to be prepared", "This makes what the follower reads at the concert.",
    ["prepare", "Prepare", "chief"], ["rename", "Rename"]],
  again: ["Changed since it was prepared", "Prepare it again, so that the evening has these bars.",
    ["prepare", "Prepare again", "chief"]],
};

const jobWords = { listen: "Listening to the recording", align: "Finding the bars", render: "Playing the score",
  evening: "Taking a part of the evening",
  snap: "Putting the taps on the sound", reference: "Aligning the recording", prepare: "Preparing the piece" };

// A score that is not that of the recording: the sentence of the job says the rest.
export const wrongScore = {
  "wrong-score": [["replaceScore"], ["libraryScore"], ["tap", "Tap the bars instead"], ["keepScore", "Keep it anyway"]],
  "score-not-found": [["replaceScore"], ["libraryScore"], ["tap", "Tap the bars instead"]],
};

/** Whether the main recording turned out to be none while it was read. */
export const isUseless = ({ main, job }) => main?.isReady === false && main.warnings.length > 0 && !isRunning(job);

const useless = ({ name, warnings }) => ({ title: `${name} cannot be used`,
  text: [...warnings, "Choose another recording."].join(" "), buttons: [["replaceSound"]] });

export class Steps {
  element;
  #editor;
  #steps = new Map();
  #title = make("h2", { class: "next-title" });
  #text = make("p", { class: "hint" });
  #buttons = make("div", { class: "row" });
  #progress = make("progress", { max: 1 });
  #card;
  #shown = "";
  #actions;
  #bringsSound;

  /**
   * `actions` are the buttons by name: addSound, replaceSound, addScore, replaceScore, libraryScore, keepScore,
   * renderScore, findBars, tap, check, showLate, prepare, rename, stop. `bringsSound()` says whether a recording is on
   * its way.
   */
  constructor(editor, actions, bringsSound) {
    this.#editor = editor;
    this.#actions = actions;
    this.#bringsSound = bringsSound;
    const list = make("ol", { class: "steps", "aria-label": "Steps" });
    for (const [name, word] of words) {
      const item = make("li", { class: "step" }, make("span", { class: "step-dot", "aria-hidden": "true" }), word);
      this.#steps.set(name, item);
      list.append(item);
    }
    this.#card = make("div", { class: "next", role: "status", "aria-live": "polite" },
      make("div", { class: "next-words" }, this.#title, this.#text, this.#progress), this.#buttons);
    this.element = make("section", { class: "way", "aria-label": "What to do next" }, list, this.#card);
  }

  update() {
    const { piece, doubts } = this.#editor;
    const { done, next } = standing(piece.draft, doubts.length);
    const isListening = piece.main?.isReady === false && !isRunning(piece.job);
    for (const [name, item] of this.#steps) {
      mark(item, "data-state", name === next ? "next" : done[name] ? "done" : "open");
      mark(item, "aria-current", name === next ? "step" : null);
    }
    const hasNoUse = isUseless(piece);
    const card = isRunning(piece.job) ? this.#job(piece.job) : hasNoUse ? useless(piece.main)
      : isListening ? { ...this.#job({ kind: "listen", stage: "" }), buttons: [] }
        : wrongScore[piece.job?.code] ? { title: "The score does not fit the recording", text: "",
          buttons: wrongScore[piece.job.code] }
          : this.#next(next, doubts.length);
    const { job } = piece;
    const isFailed = job?.state === "failed" || hasNoUse;
    mark(this.#card, "data-tone", isFailed && !isRunning(job) ? "bad" : next === null ? "good" : null);
    write(this.#title, card.title);
    write(this.#text, hasNoUse ? card.text : isFailed ? job?.sentence ?? (card.text || "It did not work.") : card.text);
    this.#progress.hidden = !card.job;
    if (card.job && Number.isFinite(card.job.share)) this.#progress.value = card.job.share;
    else this.#progress.removeAttribute("value");
    const key = JSON.stringify(card.buttons);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#buttons.replaceChildren(...card.buttons.map(([name, text, kind]) => (name.startsWith("/")
      ? make("a", { class: `button ${kind ?? ""}`, href: name, text })
      : this.#actions[name] instanceof Node ? this.#actions[name]
        : make("button", { type: "button", class: kind ?? null, "data-does": name,
          onclick: () => this.#actions[name]() }, text))));
  }

  #job(job) {
    const title = jobWords[job.kind] ?? "Working";
    return { title: `${title} …`, job, text: job.state === "waiting" ? "It waits until the machine is free."
      : [job.stage, Number.isFinite(job.share) ? `${Math.round(100 * job.share)} %` : ""].filter(Boolean).join(" · "),
    buttons: [["stop", "Stop"]] };
  }

  #next(next, doubts) {
    const { draft, main } = this.#editor.piece;
    const late = next === "check" || next === "prepared" ? lateBars(draft) : null;
    if (late) {
      return { title: "Bars after the end", text: late.sentence,
        buttons: [["showLate", "Show the first one", "chief"]] };
    }
    const [title, text, ...buttons] = {
      sound: this.#bringsSound() ? withoutSound.onItsWay : draft.score ? withoutSound.withScore : withoutSound.empty,
      bars: draft.score ? withoutBars.withScore : withoutBars.withSound,
      check: [`${counted(doubts, "bar")} to check by ear`, ...checking],
      prepared: draft.prepared ? preparing.again : preparing.first,
    }[next] ?? ["Prepared", "Put it on the programme, or write its slides.",
      ["/console", "To the console", "chief"], ["/edit", "Write its slides"]];
    // What is wrong with the recording is said before a person works with it, not only under Recordings.
    const warnings = next === "bars" ? main?.warnings ?? [] : [];
    // The programme and the listeners have the name, which may be that of a file.
    const name = next === "prepared" || next === null ? [`Its name is “${draft.name}”.`] : [];
    return { title, text: [...warnings, ...name, text].join(" "), buttons };
  }
}
