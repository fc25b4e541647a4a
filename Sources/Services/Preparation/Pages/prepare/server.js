// Every address of the preparation that this page uses.
import { Refusal, ask } from "/shared/api.js";

const root = "/api/prepare";
const of = (piece) => `${root}/pieces/${encodeURIComponent(piece)}`;
const patience = 20_000; // ms; a disk may be slow

const send = (path, json, method = "POST", by = undefined) => ask(path, { method, json, by, patience });

/** The signed-in person: {name, role, …}. */
export const person = () => ask("/api/me", { patience });
export const pieces = () => ask(`${root}/pieces`, { patience });
/** Makes a piece; `isForFile`: a file is sent next, and the piece may be taken away if that is refused. */
export const newPiece = (name, isForFile) => send(`${root}/pieces`, { name, isForFile });
export const piece = (id) => ask(of(id), { patience });
export const deletePiece = (id) => send(of(id), undefined, "DELETE");
/** Deletes a piece that was made for a file and holds nothing; any other one is refused. */
export const deleteUnused = (id) => send(`${of(id)}?unused=true`, undefined, "DELETE");
/** The prepared pieces. */
export const models = () => ask(`${root}/models`, { patience });
/** A prepared piece with everything that the server has of it. */
export const model = (folder) => ask(`${root}/models/${encodeURIComponent(folder)}`, { patience });
/** Removes a prepared piece; gives { kept }, by which `putBackModel` has it back. */
export const removeModel = (folder) => send(`${root}/models/${encodeURIComponent(folder)}`, undefined, "DELETE");
export const putBackModel = (kept) => send(`${root}/models`, { kept });
/** Sends edits in the name of the person who made them. */
export const sendEdits = (id, batch, by) => send(`${of(id)}/edits`, batch, "POST", by);
/** Starts a task; a part of an evening has an address of its own, because not everybody may take one. */
export const startJob = (id, { kind, ...rest }) => (kind === "evening" ? send(`${of(id)}/evenings`, rest)
  : send(`${of(id)}/jobs`, { kind, ...rest }));
export const stopJob = (id, job) => send(`${of(id)}/jobs/${encodeURIComponent(job)}`, undefined, "DELETE");
export const deleteRecording = (id, recording) =>
  send(`${of(id)}/recordings/${encodeURIComponent(recording)}`, undefined, "DELETE");
export const curve = (id, recording) => ask(`${of(id)}/recordings/${encodeURIComponent(recording)}/curve`,
  { patience });
/** `format`: as what to read the file; without one the server finds out. */
export const importBars = (id, file, format = "automatic") =>
  put(`${of(id)}/bars/import?name=${encodeURIComponent(file.name)}&format=${format}`, file, "POST");
export const exportAddress = (id, format) => `${of(id)}/bars/export?format=${format}`;
export const soundAddress = (id, recording) => `${of(id)}/recordings/${encodeURIComponent(recording)}/sound`;
export const evenings = () => ask(`${root}/evenings`, { patience });
/** The place of the present moment in the recording that the server makes. */
export const presentPlace = () => ask(`${root}/evenings/now`, { patience });
/** The rights of the signed-in person besides preparing. */
export const rights = () => ask(`${root}/rights`, { patience });
export const eventsAddress = `${root}/events`;

/** The scores of the library, and the MusicXML of one as a Blob. */
export const libraryScores = () => ask("/api/library/scores", { patience });
export async function libraryMusic(score) {
  const path = `/api/library/scores/${encodeURIComponent(score)}/music`;
  const response = await fetch(path, { credentials: "same-origin" });
  if (response.ok) return response.blob();
  const { error, code } = await response.json().catch(() => ({}));
  throw new Refusal(error ?? `The score could not be read (${response.status}).`, response.status, code ?? "");
}

/** A tile of "peaks" or "spectrum" as bytes. */
export async function tile(id, recording, kind, level, number, signal) {
  const path = `${of(id)}/recordings/${encodeURIComponent(recording)}/${kind}?level=${level}&tile=${number}`;
  const response = await fetch(path, { signal, credentials: "same-origin" });
  if (!response.ok) throw new Refusal(`There is no ${kind} here (${response.status}).`, response.status, "");
  return new Uint8Array(await response.arrayBuffer());
}

/** Bytes from `first` to `last` of the listening copy. */
export async function soundBytes(id, recording, first, last, signal) {
  const headers = { Range: `bytes=${first}-${last}` };
  const response = await fetch(soundAddress(id, recording), { headers, signal, credentials: "same-origin" });
  if (response.status !== 206) throw new Refusal("The sound cannot be read in parts.", response.status, "");
  return response.arrayBuffer();
}

// MARK: Uploads

export const beginUpload = (id, file, purpose) =>
  send(`${of(id)}/uploads`, { name: file.name, bytes: file.size, purpose });
export const uploadState = (id, upload) => ask(`${of(id)}/uploads/${encodeURIComponent(upload)}`, { patience });
export const giveUpUpload = (id, upload) =>
  send(`${of(id)}/uploads/${encodeURIComponent(upload)}`, undefined, "DELETE");

/** Sends one chunk of a file; the server's answer. A Refusal's `value` has what the server has received. */
export const sendChunk = (id, upload, offset, chunk, signal) =>
  put(`${of(id)}/uploads/${encodeURIComponent(upload)}?offset=${offset}`, chunk, "PUT", signal);

const put = (path, body, method, signal = undefined) =>
  ask(path, { method, text: body, kind: null, patience: null, signal });
