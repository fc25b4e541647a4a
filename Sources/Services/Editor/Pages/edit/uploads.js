// Files on their way into the concert.
import { ask } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";
import { notice } from "/shared/notice.js";
import { complain } from "/shared/saved.js";

/**
 * Uploads files to a place ("images" or "AppAssets"), named `as` (with their ending) if told so; gives the names under
 * which they were taken.
 */
export async function upload(desk, files, place, as = null) {
  const taken = [];
  for (const file of files) {
    const name = as ? `${as}.${plainName(file.name).split(".").pop().toLowerCase()}` : plainName(file.name);
    notice(`Uploading ${name} …`, { seconds: 2 });
    try {
      const { revision, name: stored } =
        await put(`/api/edit/concerts/${desk.book.concert}/assets/${place}/${encodeURIComponent(name)}`, file);
      await desk.book.did(revision);
      taken.push(stored);
      if (place !== "originals" && keepsOriginals() && /^image\/(?!svg|gif)/.test(file.type || "image/heic")) {
        const kept = await put(`/api/edit/concerts/${desk.book.concert}/assets/originals/${encodeURIComponent(name)}`,
          file);
        await desk.book.did(kept.revision);
      }
    } catch (refusal) {
      complain(refusal);
    }
  }
  return taken;
}

const originals = "baton.edit.originals";

/** True if this editor wants the pictures as they were taken kept too, for editors alone. */
export const keepsOriginals = () => readKept(originals) === true;
export const keepOriginals = (wanted) => keep(originals, wanted);

/** A name that phones and addresses can bear: letters, digits, dots and dashes. */
const plainName = (name) => name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^\w.-]+/g, "-")
  .replace(/^[-.]+/, "") || "file";

const put = (path, file, method = "PUT") => ask(path, { method, text: file, kind: null, patience: null });

const isZip = (file) => /\.zip$/i.test(file.name) || file.type === "application/zip";

/** Makes a concert of a ZIP: {concert, title, brought, notes}. */
export const newConcertOf = (file) => put("/api/edit/zip", file, "POST");

/** Takes an XML file or the ZIP of a whole concert into the concert that is open, and says what came. */
export async function importFile(desk, file) {
  const path = `/api/edit/concerts/${desk.book.concert}`;
  notice(`Reading ${file.name} …`, { seconds: 2 });
  try {
    await desk.book.flush();
    const { revision, brought, notes = [] } = isZip(file) ? await put(`${path}/zip`, file, "POST")
      : await ask(`${path}/import`,
        { method: "POST", text: file, kind: "application/xml", patience: 30_000 });
    await desk.book.did(revision);
    notice(`In the concert: ${brought}.`, { tone: "good", action: "Undo", act: () => desk.undo(), seconds: 8 });
    for (const note of notes.slice(0, 2)) notice(note, { seconds: 8 });
  } catch (refusal) {
    complain(refusal);
  }
}
