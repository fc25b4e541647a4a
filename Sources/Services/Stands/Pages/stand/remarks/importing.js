// A set of remarks from a file, taken in as a layer; asked about first where it may not be what was meant.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { readText } from "/shared/textfile.js";
import { act, closeDialog, notice, openDialog } from "../words.js";

const mostBytes = 4 << 20; // of a file
const format = "baton-remarks";

/** The controls that import a set; `remarking` has the score that is open. `done` is called when one was taken. */
export function importControls(remarking, done) {
  const field = make("input", { type: "file", accept: ".json,application/json", hidden: true, id: "import-file" });
  field.addEventListener("change", async () => {
    const [file] = field.files;
    field.value = "";
    if (file) await importFile(remarking, file, done);
  });
  return make("span", {}, field, act("Import a set …", () => field.click(), { class: "small", id: "import-set" }));
}

async function importFile(remarking, file, done) {
  if (file.size > mostBytes) return notice(`“${file.name}” is larger than 4 MB; divide the set.`);
  let text;
  try {
    text = await readText(file);
  } catch {
    return notice(`“${file.name}” cannot be read; choose it again.`);
  }
  const doubts = doubtsOf(text, remarking);
  if (doubts.length === 0) return take(remarking, file.name, text, done);
  openDialog("Take this set?", ...doubts.map((sentence) => make("p", { text: sentence })),
    make("p", { class: "links" },
      act("Take it all the same", () => take(remarking, file.name, text, done), { id: "import-anyway" }),
      act("Leave it", () => closeDialog(), { class: "primary", id: "import-not" })));
}

/** Sentences about a set that can be taken but may be the wrong one. What is damaged is the server's to say. */
function doubtsOf(text, { reader, wire }) {
  let set;
  try {
    set = JSON.parse(text);
  } catch {
    return [];
  }
  if (set?.format !== format) return [];
  const { id, title } = set.score ?? {};
  const isOther = typeof title === "string" && title !== "" && id !== wire.score && title !== reader.score.title;
  const isThere = wire.shown.layers.some(({ kind, name }) => kind === "given" && name === set.name);
  return [
    isOther ? `The set was written in “${title}”. Here lies “${reader.score.title}”: the remarks would stand at the ` +
      "same places of other music." : null,
    isThere ? `You have a layer “${set.name}” already. It stays as it is, and this becomes another of the same name.`
      : null,
  ].filter(Boolean);
}

async function take({ wire }, fileName, text, done) {
  try {
    const taken = await ask(`/api/scores/${wire.score}/remarks/set?user=${wire.user}`,
      { method: "POST", text, kind: "application/json", patience: 20_000 });
    done();
    notice(`“${taken.name}”: ${taken.remarks} ${taken.remarks === 1 ? "remark" : "remarks"}, as a layer of its own ` +
      "that only you see.");
  } catch (refusal) {
    openDialog("This set cannot be taken", make("p", { class: "hint", text: `${fileName}: nothing of it was taken.` }),
      ...refusal.message.split("\n").map((sentence) => make("p", { text: sentence })));
  }
}
