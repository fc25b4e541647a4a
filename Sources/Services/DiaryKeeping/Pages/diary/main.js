// The diary: which screen is shown, the search field, and the sending of what was entered without a server.
import { ask } from "/shared/api.js";
import { find, make, mark } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { signInAddress } from "/shared/signin.js";
import { DiaryOutbox, pending } from "./outbox.js";
import { adoptHeard, remember, waiting } from "./own.js";
import { drawWhenFree, forgetDrawing } from "./redrawing.js";
import { search, timeline } from "./timeline.js";
import { counted } from "./words.js";

const searchAfter = 120; // ms after the last letter
const roleKey = "baton-diary-role";
const main = find("main");
const query = find("query");
let view = null;
let person = null;

/** A screen that is shown; `isGone` once another one is. */
class View {
  isGone = false;
  asked = null;
  #address = location.hash;

  get person() {
    return person;
  }

  /** The role of the signed-in user; without the server, the role of the last one. */
  get role() {
    return person?.role ?? readKept(roleKey);
  }

  /** True for those who run the house. */
  get isStaff() {
    return ["technician", "editor", "administrator"].includes(this.role);
  }

  show(...parts) {
    if (this.isGone) return;
    const focused = main.contains(document.activeElement) ? document.activeElement.id : "";
    main.replaceChildren(...parts);
    main.setAttribute("aria-busy", "false");
    if (focused && focused !== main.id) document.getElementById(focused)?.focus({ preventScroll: true });
  }

  /** Draws the screen again, with what the server says now; not if another screen has been opened. */
  async drawAgain() {
    if (!this.isGone || location.hash === this.#address) await open();
  }

  say(sentence) {
    say(sentence);
  }

  sync(isAsked = false) {
    return sendWaiting(isAsked);
  }
}

function say(sentence, ...links) {
  const state = find("state");
  state.replaceChildren(sentence, ...links);
  state.hidden = sentence === "";
}

// Screens that are not needed at once are loaded when they are.
const screens = {
  "": (current, _, words) => timeline(current, words),
  search: (current, _, words) => {
    query.value = words.get("q") ?? "";
    return query.value.trim() ? search(current, query.value.trim()) : timeline(current);
  },
  mine: async (current) => (await import("./mine.js")).minePage(current),
  new: async (current, [how]) => {
    const { byHandPage, guidedPage } = await import("./entering.js");
    return how === "by-hand" ? byHandPage(current) : guidedPage(current);
  },
  concerts: async (current, [id, what]) => (what === "edit"
    ? (await import("./entering.js")).editPage(current, id)
    : (await import("./concert.js")).concertPage(current, id)),
  works: async (current, [id]) => (await import("./people.js")).workPage(current, id),
  people: async (current, [id]) => (await import("./people.js")).personPage(current, id),
  ensembles: async (current, [id, what]) => {
    const { ensembleEditPage, ensemblePage, ensemblesPage, ownEnsemblePage } = await import("./people.js");
    if (id === "new") return (await import("./namesform.js")).ensembleForm(current);
    if (id === "mine" && what) return ownEnsemblePage(current, what);
    if (what === "edit") return ensembleEditPage(current, id);
    return id ? ensemblePage(current, id) : ensemblesPage(current);
  },
  events: async (current, [id, what]) => {
    const { editEventPage, newEventPage } = await import("./eventform.js");
    const { eventPage, eventsPage, ownEventPage } = await import("./events.js");
    if (id === "mine" && what) return ownEventPage(current, what);
    if (id === "new") return newEventPage(current);
    if (what === "edit") return editEventPage(current, id);
    return id ? eventPage(current, id) : eventsPage(current);
  },
  halls: async (current) => (await import("./namesform.js")).hallForm(current),
  compare: async (current, [id, other]) => (await import("./comparing.js")).comparePage(current, id, other),
  statistics: async (current, _, words) => (await import("./statistics.js")).statisticsPage(current, words),
  data: async (current) => (await import("./data.js")).dataPage(current),
};

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function open() {
  forgetDrawing();
  if (view) view.isGone = true;
  view = new View();
  const [path, words] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decoded);
  main.setAttribute("aria-busy", "true");
  for (const link of document.querySelectorAll("#screens a")) {
    mark(link, "aria-current", link.getAttribute("href") === `#/${name}` ? "page" : null);
  }
  say("");
  const screen = screens[name] ?? screens[""];
  try {
    await screen(view, rest, new URLSearchParams(words));
  } catch (error) {
    view.show(make("p", { class: "empty", text: "This part of the page could not be loaded. Check the connection." }));
    console.warn(error);
  }
}

let timer = null;
query.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // The search stands in the address, so that the way back from a concert leads to it.
    const words = query.value.trim();
    history.replaceState(null, "", words ? `#/search?${new URLSearchParams({ q: words })}` : "#/");
    if (words === "") {
      open();
      return;
    }
    if (view) view.isGone = true;
    view = new View();
    search(view, words);
  }, searchAfter);
});
find("search").addEventListener("submit", (event) => event.preventDefault());

let isAsked = false; // somebody pressed a button to send
const waitingCount = () => waiting().length + pending().length;

const outbox = new DiaryOutbox(({ own, house, refusals }, state, sentence) => {
  const why = state === "saved" ? [] : [sentence];
  // Other screens are not disturbed by what waits.
  const isSaid = isAsked || /^#\/(mine|concerts\/own-|events\/)/.test(location.hash);
  isAsked = false;
  if (own + house + refusals.length > 0) {
    say([own > 0 ? `${counted(own, "concert")} sent to your account.` : "",
      house > 0 ? "Sent to the house’s diary." : "", ...refusals, ...why].filter(Boolean).join(" "));
    if (own + house > 0) dispatchEvent(new Event("sent"));
  } else if (isSaid && why.length > 0 && waitingCount() > 0) {
    say(`${sentence} `, ...(state === "out" || state === "other"
      ? [make("a", { href: signInAddress(), text: "Sign in" })] : []));
  }
});

/** Sends what waits on this device; says how it went where somebody asked for it. */
async function sendWaiting(isWanted = false) {
  isAsked ||= isWanted;
  if (waitingCount() > 0 || person) await outbox.flush();
}

addEventListener("hashchange", () => {
  query.value = "";
  open();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
addEventListener("unkept", () => say("This device did not keep it: it has no room, or its browser keeps nothing. "
  + "Make room, or leave the private window, and try again."));
addEventListener("online", () => sendWaiting());
for (const name of ["account", "received"]) {
  addEventListener(name, () => {
    drawWhenFree(() => {
      if (/^#\/(mine|concerts\/[^/]*)$/.test(location.hash)) open();
    });
  });
}
addEventListener("sent", () => {
  setTimeout(() => drawWhenFree(() => {
    if (/^#\/(mine|concerts|events|ensembles)/.test(location.hash) && !document.querySelector("main form")) open();
  }), 1500);
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  adoptHeard();
  sendWaiting();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    query.focus();
  }
});
setInterval(() => document.visibilityState === "visible" && sendWaiting(), 20_000);

const who = ask("/api/me").then((answer) => {
  person = answer;
  keep(roleKey, answer.role);
}, (refusal) => {
  if (refusal.status !== 401) return;
  remember(null);
  keep(roleKey, null);
});
adoptHeard();
if (/^#\/(data|new|events|ensembles|halls)/.test(location.hash)) await who;
await open();
await who;
await sendWaiting();
if ("serviceWorker" in navigator) {
  setTimeout(() => navigator.serviceWorker.register("/diary-sw.js", { scope: "/diary" }).catch(() => {}), 500);
}
