// Files that are added: chosen or dropped, one after the other, each with its progress.
import { find, icon, make } from "/shared/dom.js";
import { droppedFolders, importFolders, offer } from "./folderimport.js";
import { isPhotograph, nameOf, pdfOf } from "./photographs.js";
import { list, progress } from "./store.js";
import { faultOf, send, titleOf } from "./send.js";

const waiting = [];
let running = false;

/** Adds files as scores of their own, or with `target` as parts of a score, written higher by an interval.
    Photographs among them become the pages of one. */
export function upload(files, target = null, interval = "") {
  const photographs = files.filter(isPhotograph);
  const add = (name, read) => waiting.push({ read, target, interval, row: row(name) });
  for (const file of files) if (!isPhotograph(file)) add(file.name, () => file);
  if (photographs.length > 0) {
    add(nameOf(photographs), (view) => pdfOf(photographs, (number) => {
      view.state.textContent = `reading photograph ${number} of ${photographs.length}`;
    }));
  }
  run();
}

function row(name) {
  const bar = make("progress", { max: 1, value: 0, "aria-label": `Upload of ${name}` });
  const state = make("span", { class: "state", text: "waiting" });
  const button = make("button", { type: "button", class: "plain", "aria-label": `Cancel ${name}` }, icon("close"));
  const item = make("li", {}, make("span", { class: "name", text: name }), button, bar, state);
  find("uploads").append(item);
  const view = { item, bar, state, button, cancel: () => {}, isCancelled: false };
  button.addEventListener("click", () => {
    if (view.isDone) return item.remove();
    view.isCancelled = true;
    view.cancel();
    item.remove();
  });
  return view;
}

async function run() {
  if (running) return;
  running = true;
  while (waiting.length) {
    const { read, target, interval, row: view } = waiting.shift();
    if (view.isCancelled) continue;
    try {
      const file = await read(view);
      if (view.isCancelled) continue;
      const fault = faultOf(file);
      if (fault) throw new Error(fault);
      await one(file, target, interval, view);
      view.item.remove();
    } catch (error) {
      if (!view.isCancelled) fail(view, error.message);
    }
  }
  running = false;
}

function fail(view, sentence) {
  view.isDone = true;
  view.bar.remove();
  view.item.dataset.trouble = "true";
  view.state.textContent = sentence;
  view.button.setAttribute("aria-label", "Put this away");
}

async function one(file, target, interval, view) {
  const path = target
    ? `/api/library/scores/${target}/parts?name=${encodeURIComponent(titleOf(file))}&transpose=${interval}`
    : `/api/library/scores?file=${encodeURIComponent(titleOf(file))}`;
  view.state.textContent = "sending";
  const sending = send(path, file, (share) => {
    view.bar.value = share;
    view.state.textContent = share < 1 ? `${Math.floor(share * 100)} %` : "being checked";
  });
  view.cancel = sending.cancel;
  const { score } = await sending.answer;
  // From here on the server goes on by itself; putting the line away cancels nothing.
  view.cancel = () => {};
  for (;;) {
    const now = await progress(score).catch(away);
    if (now.state === "failed") throw new Error(now.sentence);
    if (now.state === "ready") break;
    view.state.textContent = now.isAway ? "waiting for the server" : now.state === "waiting"
      ? "waiting for another score" : now.of ? `engraving part ${now.done} of ${now.of}` : "engraving";
    if (now.of) view.bar.value = now.done / now.of;
    else view.bar.removeAttribute("value");
    await new Promise((done) => setTimeout(done, 500));
    if (view.isCancelled) return;
  }
  await list.read();
  location.hash = `#/score/${score}`;
  if (target) dispatchEvent(new HashChangeEvent("hashchange"));
}

/** A server that is started anew goes on with what it had taken. */
function away(refusal) {
  if (refusal.status !== 0 && refusal.status < 502) throw refusal;
  return { state: "waiting", isAway: true };
}

export function wireUploads() {
  const input = find("file");
  find("choose").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    upload([...input.files]);
    input.value = "";
  });
  const veil = find("drop");
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) veil.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = true;
    const folders = droppedFolders(event.dataTransfer);
    if (folders.length > 0) importFolders(folders);
    else upload([...event.dataTransfer.files]);
  });
  const folder = find("folder-input");
  find("choose-folder").addEventListener("click", () => folder.click());
  folder.addEventListener("change", () => {
    offer([...folder.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
    folder.value = "";
  });
}
