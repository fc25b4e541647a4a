// The sentences of the speaker's page about the floor, without the page.

const named = (floor, id) => (id === 0 ? "The moderator"
  : floor.presenters.find((presenter) => presenter.id === id)?.name ?? "Somebody");

export const nameOf = named;

/** The own entry among the presenters; null before the server has it. */
export const ownEntry = (floor, me) => floor?.presenters.find((presenter) => presenter.id === me) ?? null;

/** The state of the floor for this speaker: a word for the style, a sentence, and who is next. */
export function stateOf(floor, me, isJoined, isHeldBack = false) {
  if (isHeldBack) {
    return { name: "away", sentence: "This network holds back live data. Use another one, or https.", queue: "" };
  }
  if (!isJoined) {
    return { name: "away", sentence: "Connection lost; your place is kept for a minute. Connecting …", queue: "" };
  }
  if (!floor) return { name: "waiting", sentence: "Connecting …", queue: "" };
  const others = floor.requests.filter((id) => id !== me).map((id) => named(floor, id));
  const place = floor.requests.indexOf(me);
  const next = floor.lender !== null && floor.lender !== floor.holder ? named(floor, floor.lender)
    : floor.requests.length > 0 ? (floor.requests[0] === me ? "you" : named(floor, floor.requests[0])) : null;
  const queue = next === null ? "Nobody asks for the floor." : `Next: ${next}.`;
  if (floor.holder === me) {
    const loan = floor.lender === null ? "" : ` It is lent to you by ${named(floor, floor.lender)}.`;
    const asking = others.length > 0 ? `${others.join(", ")} ${others.length > 1 ? "ask" : "asks"} for the floor.` : "";
    const waits = ownEntry(floor, me)?.doNotDisturb ? "Requests wait until you want to hear of them." : asking;
    return { name: "mine", sentence: `You have the floor.${loan}`, queue: floor.lender === null ? waits : queue };
  }
  const holder = floor.holder === null ? "Nobody has the floor" : `${named(floor, floor.holder)} has the floor`;
  if (floor.lender === me) return { name: "lent", sentence: `${holder}, lent by you.`, queue: "It comes back to you." };
  if (place >= 0) {
    const turn = place === 0 ? "You are next." : `You are number ${place + 1} in the line.`;
    return { name: "asking", sentence: `${holder}. You have asked for it.`, queue: turn };
  }
  return { name: "listening", sentence: `${holder}.`, queue };
}

/** Seconds as minutes and seconds, such as 2:05. */
export function minutes(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

/** The time of the own turn: since when the floor is held, or how long a loan lasts. */
export function turnWords(floor, me, heldSince, now, showNow) {
  if (floor?.holder !== me || heldSince === null) return null;
  const spoken = `${minutes((now - heldSince) / 1000)}`;
  if (floor.loanEndsAt === null || showNow === null) return spoken;
  return `${spoken} · ${minutes((floor.loanEndsAt - showNow) / 1000)} left`;
}
