// The newest taps, kept in this browser: a reload, the way back, Esc, a failed task or Undo does not lose them.
import { keep, readKept } from "/shared/kept.js";

const place = (piece) => `baton.prepare.taps.${piece}`;

/**
 * The kept taps of a piece's main recording: `{taps, every, isOpen}`; null if there are none. `isOpen` says that the
 * tapping had not been ended.
 */
export function keptTaps(piece, recording) {
  const kept = readKept(place(piece));
  const isTap = (tap) => Number.isFinite(tap?.seconds) && Number.isInteger(tap.bar);
  return kept?.recording === recording && Array.isArray(kept.taps) && kept.taps.length > 0 && kept.taps.every(isTap)
    ? kept : null;
}

export function keepTaps(piece, recording, { taps, every }, { isOpen = true } = {}) {
  keep(place(piece), taps.length > 0 ? { recording, taps, every, isOpen } : null);
}

export const forgetTaps = (piece) => keep(place(piece), null);
