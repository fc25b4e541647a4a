// Files on their way into the concert.
import { ask, Refusal } from "/shared/api.js";
import { icon, make } from "/shared/dom.js";
import { complain, notice } from "./notices.js";

/** Uploads files to a place ("images" or "AppAssets"), named `as` (with their ending) if told so; gives the names under which they were taken. */
export async function upload(desk, files, place, as = null) {
  const taken = [];
  for (const file of files) {
    const name = as ? `${as}.${plainName(file.name).split(".").pop().toLowerCase()}` : plainName(file.name);
    notice(`Uploading ${name} …`, { seconds: 2 });
    try {
      const { revision } = await put(`/api/edit/concerts/${desk.book.concert}/assets/${place}/${encodeURIComponent(name)}`, file);
      await desk.book.did(revision);
      taken.push(name);
    } catch (refusal) {
      complain(refusal);
    }
  }
  return taken;
}

/** A name that phones and addresses can bear: letters, digits, dots and dashes. */
export const plainName = (name) => name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^\w.-]+/g, "-").replace(/^[-.]+/, "") || "file";

async function put(path, file) {
  let response;
  try {
    response = await fetch(path, { method: "PUT", headers: { "X-Baton": "1" }, body: file, credentials: "same-origin" });
  } catch {
    throw new Refusal("The server does not answer; the file was not uploaded. Try again.", 0, "no-answer");
  }
  const value = await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(value?.error ?? `The server refused the file (${response.status}).`, response.status, value?.code ?? "", value);
  return value;
}

/** Sends an XML file into the concert; gives what the server had to decide. */
export async function importXML(desk, file) {
  const { revision, notes = [] } = await ask(`/api/edit/concerts/${desk.book.concert}/import`, { method: "POST", text: await file.text(), kind: "application/xml", patience: 30_000 });
  await desk.book.did(revision);
  return notes;
}

/** A button that asks for files. */
export function fileButton(text, accept, take, { many = true } = {}) {
  const input = make("input", { type: "file", accept, multiple: many, class: "spoken", tabindex: -1, "aria-label": text });
  const button = make("button", { type: "button", onclick: () => input.click() }, icon("plus"), text);
  input.addEventListener("change", async () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) await take(files);
  });
  return make("span", { class: "file-button" }, button, input);
}
