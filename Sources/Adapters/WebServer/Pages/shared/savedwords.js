// How something that is edited is saved, in the same words on all pages.

/** A word or two for each state. */
export const savedWords = {
  saved: "Saved", saving: "Saving …", waiting: "Not sent yet", out: "Signed out", other: "Not sent yet",
  barred: "Not sent yet", conflict: "Needs your choice", refused: "Not saved",
};

/** The word for an entry that is not on the server: `trouble` is the sentence with which the server refused it. */
export const waitingWord = ({ trouble }) => savedWords[trouble ? "refused" : "waiting"];

/**
 * Why something waits, and what becomes of it: a sentence for the person. `refusal` is the server's; `isKept` is false
 * if this device had no room to keep it.
 */
export function sentenceOf(state, { status = 0, message = "" } = {}, isKept = true) {
  const kept = isKept ? "What you made is kept on this device"
    : "This device has no room to keep what you made: leave this page open. It is kept here";
  const why = status === 0 ? "The server does not answer." : message;
  switch (state) {
    case "waiting": return `${why} ${kept} and sent as soon as the server takes it.`;
    case "out": return `You are signed out. ${kept} and sent when you sign in.`;
    case "other": return `${message} ${kept} and sent when you sign in here again.`;
    case "barred": return `${message} ${kept} and sent when your account may do this; an administrator can help.`;
    case "conflict": return "Somebody else has changed the same. Choose what stays.";
    default: return message;
  }
}

/** For acts that are not kept. */
export const signInAgain = "You are signed out. Sign in, and you come back to this place.";

/** What somebody else left here. */
export const leftBy = (name) =>
  `${name} left changes in this browser that are not saved. They go out when ${name} signs in here.`;
