// Everything a key or a button can do, in one table. The words go to the server; the rest is done on the page.
import { isTakenTwice } from "/shared/oneact.js";
import { hasSpeakers } from "./speakers.js";

/**
 * Each action: `title` for buttons and the key overlay, `icon`, `keys` it has at first, `group` in the overlay,
 * `repeats` where a held key may repeat it, `countedByServer` where the server tells one act from the next and says
 * what it did not do, `run(console)`; `pressed(desk)` for switches, `says(desk)` for a title
 * that depends on the state.
 */
export const actions = {
  arm: {
    title: "Arm: wait for the first bar; or not yet", icon: "check", group: "Beginning", keys: ["R"],
    says: (d) => (d.get("show")?.evening === "armed" ? "Not yet" : "Arm"),
    run: (c) => c.send("arm", c.desk.get("show")?.evening === "armed" ? "off" : "on"),
  },
  begin: {
    title: "We begin: the music begins now, or has begun within two seconds", short: "We begin", icon: "now",
    group: "Beginning", keys: ["W"], run: (c) => isTakenTwice("begin") || c.send("begin"),
  },
  go: { title: "GO", group: "Cues", keys: ["Space"], countedByServer: true, run: (c) => c.send("go") },
  "standby-previous": {
    title: "Standby one up", short: "Up", icon: "back", group: "Cues", keys: ["ArrowUp", "PageUp"], repeats: true,
    run: (c) => c.send("standby", "previous"),
  },
  "standby-next": {
    title: "Standby one down", short: "Down", icon: "on", group: "Cues", keys: ["ArrowDown", "PageDown"], repeats: true,
    run: (c) => c.send("standby", "next"),
  },
  rearm: {
    title: "Arm the cues again from here: those after this bar fire when the music gets there", short: "Arm again",
    icon: "back",
    group: "Cues", keys: ["A"], run: (c) => c.send("rearm"),
  },
  panic: {
    title: "Panic: outputs to a safe state. Again after one second, within three: hard stop", short: "Panic",
    group: "Safety", keys: ["Escape"], countedByServer: true,
    // A hand that presses Esc twice by habit stops nothing; what was not sent is pressed again at once.
    run: (c) => !c.connection.linked ? c.send("panic") : isTakenTwice("panic") || c.send("panic"),
  },
  "panic-over": { title: "End the panic", group: "Safety", keys: ["Shift+Escape"], run: (c) => c.send("panic-over") },
  lock: {
    title: "Show lock on or off", group: "Safety", keys: ["L"], icon: "lock",
    says: (d) => (d.get("show")?.locked ? "Locked" : "Unlocked"), pressed: (d) => d.get("show")?.locked,
    run: (c) => c.send("lock", c.desk.get("show")?.locked ? "off" : "on"),
  },
  baton: {
    title: "Take the baton, or give it back to the follower", icon: "take", group: "Baton", keys: ["M"],
    says: (d) => (d.get("position")?.holder?.kind === "follower" ? "Take" : "Give back"),
    pressed: (d) => (d.get("position")?.holder?.kind ?? "follower") !== "follower",
    run: (c) => c.send(c.desk.get("position")?.holder?.kind === "follower" ? "take" : "release"),
  },
  hold: {
    title: "Hold the place, or go on following", icon: "held", group: "Baton", keys: ["H"],
    says: (d) => (d.get("show")?.held ? "Go on" : "Hold"), pressed: (d) => d.get("show")?.held,
    run: (c) => c.send(c.desk.get("show")?.held ? "resume" : "hold"),
  },
  tap: { title: "Tap the next bar by hand", short: "Tap", icon: "tap", group: "Baton", keys: ["T"],
    countedByServer: true, run: (c) => c.send("tap") },
  now: {
    title: "This bar is NOW: the follower goes on from here", short: "Bar is now", icon: "now", group: "Baton",
    keys: ["N"],
    run: (c) => c.send("bar-is-now"),
  },
  "nudge-back": {
    title: "One bar back", short: "−1", icon: "back", group: "Place", keys: ["ArrowLeft"],
    run: (c) => c.send("nudge", "-1"),
  },
  "nudge-on": {
    title: "One bar on", short: "+1", icon: "on", group: "Place", keys: ["ArrowRight"],
    run: (c) => c.send("nudge", "1"),
  },
  goto: {
    title: "Go to a bar or rehearsal letter, quietly (type, then Enter)", short: "Go to", icon: "goto", group: "Place",
    keys: ["G"],
    run: (c) => c.place.reopen(),
  },
  "choose-1": { title: "Lost: choose place 1 at once", group: "When lost", keys: ["Alt+1"],
    run: (c) => c.help.choose(1) },
  "choose-2": { title: "Lost: choose place 2 at once", group: "When lost", keys: ["Alt+2"],
    run: (c) => c.help.choose(2) },
  "choose-3": { title: "Lost: choose place 3 at once", group: "When lost", keys: ["Alt+3"],
    run: (c) => c.help.choose(3) },
  freeze: {
    title: "Freeze what the audience sees", short: "Freeze", icon: "freeze", group: "Audience", keys: ["F"],
    pressed: (d) => d.get("show")?.frozen, run: (c) => c.send("freeze", c.desk.get("show")?.frozen ? "off" : "on"),
  },
  blackout: {
    title: "Blackout of what the audience sees", short: "Blackout", icon: "black", group: "Audience", keys: ["B", "."],
    pressed: (d) => d.get("show")?.black, run: (c) => c.send("blackout", c.desk.get("show")?.black ? "off" : "on"),
  },
  pause: {
    title: "Pause all", icon: "pause", group: "Audience", keys: ["["],
    says: (d) => (d.get("show")?.paused ? "Resume all" : "Pause all"), pressed: (d) => d.get("show")?.paused,
    run: (c) => c.send(c.desk.get("show")?.paused && c.byButton ? "resume-all" : "pause-all"),
  },
  resume: { title: "Resume all", group: "Audience", keys: ["]"], run: (c) => c.send("resume-all") },
  keys: { title: "Show the keys", short: "Keys", icon: "keys", group: "Panels", keys: ["?", "F1"],
    run: (c) => c.panels.toggle("keys") },
  programme: { title: "Programme", icon: "list", group: "Panels", keys: ["P"],
    run: (c) => c.panels.toggle("programme") },
  "cue-editor": { title: "Edit cues", short: "Cues", icon: "edit", group: "Panels", keys: ["C"],
    run: (c) => c.panels.toggle("cue-editor") },
  messages: { title: "Messages", icon: "message", group: "Panels", keys: ["E"],
    run: (c) => c.panels.toggle("messages") },
  speakers: { title: "Speakers and their requests", short: "Speakers", icon: "take", group: "Panels", keys: ["S"],
    says: (d) => {
      const count = d.get("floor")?.requests.length ?? 0;
      return count > 0 ? `Speakers: ${count}` : "Speakers";
    },
    run: (c) => hasSpeakers(c.desk.get("floor")) && c.panels.toggle("speakers") },
  check: { title: "Pre-show check", short: "Check", icon: "check", group: "Panels", keys: ["K"],
    run: (c) => c.panels.toggle("check") },
  share: { title: "Audience page, targets, other pages", short: "Outputs", icon: "share", group: "Panels", keys: ["Q"],
    run: (c) => c.panels.toggle("share") },
};

export const groups = ["Beginning", "Cues", "Safety", "Baton", "Place", "When lost", "Audience", "Panels"];
