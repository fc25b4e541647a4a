// Epochs, written `term.change`: a higher term is a newer leader; a higher change is a later takeover in its term.

/** Reads “1.4” as { term, change }; null if the text is no epoch. */
export function readEpoch(text) {
  const match = /^(\d{1,10})\.(\d{1,10})$/.exec(text ?? "");
  return match ? { term: Number(match[1]), change: Number(match[2]) } : null;
}

/** Below zero where `a` is older than `b`, above zero where newer; an unreadable epoch is older than any. */
export function compareEpochs(a, b) {
  const [left, right] = [readEpoch(a), readEpoch(b)];
  if (!left || !right) return Number(Boolean(left)) - Number(Boolean(right));
  return left.term - right.term || left.change - right.change;
}

/** The newer of two. */
export const newerEpoch = (a, b) => (compareEpochs(a, b) >= 0 ? a : b);
