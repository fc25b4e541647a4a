// The cover of a score while it is written: nobody loses it without a question.

let written = null; // { id, form, before }

/** What the fields of a form hold, as one text. */
const fieldsOf = (form) => JSON.stringify([...form.elements].filter((field) => field.matches("input, select, textarea")
  && field.type !== "file").map((field) => (field.type === "checkbox" ? field.checked : field.value)));

/** Notes the form of a score as it is now: saved. */
export function noteCover(id, form) {
  written = { id, form, before: fieldsOf(form) };
}

/** Forgets the cover: it is saved, or somebody has agreed to leave it. */
export function closeCover() {
  written = null;
}

export const isCoverUnsaved = () => written !== null && fieldsOf(written.form) !== written.before;

/** The form of a score in which something is not saved; null if there is none. */
export const unsavedCover = (id) => (written?.id === id && isCoverUnsaved() ? written.form : null);
