// The pen, the laser pointer and the swipe on the picture of the slide that is on the screen.
import { clearType, mostPoints, pointBytes, pointerType, strokeBytes, strokeType } from "/shared/ink.js";

const sendEvery = 100; // ms between two parts of a stroke
const pointEvery = 50; // ms
const penWidth = 0.007; // of the slide's height
const swipeLength = 50; // px

/** The place of an event within a picture shown with `object-fit: contain`, as fractions; null outside of it. */
export function placeIn(box, [width, height], { clientX, clientY }) {
  const scale = Math.min(box.width / width, box.height / height);
  if (!(scale > 0)) return null;
  const x = (clientX - box.left - (box.width - width * scale) / 2) / (width * scale);
  const y = (clientY - box.top - (box.height - height * scale) / 2) / (height * scale);
  return x < 0 || x > 1 || y < 0 || y > 1 ? null : [x, y];
}

export class Pen {
  #area;
  #picture;
  #ink;
  #session;
  #failed;
  #stroke = null; // the stroke that is being drawn
  #start = null; // where a swipe begins
  #pointing = null; // a place of the pointer that is on its way
  #isLit = false; // the pointer is on the screens
  #lastPoint = 0;
  tool = null; // "pen", "pointer", or null for swiping
  colour = "#e01b24";
  isAllowed = false;

  /** `failed(refusal)` hears why something was not drawn; `step(name)` is called with "next" or "previous". */
  constructor(area, picture, ink, session, { failed, step }) {
    [this.#area, this.#picture, this.#ink, this.#session] = [area, picture, ink, session];
    this.#failed = failed;
    area.addEventListener("pointerdown", (event) => this.#down(event));
    area.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      area.addEventListener(name, (event) => this.#up(event, step, name === "pointerup"));
    }
    area.addEventListener("pointerleave", () => this.tool === "pointer" && this.#putOut());
    area.addEventListener("dragstart", (event) => event.preventDefault());
  }

  choose(tool) {
    if (this.tool === "pointer") this.#putOut();
    this.tool = tool;
    this.#area.dataset.tool = tool ?? "";
  }

  clear() {
    return this.#session.draw(clearType, new Uint8Array()).catch(this.#failed);
  }

  #place(event) {
    const { naturalWidth, naturalHeight } = this.#picture;
    return placeIn(this.#area.getBoundingClientRect(), [naturalWidth, naturalHeight], event);
  }

  #down(event) {
    this.#start = event.isPrimary ? [event.clientX, event.clientY] : null;
    if (!this.isAllowed || !event.isPrimary || event.button !== 0) return;
    if (this.tool === "pointer") return void this.#point(event);
    const place = this.#place(event);
    if (this.tool !== "pen" || !place) return;
    this.#area.setPointerCapture(event.pointerId);
    const look = { colour: this.colour, width: penWidth };
    this.#stroke = { look, points: [place], sentCount: 0, sending: [],
      line: this.#ink.begin({ ...look, points: [place] }), timer: setInterval(() => this.#send(), sendEvery) };
  }

  #move(event) {
    if (this.tool === "pointer" && this.isAllowed) return void this.#point(event);
    const stroke = this.#stroke;
    if (!stroke) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const each of all.length > 0 ? all : [event]) {
      const place = this.#place(each);
      const last = stroke.points.at(-1);
      if (place && Math.hypot(place[0] - last[0], place[1] - last[1]) > 0.0015) stroke.points.push(place);
    }
    stroke.line.grow(stroke.points);
  }

  #up(event, step, isWhole) {
    const start = this.#start;
    this.#start = null;
    if (this.#stroke) return void this.#finish();
    if (this.tool === "pointer") return void (event.pointerType === "mouse" || this.#putOut());
    if (this.tool || !isWhole || !start || event.pointerType === "mouse") return;
    const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
    if (Math.abs(x) > swipeLength && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? "next" : "previous");
  }

  /** Sends the part of the stroke that was drawn since the last one; it begins where that ended. */
  #send() {
    const { look, points, sentCount, sending } = this.#stroke;
    if (points.length === sentCount) return;
    for (let begin = Math.max(sentCount - 1, 0); begin < points.length; begin += mostPoints - 1) {
      const part = points.slice(begin, begin + mostPoints);
      if (part.length === 1 && begin > 0) break;
      sending.push(this.#session.draw(strokeType, strokeBytes({ ...look, points: part })));
    }
    this.#stroke.sentCount = points.length;
  }

  #finish() {
    this.#send();
    const { line, sending, timer } = this.#stroke;
    clearInterval(timer);
    this.#stroke = null;
    // By then the server's own copy is shown, or the drawing was refused and goes.
    Promise.all(sending).catch(this.#failed).finally(() => setTimeout(() => line.remove(), 400));
  }

  #point(event) {
    const place = this.#place(event);
    if (!place) return void this.#putOut();
    this.#ink.point(place);
    const now = performance.now();
    if (this.#pointing || now - this.#lastPoint < pointEvery) return;
    [this.#isLit, this.#lastPoint] = [true, now];
    this.#pointing = this.#session.drawNow(pointerType, pointBytes(place)).catch(() => {})
      .finally(() => (this.#pointing = null));
  }

  /** The light goes out after the last place, never before it. */
  async #putOut() {
    this.#ink.point(null);
    if (!this.#isLit) return;
    this.#isLit = false;
    await this.#pointing;
    if (this.isAllowed) this.#session.drawNow(pointerType, new Uint8Array()).catch(() => {});
  }
}
