// The dialog of a whole tab: staves, meter, repeats, instruments; to clear, share, export it; and the keys.
import { make } from "/shared/dom.js";
import { Dialog } from "/shared/dialog.js";
import {
  addStave, addTrack, clear, removeStave, removeTrack, setEndings, setInstrument, setRepeats, setSection, setTime,
  setWords, toggleRepeatStart, toggleTechnique,
} from "./edits.js";
import { instruments, pitchName, tuningOf } from "./instruments.js";
import { keyHelp } from "./keys.js";
import { meters, staves } from "/shared/tabmodel.js";

const times = ["2/4", "3/4", "4/4", "5/4", "6/4", "3/8", "6/8", "7/8", "9/8", "12/8"];
const exports = [["musicxml", "MusicXML"], ["mid", "MIDI"], ["txt", "Text"], ["plist", "Property list"],
  ["json", "Tab JSON"]];

/** How far a string is bent, in semitones. */
const bends = [["1", "Bend ½"], ["2", "Bend full"], ["3", "Bend 1½"], ["4", "Bend 2"]];

/** The frets for a capo: those that are usual, and the one that a file has. */
const capos = (own) => Array.from({ length: Math.max(13, own + 1) }, (_, fret) => String(fret));

export class TabDialog {
  #editor;
  #acts;
  #dialog = new Dialog({ id: "tab-dialog", closesOutside: true });

