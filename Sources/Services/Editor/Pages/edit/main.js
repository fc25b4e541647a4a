// Puts the editor together: which page is shown, the tools at the top, and what is heard of others.
import { ask } from "/shared/api.js";
import { listenToChanges } from "/shared/changes.js";
import { find, icon, make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain, signInLink, tellUnsent } from "/shared/saved.js";
import { wireTheme } from "/shared/themebutton.js";
import { peopleWithUnsent } from "/shared/unsent.js";
import { cardsView } from "./cardsview.js";
import { concertsView } from "./concertsview.js";
import { Desk } from "./desk.js";
import { filesView } from "./filesview.js";
import { formView } from "./formview.js";
import { listenToKeys } from "./keys.js";
import { nothing } from "./layout.js";
import { counted } from "./names.js";
import { overview } from "./overview.js";
import { Panel, fillFindings, fillHelp } from "./panels.js";
import { pieceView } from "./pieceview.js";
import { Sidebar } from "./sidebar.js";
import { serveConcert } from "./serving.js";
import { titlesView } from "./titlesview.js";
import { trackView } from "./trackview.js";
import { unsentEdits } from "./unsentedits.js";
import { fillHistory } from "./versions.js";

const main = find("main");
const panel = new Panel();
let desk = null;
let view = null;
let sidebar = null;
let me = "";
let turn = 0;
const meKnown = ask("/api/me").then(({ name }) => (me = name)).catch(() => {});

const views = {
  "": () => overview(desk),
  piece: (id) => pieceView(desk, id),
  track: (id, at) => trackView(desk, id, at),
  form: (id, at) => formView(desk, id, at),
  titles: (id, at) => titlesView(desk, id, at),
  words: (at) => cardsView(desk, "word", at),
  messages: (at) => cardsView(desk, "message", at),
  files: (at) => filesView(desk, at),
};

/** Shows the page that the address names: `#/CONCERT/PAGE/NODE/NODE`. */
async function show() {
  const mine = (turn += 1);
  const [concert, page = "", first, second] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  mark(main, "aria-busy", "true");
  closeMenu();
  view?.gone();
  view = null;
  try {
    await put(Number(concert) || null);
    if (mine !== turn) return;
    const kind = { piece: "piece", track: "track", form: "piece", titles: "piece" }[page];
    const isLost = kind && desk?.book.tree.get(first)?.kind !== kind;
    view = !desk ? concertsView() : isLost ? lost() : (views[page] ?? views[""])(first, second);
  } catch (refusal) {
    view = { element: make("div", { class: "page" },
      nothing("This concert cannot be opened", refusal.message, refusal.status === 401
        ? signInLink() : make("a", { class: "button", href: "#/", text: "All concerts" }))), update() {}, keys: {},
      gone() {} };
  }
  main.replaceChildren(view.element);
  main.scrollTop = 0;
  mark(main, "aria-busy", null);
  for (const tool of document.querySelectorAll(".in-concert")) tool.hidden = !desk;
  find("saved").hidden = !desk;
  showTop();
  if (mine > 1 && !second) main.focus({ preventScroll: true });
}

const lost = () => (
  { element: make("div", { class: "page" },
    nothing("This is no longer in the concert",
      "Somebody or an undo removed it. Undo brings back what you removed.",
      make("a", { class: "button", href: `#/${desk.book.concert}`, text: "To the concert" }))), update() {}, keys: {},
    gone() {} });

async function put(concert) {
  if ((desk?.book.concert ?? null) === concert) return;
  leave(desk);
  desk = sidebar = null;
  find("side").hidden = true;
  panel.close();
  if (concert === null) return;
  await meKnown;
  const next = new Desk(concert, { changed, gone: () => setTimeout(show), me });
  await next.open();
  desk = next;
  sidebar = new Sidebar(find("side"), desk);
  desk.checking.onChange(() => {
    showTop();
    if (panel.open === "findings") panel.refresh();
  });
  desk.book.say();
  peopleWithUnsent(unsentEdits, concert, me).forEach(tellUnsent);
}

/** Sends unsent edits first; if the server does not answer, they stay in the browser. */
async function leave(left) {
  left?.player.stop();
  if (left?.book.hasUnsent) await left.book.flush();
  left?.close();
}

function changed(why) {
  view?.update();
  showTop();
  if (why !== "edit" && panel.open === "history") panel.refresh();
}

