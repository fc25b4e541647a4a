// Several scores kept on this device in one tap: the pages of one's own parts, or of all; their size before, how far it
// is, and away again.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { wallClock } from "/shared/wallclock.js";
import { partFor } from "./evening.js";
import * as shelf from "./shelf.js";
import { things } from "./store.js";
import { act, notice } from "./words.js";
import { keepWritten } from "./written.js";

const lanes = 3; // pages fetched at the same time
const weights = new Map(); // key of a list → what keeping it takes, as the server said last
const running = new Map(); // key of a list → { done, all, stop }

const keyOf = (user, ids) => `offline:${user}:${[...new Set(ids)].sort().join(",")}`;

/** Bytes as people say them: `34 MB`. */
export function sizeWords(bytes) {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return bytes < 10_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.round(bytes / 1_000_000)} MB`;
}

/**
 * The space that keeping these scores takes: `{ mine, all, isExact, missing }` in bytes; `missing` counts scores that
 * this player was not given. Parts that are not known yet count as whole scores.
 */
export async function weigh(ids, { user, partName = null }) {
  const sum = { mine: 0, all: 0, isExact: true, missing: 0, plan: [] };
  await Promise.all([...new Set(ids)].map(async (id) => {
    try {
      const [whole, weight] = await Promise.all([shelf.score(id),
        ask(`/api/scores/${id}/weight?size=${shelf.pictureSize}`, { patience: 30_000 })]);
      const part = partFor(user, whole, partName);
      const all = weight.parts.reduce((total, bytes) => total + bytes, 0);
      sum.all += all;
      sum.mine += part === null ? all : weight.parts[part];
      sum.isExact &&= weight.isExact;
      sum.plan.push({ id, part });
    } catch (refusal) {
      if (refusal.status === 0) throw refusal;
      sum.missing += 1;
    }
  }));
  return sum;
}

/** Fetches the pages; `progress(done, all)` is told. Goes on where it was broken off. Throws where one is not to be
    had. */
export async function keep(plan, { isWhole, user }, progress, isStopped = () => false) {
  navigator.storage?.persist?.().catch(() => {});
  const pages = [];
  const written = []; // parts that may be read in another key
  for (const { id, part } of plan) {
    const whole = await shelf.score(id, true);
    const parts = isWhole || part === null ? [...whole.parts.keys()] : [part];
    for (const index of parts) {
      whole.parts[index].pages.forEach((_, page) => pages.push([whole, index, page]));
      written.push([whole, index]);
    }
  }
  const all = pages.length;
  let [done, bytes] = [0, 0];
  progress(0, all);
  const lane = async () => {
    for (let next = pages.shift(); next && !isStopped(); next = pages.shift()) {
      bytes += (await shelf.picture(...next, shelf.pictureSize, true)).size;
      progress((done += 1), all);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const each of written) if (!isStopped()) bytes += await keepWritten(...each, user);
  return { bytes, isComplete: done === all && !isStopped() };
}

async function keepAll(key, weight, { isWhole, user }, changed) {
  const state = { done: 0, all: 1, isStopped: false };
  running.set(key, state);
  changed();
  try {
    const { bytes, isComplete } = await keep(weight.plan, { isWhole, user }, (done, all) => {
      Object.assign(state, { done, all });
      for (const bar of document.querySelectorAll("#dialog .keeping progress")) {
        Object.assign(bar, { max: all, value: done });
      }
    }, () => state.isStopped);
    if (isComplete) await things.put(key, { bytes, isWhole, at: wallClock() });
  } catch (refusal) {
    notice(`Not all pieces are on this device. ${refusal.message} What is there stays; tap again to go on.`);
  }
  running.delete(key);
  changed();
}

async function forget(key, ids) {
  await things.remove(key);
  const whole = await shelf.downloads();
  for (const id of new Set(ids)) if (whole[id] === undefined) await shelf.discard(id);
}

/** The line that keeps a list of scores on this device; it fills itself. `who` is `{ user, partName }`. */
export function offlineRow(ids, who, changed) {
  const row = make("div", { class: "keeping", role: "group", "aria-label": "On this device" });
  const key = keyOf(who.user, ids);
  fill(row, key, ids, who, changed);
  return row;
}

async function fill(row, key, ids, who, changed) {
  const state = running.get(key);
  if (state) {
    row.replaceChildren(make("span", { text: "Keeping …" }),
      make("progress", { max: state.all, value: state.done, "aria-label": "Pages kept on this device" }),
      make("button", { type: "button", class: "small", text: "Stop", onclick: () => (state.isStopped = true) }));
    return;
  }
  const kept = await things.get(key);
  if (kept) {
    row.replaceChildren(make("span",
      { text: `On this device: ${kept.isWhole ? "all parts" : "your parts"}, ${sizeWords(kept.bytes)}.` }),
      act("Remove from this device", async () => {
        await forget(key, ids);
        changed();
      }, { class: "small", id: "forget-offline" }));
    return;
  }
  if (!weights.has(key)) {
    row.replaceChildren(make("span", { class: "hint", text: "Asking how large it is …" }));
    const found = await weigh(ids, who).catch(() => null);
    if (found) weights.set(key, found);
  }
  const weight = weights.get(key);
  if (!weight) {
    return row.replaceChildren(make("span",
      { class: "hint", text: "The server does not answer: nothing can be fetched now." }));
  }
  const about = weight.isExact ? "" : "about ";
  const start = (isWhole) => keepAll(key, weight, { isWhole, user: who.user }, changed);
  row.replaceChildren(
    act(`Keep my parts (${about}${sizeWords(weight.mine)})`, () => start(false),
      { class: "primary", id: "keep-offline" }),
    ...(weight.all > weight.mine * 1.05 ? [act(`All parts (${about}${sizeWords(weight.all)})`,
      () => start(true), { class: "small", id: "keep-all-offline" })] : []),
    ...(weight.missing > 0 ? [make("span", { class: "hint", text: weight.missing === 1
      ? "One piece was not given to you." : `${weight.missing} pieces were not given to you.` })] : []));
}
