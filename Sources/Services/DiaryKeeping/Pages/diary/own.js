// What a person enters is kept on this device first. It goes to the server when there is one and somebody is signed in.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";

const ownKey = "baton-diary-own"; // the concerts that were entered here, newest first
const heardKey = "baton-diary-heard"; // the house's concerts at which the owner of this device was
const goneKey = "baton-diary-gone"; // ids of own concerts that were deleted here and not yet on the server
const mostKept = 2000; // concerts on one device

/** An id that no other device makes. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `own-${[...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("").slice(0, 20)}`;
}

export const ownConcerts = () => readKept(ownKey) ?? [];
export const ownConcert = (id) => ownConcerts().find((concert) => concert.id === id) ?? null;

/** Keeps a concert as it is now; `waits` until the server has this very state of it. */
export function keepOwn(concert, waits = true) {
  const others = ownConcerts().filter(({ id }) => id !== concert.id);
  const kept = { ...concert, waits, changedAt: Date.now() };
  keep(ownKey, [kept, ...others].slice(0, mostKept));
  return kept;
}

export function forgetOwn(id) {
  if (ownConcert(id)?.revision) keep(goneKey, [...(readKept(goneKey) ?? []), id]);
  keep(ownKey, ownConcerts().filter((concert) => concert.id !== id));
}

export const waiting = () => ownConcerts().filter((concert) => concert.waits);

/** The fields that the server keeps of an own concert. */
const sentFields = (concert) => Object.fromEntries(["title", "date", "start", "venue", "city", "stage", "event",
  "ensemble", "isSupportAct", "works", "rating", "comment"].map((name) => [name, concert[name]]));

const address = (id) => `/api/diary/mine/${encodeURIComponent(id)}`;

/** Sends one concert. Where another device was first, the state that was changed later stays. */
async function send(concert, revision = concert.revision ?? 0, isAgain = false) {
  try {
    return await ask(address(concert.id), { method: "PUT", json: { revision, concert: sentFields(concert) } });
  } catch (refusal) {
    if (refusal.code !== "conflict" || isAgain) throw refusal;
    return send(concert, refusal.value.revision, true);
  }
}

/** Gets what other devices of this account have sent; what waits here stays. */
async function receive() {
  const { concerts } = await ask("/api/diary/mine", { patience: 8000 });
  for (const { id, revision, concert } of concerts) {
    const known = ownConcert(id);
    if (known?.waits || known?.revision === revision) continue;
    keepOwn({ ...concert, id, revision }, false);
  }
}

/**
 * Sends what waits and gets the rest. Gives the number that the server took and, where it took none, why: "offline",
 * "sign-in" or a sentence.
 */
export async function sync() {
  let sent = 0;
  try {
    for (const id of readKept(goneKey) ?? []) {
      await ask(address(id), { method: "DELETE" });
      keep(goneKey, (readKept(goneKey) ?? []).filter((each) => each !== id));
    }
    for (const concert of waiting()) {
      const { revision } = await send(concert);
      const now = ownConcert(concert.id);
      // Changed again meanwhile: the newer state waits for the next time.
      if (now) keepOwn({ ...now, revision }, now.changedAt !== concert.changedAt);
      sent += 1;
    }
    await receive();
  } catch (refusal) {
    if (refusal.status === 0) return { sent, why: "offline" };
    if (refusal.status === 401) return { sent, why: "sign-in" };
    return { sent, why: refusal.message };
  }
  return { sent, why: null };
}

// I was there.
export const heard = () => readKept(heardKey) ?? [];
export const wasThere = (id) => heard().find((each) => each.id === id) ?? null;

export function keepHeard(concert) {
  keep(heardKey, [concert, ...heard().filter(({ id }) => id !== concert.id)].slice(0, mostKept));
}

export function forgetHeard(id) {
  keep(heardKey, heard().filter((each) => each.id !== id));
}

/** All that this device keeps, newest first. */
export const mine = () => [...ownConcerts(), ...heard()].sort((one, other) =>
  (other.date ?? "").localeCompare(one.date ?? ""));
