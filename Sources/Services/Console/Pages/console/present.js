// The bar being played, readable from three metres, and its source: the follower or an operator.
import { find, icon, mark, write } from "/shared/dom.js";
import { keyLabel } from "./keymap.js";
import { stateOf } from "./states.js";

const kinds = { follower: "Follower", technician: "Technician", conductor: "Conductor", presenter: "Presenter" };

// Why the audience sees nothing live.
const nothing = {
  before: "not begun", "not-armed": "not yet", intermission: "intermission", rehearsal: "sees no rehearsal",
  check: "sees no check", pause: "waits for a pause", stop: "stopped", over: "the concert is over", ended: "ended",
};

export function showPresent({ desk, keymap }) {
  const [measure, section, piece, played] = ["measure", "section", "piece-name", "played"].map(find);
  const [state, holder, audience, spoken, fraction, note] = ["state", "holder", "audience", "state-spoken", "fraction",
    "state-note"].map(find);
  const panelNow = find("panel-now");
  const stateWord = document.createElement("span");
  let sign = null;
  let fractionShown = null;
  const [holderWord, epochWord] = [document.createElement("span"), document.createElement("small")];
  holder.append("Baton: ", holderWord, epochWord);

  desk.on("position", (position) => {
    write(measure, position.measure ?? "–");
    mark(measure, "data-digits", String(Math.max(position.measure ?? 0, position.playedCount ?? 0)).length);
    write(section, position.section || "–");
    mark(section, "data-long", (position.section ?? "").length > 3);
    showPiece();

    const share = Math.round((position.fraction ?? 0) * 100);
    if (share !== fractionShown) {
      fractionShown = share;
      fraction.style.transform = `scaleX(${share / 100})`;
    }

    mark(document.body, "data-mode", position.mode);
    mark(measure, "data-old", ["lost", "undecided"].includes(position.mode));
    showState();

    const { kind, name } = position.holder ?? {};
    mark(holder, "data-kind", kind);
    write(holderWord, name ? `${kinds[kind] ?? kind} ${name}` : kinds[kind] ?? "nobody");
    write(epochWord, position.epoch ?? "");

    showAudience();
  });

  const label = (action) => keyLabel(keymap.keys(action)[0] ?? "");

  function showState() {
    const position = desk.get("position");
    if (!position) return;
    const shown = stateOf({ position, follower: desk.get("follower"), faults: desk.get("faults"),
      show: desk.get("show"), help: desk.get("help"),
      keys: { tap: label("tap"), now: label("now"), programme: label("programme") } });
    mark(document.body, "data-warns", shown.warns);
    if (sign !== shown.sign) {
      sign = shown.sign;
      state.replaceChildren(icon(shown.sign), stateWord);
    }
    write(stateWord, shown.word);
    write(spoken, shown.spoken);
    write(note, shown.note);
    note.hidden = shown.note === "";
    // The part that a narrow screen may cut off comes last.
    write(panelNow, [`Bar ${position.measure ?? "–"}`, shown.word, position.section].filter(Boolean).join(" · "));
  }
  for (const section of ["follower", "faults", "show", "help"]) desk.on(section, showState);

  function showPiece() {
    const { pieceName, played: place = 0, playedCount = "–" } = desk.get("position") ?? {};
    const isEmpty = desk.get("programme")?.empty;
    write(piece, isEmpty ? "No piece yet: put one on the programme (P)." : pieceName || "No piece");
    write(played, isEmpty ? "" : `${place + 1} of ${playedCount}`);
  }
  desk.on("programme", showPiece);

  function showAudience() {
    const seen = desk.get("position")?.audience;
    const view = seen?.view ?? "live";
    mark(audience, "data-view", view);
    const behind = view === "frozen" && seen?.measure !== undefined ? ` at bar ${seen.measure}` : "";
    const word = view === "ended" ? nothing[seen?.why] ?? "nothing is live" : view;
    // A blackout in the intermission outlasts it.
    const { black, frozen } = desk.get("show") ?? {};
    const after = view !== "ended" ? "" : black ? ", then black" : frozen ? ", then frozen" : "";
    write(audience, `Audience: ${word}${behind}${after}`);
  }
  desk.on("show", showAudience);
}
