// Puts the console together: knowledge in the middle, one small part for each thing on the page.
import { Awake } from "/shared/awake.js";
import { storage } from "/shared/kept.js";
import { actions } from "./actions.js";
import { showBegin } from "./begin.js";
import { Buttons } from "./buttons.js";
import { Commands } from "./commands.js";
import { Connection } from "./connection.js";
import { Desk } from "./desk.js";
import { TermFence } from "./fence.js";
import { KeyMap } from "./keymap.js";
import { Keys } from "./keys.js";
import { Panels } from "./panels.js";
import { Place } from "./place.js";
import { showConfidence } from "./confidence.js";
import { showCues } from "./cuelist.js";
import { showEvening } from "./evening.js";
import { showFaults } from "./faults.js";
import { showHealth } from "./health.js";
import { showGoing } from "./giveback.js";
import { Help } from "./help.js";
import { showLink } from "./link.js";
import { showNotices } from "./notices.js";
import { showPresent } from "./present.js";
import { looksOnly, showRights } from "./rights.js";
import { showTempo } from "./tempo.js";
import { showTimeline } from "./timeline.js";
import { keepTimings } from "./timings.js";
import { showTop } from "./top.js";

const desk = new Desk();
const connection = new Connection(desk, new TermFence(storage("sessionStorage")));
const commands = new Commands(desk, connection);

const console_ = {
  desk,
  actions,
  connection,
  keymap: new KeyMap(actions),
  byButton: false,
  send: (...words) => commands.send(...words),
  /** Does what an action says, for a key or a button. */
  act(id, byButton) {
    if (actions[id].group !== "Panels" && looksOnly(desk)) return commands.refuseToLooker(id);
    this.byButton = byButton;
    return actions[id].run(this);
  },
  /** Esc in a field: the field is left, nothing else happens. */
  leaveField(field) {
    if (field.id === "place") this.place.close();
    field.blur();
  },
  /** Esc outside a field closes the first of these: a question, a place about to be chosen, the panel. */
  isSomethingOpen() {
    return Boolean(document.querySelector("dialog[open]")) || this.help.isArmed || this.panels.isOpen;
  },
  closeWhatIsOpen() {
    const question = document.querySelector("dialog[open]");
    if (question) question.close();
    else if (this.help.isArmed) this.help.putBack();
    else this.panels.close();
  },
};
console_.place = new Place(console_);
console_.help = new Help(console_);
console_.panels = new Panels(console_);
console_.keys = new Keys(console_);
console_.buttons = new Buttons(console_);

showTop(desk);
showLink(desk);
showPresent(console_);
showGoing(console_);
showBegin(console_);
showEvening(console_);
showTempo(desk);
showConfidence(desk);
showTimeline(console_);
showCues(console_);
showHealth(desk);
showFaults(desk);
showNotices(desk);
if (new URLSearchParams(location.search).has("timings")) keepTimings(desk);

showRights(desk);
new Awake((sentence) => desk.tell("notice", { kind: "lasting", sentence })).want(true);
connection.start();
