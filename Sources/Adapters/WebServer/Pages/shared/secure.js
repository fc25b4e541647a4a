// Tells whether browsers trust this address, which functions they withhold if they do not, and the way to trust it.
import { make } from "./dom.js";

/** Names of the machine itself, which mean another machine on every phone. */
export const onlyHere = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

/** True over https and on the server's own machine. */
export const isSecureAddress = () => globalThis.isSecureContext === true;

const withheld = "the microphone (tuner, practice), the copy for playing without the network, installing on the home "
  + "screen, MIDI pedals and signing in offline";

/** A sentence about the functions that will not work at this address; "" if all work. */
export function insecureSentence(isSecure = isSecureAddress()) {
  if (isSecure) return "";
  return `This address is not encrypted (http, not https). Browsers refuse here: ${withheld}. Reading, turning pages `
    + "and remarks work.";
}

/**
 * A note that says so, to be put on a page; null if nothing is withheld. It leads to what helps: to trusting this
 * server's certificate, or to making it.
 */
export function insecureNote(isSecure = isSecureAddress()) {
  const sentence = insecureSentence(isSecure);
  if (sentence === "") return null;
  const way = make("a", { href: `/secure?next=${location.pathname}`, text: "Let this device trust the server",
    hidden: true });
  const note = make("p", { class: "insecure", role: "note", id: "insecure", text: `${sentence} ` }, way);
  askFacts().then((facts) => {
    way.hidden = secureOrigin(facts) === null;
    if (way.hidden) note.append("A technician can change that on the page “First steps”.");
  }).catch(() => {});
  return note;
}

/** What the server says about its certificate. */
async function askFacts() {
  const answer = await fetch("/api/secure");
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** True if a certificate names this host. */
export function namesHost(facts, host) {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return facts.names.includes(bare) || facts.names.includes(bare.replace(/^[^.]+/, "*"));
}

/**
 * The address of this server over https, without a path; null if it has no certificate.
 * It is the one of this page if the certificate names it.
 */
export function secureOrigin(facts, here = { hostname: location.hostname, port: location.port }) {
  if (facts.kind !== "own" && facts.kind !== "given") return null;
  const named = facts.names.filter((name) => !name.startsWith("*") && !onlyHere.test(name));
  const host = namesHost(facts, here.hostname) ? here.hostname : named[0];
  if (host === undefined) return null;
  return `https://${host}${here.port ? `:${here.port}` : ""}`;
}

/** The authority's fingerprint in groups of eight bytes; "" if there is none. */
export const readablePrint = ({ authorityFingerprint: print }) => (print?.match(/.{1,24}/g) ?? []).join(" ");

/** True if this device trusts the server at this address: an encrypted request gets an answer. */
export async function trusts(origin) {
  try {
    return (await fetch(`${origin}/api/secure/trusted`, { cache: "no-store", credentials: "omit" })).ok;
  } catch {
    return false;
  }
}
