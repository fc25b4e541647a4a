// One stand and the room behind it, both in this page, to try remarks by hand and by remarks_test.py.
import { createRemarks } from "/stand/remarks/remarks.js";

const me = "00000000-0000-4000-8000-000000000001";
const anna = "00000000-0000-4000-8000-0000000000aa";
const layers = { public: "00000000-0000-4000-8000-00000000000b", own: "00000000-0000-4000-8000-00000000000c" };
const query = new URLSearchParams(location.search);

/** A room that takes acts and sends events; while it is offline, acts wait. */
class Room {
  remarks = [];
  erased = new Map();
  waiting = new Set();
  acts = [];
  isOnline = true;
  layers = layers;

  take(act) {
    this.acts.push(structuredClone(act));
    const id = act.place?.id ?? act.edit?.remark ?? act.erase ?? act.restore;
    const at = this.remarks.findIndex((remark) => remark.id === id);
    if (act.place && at < 0) this.remarks.push(act.place);
    if (act.erase && at >= 0) this.erased.set(id, this.remarks.splice(at, 1)[0]);
    if (act.restore && at < 0 && this.erased.has(id)) this.remarks.push(this.erased.get(id));
    if (act.edit && at >= 0) {
      const { remark, ...fields } = act.edit;
      this.remarks[at] = { ...this.remarks[at], ...fields };
    }
    if (!this.isOnline) this.waiting.add(id);
    return crypto.randomUUID();
  }

  get state() {
    return { remarks: this.remarks, layers: this.layers, undelivered: new Set(this.waiting),
      names: { [me]: "Ines", [anna]: "Anna Berg" } };
  }
}

const room = new Room();
// The pen of one test is not that of the next.
localStorage.clear();
const r = createRemarks({
  userID: me,
  newID: () => crypto.randomUUID(),
  send(act) {
    const id = room.take(act);
    // As a stand does: its own state first, the picture after.
    queueMicrotask(() => r.update(room.state));
    return id;
  },
});
document.getElementById("controls").append(r.toolbar);
const [left, right] = [document.getElementById("left"), document.getElementById("right")];
if (query.has("single")) right.remove();
const paper = { width: 210, height: 297 }; // as remarks_page.css lays it out
r.attach(left, { part: 0, page: 0, paper });
if (!query.has("single")) r.attach(right, { part: 0, page: 1, paper });
if (query.has("dark")) document.documentElement.dataset.paper = "dark";
r.update(room.state);

// A stand that turns by taps and swipes: what reaches it is counted.
const seen = { downs: 0, taps: 0, swipes: 0, long: 0, clicks: 0, keys: [] };
const stage = document.getElementById("stage");
let began = null;
let timer = null;
stage.addEventListener("pointerdown", (event) => {
  seen.downs += 1;
  began = { x: event.clientX };
  timer = setTimeout(() => { seen.long += 1; began = null; }, 550);
});
stage.addEventListener("pointerup", (event) => {
  clearTimeout(timer);
  if (began) seen[Math.abs(event.clientX - began.x) > 45 ? "swipes" : "taps"] += 1;
  began = null;
});
stage.addEventListener("pointercancel", () => { clearTimeout(timer); began = null; });
stage.addEventListener("click", () => { seen.clicks += 1; });
addEventListener("keydown", (event) => seen.keys.push(event.key));

/** Remarks of all kinds, spread over pages, by two authors. */
function fill(count, pages) {
  const made = [];
  for (let at = 0; at < count; at += 1) {
    const place = [(at * 1373) % 9000, (at * 797) % 9500];
    const course = Array.from({ length: 80 },
      (_, step) => (step % 2 === 0 ? step * 12 : Math.round(60 * Math.sin(step / 5))));
    const shape = [{ line: course }, { highlight: [0, 0, 600, 20] }, { text: `Note ${at}` },
      { stamp: ["up-bow", "ff", "breath", "glasses"][at % 4] }][(at >> 1) % 4];
    made.push({
      id: `10000000-0000-4000-8000-${String(at).padStart(12, "0")}`, layer: layers.public, author: at % 2 ? me : anna,
      part: 0, page: at % pages,
      anchor: place, shape, ink: { colour: "#1a4fd6", width: shape.highlight ? 200 : shape.line ? 30 : 200 },
    });
  }
  return made;
}

Object.assign(window, { r, room, seen, fill, me, anna, layers, createRemarks, left, right });
document.body.dataset.ready = "true";
