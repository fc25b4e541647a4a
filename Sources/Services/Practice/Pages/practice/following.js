// A tab becomes a piece that follows its player: the server plays it, finds its bars in the sound, and prepares it.
// Only the account that made it may practise it. The server keeps the newest five of an account.
import { Refusal, ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";
import { writeTabFile } from "./files.js";

const kept = "baton-practice-following"; // in this browser: by tab, the piece, its folder and the tab's change
const mostKept = 200;
const [patience, longest, pause] = [60_000, 600_000, 400]; // ms
const saidEvery = 12; // looks at a task, because what is said goes away
const root = "/api/prepare/pieces";
const words = { render: "The server plays the tab …", prepare: "The server learns it …" };

/** The address at which a tab can be practised by the microphone, if it was made to follow as it is now. */
export async function followAddress(id, changed) {
  const known = readKept(kept)?.[id];
  if (known?.changed !== changed) return null;
  const path = `/api/practice/pieces/${encodeURIComponent(known.folder)}`;
  try {
    await ask(path, { patience });
  } catch (refusal) {
    if (refusal.status === 404) return null; // newer tabs have taken its place
    // Without the server, what was practised on this device can be practised again.
    if (refusal.status === 0 && !await globalThis.caches?.match(path)) throw refusal;
  }
  return address(known.folder);
}

const address = (folder) => `/practice/follow?piece=${encodeURIComponent(folder)}`;

/** Makes a tab follow; gives the address at which it is practised. `say(sentence)` tells how far it is. */
export async function makeFollow({ id, tab, changed }, say) {
  say("The tab goes to the server …");
  const title = tab.title || "Untitled";
  const score = await writeTabFile(tab, "musicxml");
  const { id: piece } = await ask(root, { method: "POST", json: { name: title, ofTab: true, tab: id }, patience });
  try {
    await upload(piece, score);
    await job(piece, { kind: "render" }, say);
    const folder = `tab-${piece.toLowerCase().replace(/[^a-z0-9]/g, "").slice(0, 12)}`;
    await job(piece, { kind: "prepare", folder }, say);
    const others = Object.entries(readKept(kept) ?? {}).filter(([each]) => each !== id).slice(-mostKept);
    keep(kept, { ...Object.fromEntries(others), [id]: { folder, changed } });
    return address(folder);
  } catch (refusal) {
    await ask(`${root}/${piece}`, { method: "DELETE", patience }).catch(() => {});
    throw refusal;
  }
}

async function upload(piece, score) {
  const { upload: number, chunkBytes } = await ask(`${root}/${piece}/uploads`,
    { method: "POST", json: { name: "tab.musicxml", bytes: score.size, purpose: "score" }, patience });
  for (let offset = 0; offset < score.size; offset += chunkBytes) {
    const response = await fetch(`${root}/${piece}/uploads/${encodeURIComponent(number)}?offset=${offset}`, {
      method: "PUT", body: score.slice(offset, offset + chunkBytes), credentials: "same-origin",
      headers: { "X-Baton": "1", "Content-Type": "application/octet-stream" }, signal: AbortSignal.timeout(patience),
    }).catch(() => null);
    if (response?.ok) continue;
    const said = await response?.json().catch(() => null);
    throw new Refusal(said?.error ?? "The server does not answer.", response?.status ?? 0, said?.code ?? "no-answer");
  }
}

/** Carries out a task to its end. */
async function job(piece, order, say) {
  const { job: number } = await ask(`${root}/${piece}/jobs`, { method: "POST", json: order, patience });
  for (let trial = 0; trial < longest / pause; trial += 1) {
    const { state, sentence } = await ask(`${root}/${piece}/jobs/${encodeURIComponent(number)}`, { patience });
    if (state === "done") return;
    if (state === "failed" || state === "interrupted") throw new Refusal(sentence, 422, state);
    if (trial % saidEvery === 0) say(words[order.kind]);
    await new Promise((done) => setTimeout(done, pause));
  }
  throw new Refusal("The server is busy with other pieces. Try again later.", 503, "busy");
}