  /** `acts` has showNotation, hasNotation, share, isShared, readers (an element), save (a file of a kind), follow,
      tune, copyBars, cutBars and say. */
  constructor(editor, acts) {
    [this.#editor, this.#acts] = [editor, acts];
  }

  close() {
    this.#dialog.close();
  }

  open() {
    const editor = this.#editor();
    const { tab, cursor, track } = editor;
    const again = (act) => () => {
      act();
      this.open();
    };
    const button = (id, text, act, kind = null) => make("button", {
      type: "button", id, class: kind, text, onclick: act });
    const group = (title, ...contents) => make("section", { class: "group" }, make("h2", { text: title }),
      ...contents.filter(Boolean));
    const row = (...contents) => make("div", { class: "row" }, ...contents.filter(Boolean));
    const bar = tab.bars[cursor.bar];
    const count = staves(tab).length;
    this.#dialog.show(tab.title || "Untitled",
      group(`Staves: ${count}`, row(
        button("add-stave", "Add stave", again(() => editor.edit(addStave))),
        button("remove-stave", "Remove the last stave", again(() => editor.edit(removeStave))),
        button("clear", "Clear tab", again(() => editor.edit(clear)), "danger")),
      row(this.#pressed("notation", "Notes above the tab", this.#acts.hasNotation(),
        again(() => this.#acts.showNotation())))),
      group(`Bar ${cursor.bar + 1}, where the cursor is`, row(
        this.#choice("Meter from here", "meter", times, meters(tab)[cursor.bar].time.join("/"), (text) => {
          editor.edit((old) => setTime(old, cursor.bar, text.split("/").map(Number)));
          this.open();
        })),
      row(
        this.#pressed("repeat-start", "Left repeat bar", Boolean(bar.repeatStart),
          again(() => editor.edit((old) => toggleRepeatStart(old, cursor.bar)))),
        this.#pressed("repeat-end", "Right repeat bar", bar.repeats !== undefined, again(() => editor.edit(
          (old) => setRepeats(old, cursor.bar, bar.repeats === undefined ? 1 : null)))),
        bar.repeats === undefined ? null : this.#repeats(editor, cursor.bar, bar.repeats)),
      row(button("insert-bar", "Put a bar before", again(() => editor.insertBar())),
        button("copy-bars", "Copy", again(() => this.#acts.copyBars())),
        button("cut-bars", "Cut", again(() => this.#acts.cutBars()), "danger"),
        button("paste-bars", "Paste before", again(() => editor.pasteBars()))),
      row(this.#text("Section that begins here", "section", bar.section, (text) =>
        editor.edit((old) => setSection(old, cursor.bar, text))),
      this.#text("Ending: played in the passes", "endings", bar.endings?.join(", "), (text) =>
        editor.edit((old) => setEndings(old, cursor.bar, text))))),
      this.#beat(editor, group, row, button, again),
      this.#instruments(editor, tab, track, again, button, group, row),
      group("By the microphone", row(button("follow-me", "Practise it: the page follows me", () => {
        this.close();
        this.#acts.follow();
      }), button("tune-here", "Tuner, input, latency", () => {
        this.close();
        this.#acts.tune();
      }))),
      group("Pass it on", row(
        this.#pressed("share", "Everybody of the house may read it", this.#acts.isShared(),
          again(() => this.#acts.share()))),
      this.#acts.readers(),
      row(...exports.map(([kind, name]) => button(`export-${kind}`, name, () => this.#acts.save(kind))))),
      group("Keys", make("dl", { class: "keys" }, ...keyHelp.flatMap(([keys, words]) => [
        make("dt", { text: keys }), make("dd", { text: words })]))));
  }

  /** Chord, words and lyrics of the beat at the cursor, and how far its note is bent. */
  #beat(editor, group, row, button, again) {
    const { beat, note, cursor } = editor;
    if (!beat) return null;
    const words = (label, name, value) => this.#text(label, name, value, (text) =>
      editor.edit((old) => setWords(old, cursor, name, text)));
    const curve = (semitones) => [{ at: "0", semitones: "0" }, { at: "1/2", semitones }];
    const bent = note?.techniques?.bend?.at(-1)?.semitones;
    return group("The place of the cursor", row(words("Chord", "chord", beat.chord),
      words("Words above", "text", beat.text), words("Lyrics", "lyrics", beat.lyrics?.join(" "))),
    note ? row(...bends.map(([semitones, text]) => this.#pressed(`bend-${semitones}`, text, bent === semitones,
      again(() => editor.edit((old) => toggleTechnique(old, cursor, "bend", curve(semitones))))))) : null);
  }

  /** A field of one line; `act(text)` is called when somebody leaves it. */
  #text(label, id, value, act) {
    return make("label", {}, label, make("input", { id, value: value ?? "", maxlength: "60", autocomplete: "off",
      spellcheck: false, onchange: ({ target }) => act(target.value.trim()) }));
  }

  #instruments(editor, tab, track, again, button, group, row) {
    const tuning = track.strings.map(pitchName).reverse().join(" ");
    const names = instruments.map(({ name }) => name);
    return group("Instruments", row(
      this.#choice("Track", "track", tab.tracks.map(({ name }, index) => `${index + 1} ${name || "Track"}`),
        `${editor.cursor.track + 1} ${track.name || "Track"}`, (text) => {
          editor.moveTo({ track: parseInt(text, 10) - 1, slot: 0 });
          this.open();
        }),
      this.#choice("Instrument", "instrument", names.includes(track.name) ? names : [track.name || "Track", ...names],
        track.name || "Track", (name) => {
          const chosen = instruments.find((each) => each.name === name);
          if (chosen) editor.edit((old) => setInstrument(old, editor.cursor.track, { ...chosen, capo: track.capo }));
          this.open();
        }),
      this.#choice("Capo", "capo", capos(track.capo ?? 0), String(track.capo ?? 0),
        (fret) => editor.edit((old) => setInstrument(old, editor.cursor.track, { ...track, capo: Number(fret) })))),
    tuning ? row(this.#text("Strings, the lowest first", "tuning", tuning, (text) => {
      const strings = tuningOf(text);
      if (!strings) this.#acts.say("A tuning names each string with its octave: D2 A2 D3 G3 B3 E4.");
      else editor.edit((old) => setInstrument(old, editor.cursor.track, { ...track, strings }));
      this.open();
    })) : make("p", { class: "faint", text: "No strings." }),
    row(button("add-track", "Add instrument", again(() => editor.edit((old) => addTrack(old, instruments[0])))),
      tab.tracks.length > 1 ? button("remove-track", "Remove this instrument",
        again(() => editor.edit((old) => removeTrack(old, editor.cursor.track)))) : null));
  }

  #choice(label, id, options, value, act) {
    return make("label", {}, label, make("select", { id, onchange: ({ target }) => act(target.value) },
      ...options.map((each) => make("option", { text: each, selected: each === value }))));
  }

  #pressed(id, text, isPressed, act) {
    return make("button", { type: "button", id, "aria-pressed": String(isPressed), text, onclick: act });
  }

  #repeats(editor, bar, repeats) {
    return make("label", {}, "Repeats, 0 to 24", make("input", {
      type: "number", id: "repeats", min: 0, max: 24, value: repeats, inputmode: "numeric",
      onchange: ({ target }) => {
        const wanted = Math.min(24, Math.max(0, Math.round(Number(target.value) || 0)));
        target.value = wanted;
        editor.edit((old) => setRepeats(old, bar, wanted));
      },
    }));
  }
}
