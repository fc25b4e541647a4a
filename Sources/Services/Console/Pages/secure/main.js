// How a device comes to trust this server: the steps of its system, and whether it does already.
import { ask } from "/shared/api.js";
import { find, make, mark, write } from "/shared/dom.js";
import { readablePrint, secureOrigin, trusts } from "/shared/secure.js";
import { language, ways, word } from "./words.js";

/** The page to go on with; only one of this server. */
const next = /^\/(?!\/)[\w\-/?=&.%]*$/.exec(new URLSearchParams(location.search).get("next") ?? "/")?.[0] ?? "/";
let facts = null;

/** The way of this device. An iPad says that it is a Mac, but it has a touch screen. */
function ownWay() {
  const agent = navigator.userAgent;
  if (/iPhone|iPad/.test(agent) || /Macintosh/.test(agent) && navigator.maxTouchPoints > 1) return "iphone";
  if (/Android/.test(agent)) return "android";
  if (/Firefox/.test(agent)) return "firefox";
  return /Macintosh/.test(agent) ? "mac" : "windows";
}

function sayState(name, isTrusted = null) {
  write(find("state"), word(name));
  mark(find("state"), "data-trusted", isTrusted === null ? null : String(isTrusted));
}

async function check() {
  if (facts === null) sayState("checking");
  try {
    facts = await ask("/api/secure");
  } catch {
    return sayState("unreachable");
  }
  const origin = secureOrigin(facts);
  if (origin === null) return sayState("none");
  const isTrusted = await trusts(origin);
  sayState(isTrusted ? "trusted" : "untrusted", isTrusted);
  find("install").hidden = isTrusted || facts.kind !== "own";
  const goOn = find("go-on");
  goOn.hidden = !isTrusted;
  mark(goOn, "href", origin + next);
  write(goOn, word("goOn", { address: new URL(origin).host }));
  write(find("print"), readablePrint(facts));
}

document.documentElement.lang = language;
for (const [id, name] of Object.entries({ title: "title", lead: "lead", download: "download", again: "again",
  limits: "limits", "print-name": "print" })) write(find(id), word(name));
find("ways").replaceChildren(...Object.entries(ways).map(([way, steps]) => make("details", { open: way === ownWay() },
  make("summary", { text: word(way) }), make("ol", {}, ...steps.map((step) => make("li", { text: word(step) }))))));
find("again").addEventListener("click", check);
// Whoever comes back from the settings wants to know.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") check();
});
check();
