// What a person enters is kept on this device first. It goes to the server when there is one and somebody is signed in.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";

const ownKey = "baton-diary-own"; // the concerts that were entered here, newest first
const heardKey = "baton-diary-heard"; // the house's concerts at which the owner of this device was
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
  keep(ownKey, ownConcerts().filter((concert) => concert.id !== id));
}

export const waiting = () => ownConcerts().filter((concert) => concert.waits);

/** The fields that the server keeps of an own concert. */
export const sentFields = ({ id, title, date, start, end, venue, city, country, event, stage, ensemble, isSupportAct,
  works, rating, comment }) => ({ id, title, date, start, end, venue, city, country, event, stage, ensemble,
  isSupportAct, works, rating, comment });

/**
 * Sends what waits. Gives the number that the server took and, where it took none, why: "offline", "sign-in" or a
 * sentence.
 */
export async function sync() {
  let sent = 0;
  for (const concert of waiting()) {
    try {
      const { id, version } = await ask("/api/diary/concerts", { method: "POST", json: sentFields(concert) });
      const now = ownConcert(concert.id);
      // Changed again meanwhile: the newer state waits for the next time.
      keepOwn({ ...now, id, version }, now.changedAt !== concert.changedAt);
      sent += 1;
    } catch (refusal) {
      if (refusal.status === 0) return { sent, why: "offline" };
      if (refusal.status === 401) return { sent, why: "sign-in" };
      return { sent, why: refusal.message };
    }
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
