// Files in and out. Tab JSON is read here, so that it works without the server; the server converts all others.
import { Refusal } from "/shared/api.js";
import { readText } from "/shared/textfile.js";
import { faultOf } from "./fault.js";
import { completed } from "/shared/tabmodel.js";

/** The largest file that is taken, in bytes: what the server takes. */
const mostBytes = 16 << 20;
/** `whose` is "/visitor" for whoever is not signed in; files are smaller there. */
const address = (name, to, whose) => `/api/practice/convert${whose}?name=${encodeURIComponent(name)}&to=${to}`;

/** The tab of a file, and sentences about what was guessed or not understood: { tab, remarks }. Throws Refusal. */
export async function readTabFile(file) {
  if (file.size > mostBytes) {
    throw new Refusal(`“${file.name}” has ${Math.round(file.size / (1 << 20))} MB; a tab has at most ` +
      `${mostBytes >> 20} MB. Nothing was changed.`, 0, "too-large");
  }
  const isOwn = file.name.toLowerCase().endsWith(".json");
  const converted = isOwn ? null : await convert(file, file.name, "json");
  let tab;
  try {
    tab = JSON.parse(await (converted ? converted.text() : readText(file)));
  } catch {
    throw new Refusal(`“${file.name}” cannot be read; it is no tab.`, 0, "unreadable");
  }
  const fault = faultOf(tab);
  if (fault) throw new Refusal(`“${file.name}”: ${fault}`, 0, "no-tab");
  const plain = file.name.replace(/\.[^.]*$/, "");
  return { tab: completed({ ...tab, title: tab.title || plain }),
    remarks: decodeURIComponent(converted?.headers.get("X-Baton-Remarks") ?? "").split("\n").filter(Boolean) };
}

/** A tab as a file of another kind: a Blob. */
export async function writeTabFile(tab, kind) {
  const json = new Blob([JSON.stringify(tab)], { type: "application/json" });
  return kind === "json" ? json : (await convert(json, "tab.json", kind)).blob();
}

async function convert(body, name, to, whose = "") {
  let response;
  try {
    response = await fetch(address(name, to, whose), { method: "POST", body, credentials: "same-origin",
      cache: "no-store", headers: { "X-Baton": "1", "Content-Type": "application/octet-stream" },
      signal: AbortSignal.timeout(60_000) });
  } catch {
    throw new Refusal("The server does not answer; only tab JSON works without it.", 0, "no-answer");
  }
  if (response.ok) return response;
  if (response.status === 401 && !whose) return convert(body, name, to, "/visitor");
  if (response.status === 413 && whose) {
    throw new Refusal("Without a sign-in, a file has at most 1 MB. Sign in to import this one.", 413, "too-large");
  }
  if (response.status === 404) {
    throw new Refusal("This server cannot convert files; import tab JSON instead.", 404, "no-convert");
  }
  const said = await response.json().catch(() => null);
  throw new Refusal(said?.error ?? `The server refused (${response.status}).`, response.status, said?.code ?? "");
}

/** Gives a file to the person. */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[\\/:*?"<>|]/g, "-");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