function showTop() {
  const title = desk ? desk.book.tree.text("concert", "title") || "Untitled concert" : "";
  write(find("crumb"), title);
  const page = main.querySelector("h1")?.textContent;
  document.title = `${[page, title].filter(Boolean).join(" · ") || "Content"} · Baton`;
  if (!desk) return;
  sidebar.show(location.hash);
  const count = desk.checking.all.length;
  const worst = ["error", "warning", "hint"]
    .find((severity) => desk.checking.all.some((finding) => finding.severity === severity)) ?? "none";
  mark(find("findings"), "data-worst", worst);
  write(words.findings, count);
  mark(find("findings"), "aria-label", count ? counted(count, "finding") : "No findings");
  const { served } = desk.book;
  write(find("serve"), served ? "Served" : "Serve");
  mark(find("serve"), "title", served ? "Listeners find this concert" : "Let listeners find this concert");
  mark(find("serve"), "data-served", served);
  mark(find("serve"), "aria-disabled", served);
}

// MARK: Tools

const words = { findings: make("span", { class: "tool-count" }) };

function tools() {
  const fit = (id, text, ...content) => {
    mark(find(id), "aria-label", text);
    mark(find(id), "title", text);
    find(id).append(...content);
  };
  fit("menu", "Contents", icon("list"));
  fit("undo", "Undo (Ctrl Z)", make("span", { "aria-hidden": "true", class: "glyph", text: "↶" }));
  fit("redo", "Redo (Ctrl Shift Z)", make("span", { "aria-hidden": "true", class: "glyph", text: "↷" }));
  fit("history", "Earlier versions", make("span", { "aria-hidden": "true", class: "glyph", text: "◷" }));
  fit("findings", "Findings", icon("warn"), words.findings);
  fit("help", "Keys and help (?)", make("span", { "aria-hidden": "true", class: "glyph", text: "?" }));
  const does = { undo: () => (view?.undo ? view.undo() : desk?.undo()),
    redo: () => (view?.redo ? view.redo() : desk?.redo()), history: showHistory, findings: showFindings,
    help: showHelp, serve };
  for (const [id, act] of Object.entries(does)) find(id).addEventListener("click", act);
  find("menu").addEventListener("click", () => (document.body.dataset.menu ? closeMenu() : openMenu()));
  document.querySelector(".body").addEventListener("click",
    (event) => document.body.dataset.menu && !find("side").contains(event.target) && closeMenu());
}

const showHistory = () => panel.toggle("history", "Earlier versions", (body) => fillHistory(desk, body));
const showFindings = () => panel.toggle("findings", "Findings", (body) => fillFindings(desk, body));
const showHelp = () => panel.toggle("help", "Keys and help", fillHelp);

async function serve() {
  if (!desk || desk.book.served) return;
  try {
    await desk.book.flush();
    if (!(await serveConcert(desk.book.concert))) return;
    await desk.book.load();
    notice("Listeners find this concert from now on.", { tone: "good" });
  } catch (refusal) {
    complain(refusal);
  }
}

async function save() {
  const done = await desk?.book.flush() && (await view?.flush?.() ?? true);
  if (done && !desk.book.refusals.length) notice("Everything is saved, always.", { seconds: 2 });
}

function openMenu() {
  document.body.dataset.menu = "open";
  mark(find("menu"), "aria-expanded", "true");
  find("side").querySelector("a")?.focus();
}

function closeMenu() {
  delete document.body.dataset.menu;
  mark(find("menu"), "aria-expanded", "false");
}

// MARK: Together

tools();
wireTheme("baton.edit.theme");
listenToKeys((name) => {
  if (name === "close") {
    closeMenu();
    panel.close();
  } else if (name === "help") showHelp();
  else if (name === "save") save();
  else (view?.[name] ? view : desk)?.[name]();
}, () => view?.keys);

/** Shows what may have changed elsewhere; a concert that somebody has removed is closed, with a sentence. */
async function catchUp() {
  if (!desk) return view?.update();
  const mine = desk;
  try {
    await mine.book.load();
  } catch (refusal) {
    if (refusal.status !== 404 || desk !== mine) return;
    mine.player.stop();
    mine.close();
    desk = sidebar = null;
    find("side").hidden = true;
    panel.close();
    show();
  }
}

function heardEdit({ concert, revision, author, label }) {
  if (!desk) view?.update();
  if (desk?.book.concert !== concert) return;
  if (revision > desk.book.revision && author !== me) notice(`${author}: ${label}`, { seconds: 4 });
  desk.book.heard(revision);
}

listenToChanges("/api/edit/events", (name, value) => {
  if (name === "edit") heardEdit(value);
  else if (name === "concerts") catchUp(); // listeners find another one
}, catchUp);
addEventListener("hashchange", show);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && desk?.book.flush());
addEventListener("pagehide", () => desk?.book.flush());
show();
