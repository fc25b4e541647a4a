// A dropped folder: shown as the scores and parts that it will become, then sent file by file. What failed is named and
// kept, to be tried again.
import { ask } from "/shared/api.js";
import { Dialog } from "/shared/dialog.js";
import { find, make } from "/shared/dom.js";
import { filesOf, planOf, scoresOf } from "./folderplan.js";
import { faultOf, send } from "./send.js";
import { list, markPart, progress, score as read } from "./store.js";

const pause = 700; // ms between two questions how an import goes
const longest = 240; // tries while the server is busy with others

let dialog = null;
let isRunning = false;

/** The folders among what was dropped; empty if it was files alone. Must be asked within the event. */
export function droppedFolders(transfer) {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.some((entry) => entry.isDirectory) ? entries : [];
}

/** Shows the plan of dropped folders. */
export async function importFolders(roots) {
  const unread = [];
  offer(await filesOf(roots, (path) => unread.push(path)), unread);
}

/** Shows the plan of files with their paths. */
export function offer(entries, unread = []) {
  dialog ??= new Dialog({ id: "folder", isWide: true });
  const { groups, others } = planOf(entries);
  const rows = make("ul", { class: "folder-plan" });
  const count = make("p", { class: "faint", id: "folder-count", role: "status" });
  const begin = make("button", { type: "button", class: "primary", id: "folder-begin" });
  const paint = () => {
    const scores = groups.flatMap(chosenOf);
    const files = scores.reduce((sum, { parts }) => sum + parts.length, 0);
    count.textContent = `${scores.length} ${scores.length === 1 ? "score" : "scores"} from ${files} `
      + `${files === 1 ? "file" : "files"}.`;
    begin.textContent = `Add ${scores.length} ${scores.length === 1 ? "score" : "scores"}`;
    begin.disabled = files === 0;
    rows.replaceChildren(...groups.map((group) => row(group, paint)));
  };
  begin.addEventListener("click", () => run(groups.flatMap(chosenOf)));
  paint();
  dialog.show("Add a folder", count, rows, unread.length > 0
    ? make("p", { class: "fault", text: `Could not be read: ${unread.join(", ")}` }) : null, others.length > 0
    ? make("p", { class: "faint", text: `Left out, neither PDF nor MusicXML: ${others.slice(0, 12).join(", ")}`
      + `${others.length > 12 ? ` and ${others.length - 12} more` : ""}.` }) : null, begin);
}

/** True if the library has a score of this title, as when a folder is dropped a second time. */
const isThere = ({ title }) => list.scores.some((score) =>
  score.title.trim().toLowerCase() === title.trim().toLowerCase());

/** The scores of a group that are added: those that are there already only where the librarian says so. */
const chosenOf = (group) => scoresOf([group]).filter((score) => group.addsAgain || !isThere(score));

/** The question about scores of a group that the library has already; null if there are none. */
function againTick(group, paint) {
  const there = scoresOf([group]).filter(isThere);
  if (there.length === 0) return null;
  const toggle = make("input", { type: "checkbox", checked: group.addsAgain ?? false });
  toggle.addEventListener("change", () => {
    group.addsAgain = toggle.checked;
    paint();
  });
  const titles = there.slice(0, 3).map(({ title }) => `“${title}”`).join(", ");
  const more = there.length > 3 ? ` and ${there.length - 3} more` : "";
  return make("label", { class: "tick again" }, toggle,
    ` The library has ${titles}${more} already. Add ${there.length === 1 ? "it" : "them"} again`);
}

function row(group, paint) {
  const names = scoresOf([group]).flatMap(({ title, parts }) =>
    (group.isOneScore ? parts.map(({ name }) => name) : [title]));
  const toggle = make("input", { type: "checkbox", checked: group.isOneScore });
  toggle.addEventListener("change", () => {
    group.isOneScore = toggle.checked;
    paint();
  });
  return make("li", {}, make("strong", { text: group.name || "Files" }),
    group.canBeOneScore ? make("label", { class: "tick" }, toggle, " One score, each file a part") : null,
    againTick(group, paint),
    make("ol", {}, ...names.map((name) => make("li", { text: name }))));
}

/** Sends all of them, in order; gives the parts that failed. */
async function run(scores) {
  if (isRunning) return;
  isRunning = true;
  const warn = (event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  const total = scores.reduce((sum, { parts }) => sum + parts.length, 0);
  const bar = make("progress", { max: total, value: 0, "aria-label": "Files that were added" });
  const now = make("p", { id: "folder-now", role: "status" });
  const faults = make("ul", { class: "folder-faults", id: "folder-faults" });
  dialog.show("Adding a folder", bar, now, faults);
  const failed = [];
  let done = 0;
  for (const score of scores) {
    const left = { ...score, parts: [] };
    for (const [index, part] of score.parts.entries()) {
      now.textContent = `${part.file.name} – ${done + 1} of ${total}`;
      try {
        await addFile(left, part, score.parts.length);
      } catch (error) {
        faults.append(make("li", {}, make("strong", { text: part.file.name }), ` ${error.message}`));
        left.parts.push(score.parts[index]);
      }
      done += 1;
      bar.value = done;
    }
    if (left.parts.length > 0) failed.push(left);
    await list.read().catch(() => {});
  }
  removeEventListener("beforeunload", warn);
  isRunning = false;
  const good = total - failed.reduce((sum, { parts }) => sum + parts.length, 0);
  now.textContent = failed.length === 0 ? `All ${total} files are in the library.`
    : `${good} of ${total} files are in the library. These are not:`;
  if (failed.length > 0) {
    const again = make("button", { type: "button", class: "primary", id: "folder-again", text: "Try these again" });
    again.addEventListener("click", () => run(failed));
    find("folder-body").append(again);
  }
}

/** Adds one file: the first of a score makes it, `score.id` is kept for the others. */
async function addFile(score, { file, name }, count) {
  const fault = faultOf(file);
  if (fault) throw new Error(fault);
  if (score.id) {
    await patiently(() => send(`/api/library/scores/${score.id}/parts?name=${encodeURIComponent(name || score.title)}`,
      file, () => {}).answer);
    return finished(score.id);
  }
  const title = encodeURIComponent(score.title);
  // Of a single MusicXML file the title that stands in it goes before the file's name.
  const made = await patiently(() =>
    send(`/api/library/scores?${count > 1 ? "title" : "file"}=${title}`, file, () => {}).answer);
  await finished(made.score);
  score.id = made.score;
  if (count > 1 && name) await nameOnlyPart(made.score, name);
}

/** Names the part that the first file has become after the file; the parts of a full score have names of their own. */
async function nameOnlyPart(id, name) {
  const { parts } = await read(id);
  if (parts.length === 1 && parts[0].name !== name) await markPart(id, 0, { name });
}

/** Waits until the server has engraved what it took. */
async function finished(id) {
  for (;;) {
    const state = await progress(id).catch((refusal) => {
      if (refusal.status !== 0 && refusal.status < 502) throw refusal;
      return { state: "waiting" };
    });
    if (state.state === "failed") throw new Error(state.sentence);
    if (state.state === "ready") return;
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** Tries again while the server is busy or does not answer; other refusals are final. */
async function patiently(work) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= longest || !/busy|does not answer|try again in a minute/i.test(error.message)) throw error;
      await new Promise((done) => setTimeout(done, 1_000));
      await ask("/healthz").catch(() => {});
    }
  }
}
