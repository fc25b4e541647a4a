// What of a browser the modules touch while they load. It draws nothing: a claim about what is seen, heard or stored
// belongs into Tests/Pages.
import { webcrypto } from "node:crypto";

class MapStorage {
  get length() {
    return Object.keys(this).length;
  }

  key(index) {
    return Object.keys(this)[index] ?? null;
  }

  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, value) {
    this[key] = String(value);
  }

  removeItem(key) {
    delete this[key];
  }

  clear() {
    Object.keys(this).forEach((key) => this.removeItem(key));
  }
}

const events = new EventTarget();
const listening = Object.fromEntries(["addEventListener", "removeEventListener", "dispatchEvent"]
  .map((name) => [name, events[name].bind(events)]));

Object.assign(globalThis, listening, {
  window: globalThis,
  Storage: MapStorage,
  localStorage: new MapStorage(),
  sessionStorage: new MapStorage(),
  location: new URL("http://hall.example/"),
  document: Object.assign(new EventTarget(),
    { documentElement: {}, querySelector: () => null, getElementById: () => new EventTarget() }),
});

// A page's intervals go on as long as it is open; a test does not wait for their end.
const { setInterval } = globalThis;
globalThis.setInterval = (...given) => setInterval(...given).unref();

// What browsers have and node 18 of Debian 12 has not.
globalThis.crypto ??= webcrypto;
const changes = {
  toSorted: (copy, order) => copy.sort(order),
  toReversed: (copy) => copy.reverse(),
  toSpliced: (copy, ...change) => void copy.splice(...change) ?? copy,
  with: (copy, at, value) => Object.assign(copy, { [at]: value }),
};
for (const [name, change] of Object.entries(changes).filter(([name]) => !(name in Array.prototype))) {
  // eslint-disable-next-line no-extend-native
  Object.defineProperty(Array.prototype, name, { value(...given) {
    return change([...this], ...given);
  } });
}
