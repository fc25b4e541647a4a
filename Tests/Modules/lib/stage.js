// As much of a page as hands touch: places within each other, events that go down to one and up again, and a clock that
// stands still.
const timers = new Map();

/** Waits as a browser would, until `passTime`. */
globalThis.setTimeout = /** @type {any} */ ((run, delay) => {
  const id = timers.size + 1 + Math.random();
  timers.set(id, { run, delay });
  return id;
});
globalThis.clearTimeout = (id) => timers.delete(/** @type {any} */ (id));

/** So many ms pass: what waited for less is done. */
export function passTime(ms = Infinity) {
  for (const [id, { run, delay }] of [...timers]) if (delay <= ms && timers.delete(id)) run();
}

class FakePointerEvent {
  isTrusted = false;
  cancelable = true;
  detail = 0;
  buttons = 0;
  button = 0;
  isPrimary = true;
  pointerId = 1;
  width = 20;
  height = 20;
  pressure = 0.5;
  #stopped = 0;

  constructor(type, fields = {}) {
    this.type = type;
    Object.assign(this, fields);
  }

  preventDefault() {}

  stopPropagation() {
    this.#stopped = Math.max(this.#stopped, 1);
  }

  stopImmediatePropagation() {
    this.#stopped = 2;
  }

  /** 1 where no other place hears it any more, 2 where nobody does. */
  get stopped() {
    return this.#stopped;
  }
}

globalThis.PointerEvent = /** @type {any} */ (FakePointerEvent);

export class Place {
  #listeners = [];
  classList = { add() {}, remove() {}, toggle() {} };

  /** `kinds` are the simple selectors that it matches. */
  constructor(parent, ...kinds) {
    this.parent = parent;
    this.kinds = kinds;
  }

  addEventListener(type, listener, options = {}) {
    const capture = options === true || options.capture === true;
    this.#listeners.push({ type, listener, capture, signal: options.signal });
  }

  setPointerCapture() {}

  closest(selectors) {
    const wanted = selectors.split(",").map((each) => each.trim());
    return this.kinds.some((kind) => wanted.includes(kind)) ? this : this.parent?.closest(selectors) ?? null;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: 1000, height: 1400 };
  }

  dispatchEvent(event) {
    event.target = this;
    const path = [];
    for (let place = /** @type {any} */ (this); place; place = place.parent) path.push(place);
    const steps = [...path.toReversed().map((place) => [place, true]), ...path.map((place) => [place, false])];
    for (const [place, capture] of steps) {
      if (event.stopped > 0) return;
      place.#tell(event, capture);
    }
  }

  #tell(event, capture) {
    for (const each of [...this.#listeners]) {
      if (each.type === event.type && each.capture === capture && !each.signal?.aborted && event.stopped < 2) {
        each.listener(event);
      }
    }
  }
}
