// Tells whether browsers trust this address, and which functions they withhold if they do not.
import { make } from "./dom.js";

/** True over https and on the server's own machine. */
export const isSecureAddress = () => globalThis.isSecureContext === true;

const withheld = "the microphone (tuner, practice), the copy for playing without the network, installing on the home "
  + "screen, MIDI pedals and signing in offline";

/** A sentence about the functions that will not work at this address; "" if all work. */
export function insecureSentence(isSecure = isSecureAddress()) {
  if (isSecure) return "";
  return `This address is not encrypted (http). Browsers refuse here: ${withheld}. Reading, turning pages and remarks `
    + "work. Whoever runs the server can say whether it has an https address.";
}

/** A note that says so, to be put on a page; null if nothing is withheld. */
export function insecureNote(isSecure = isSecureAddress()) {
  const sentence = insecureSentence(isSecure);
  return sentence === "" ? null : make("p", { class: "insecure", role: "note", id: "insecure", text: sentence });
}
