// Decides which files of a dropped folder are scores, and which are parts of one.

const endings = /\.(pdf|musicxml|xml|mxl)$/i;
const whole = /\b(full ?score|score|partitur|partitura|conductor|conducteur|dirigent)\b/i;
const instruments = new RegExp("violin|viol[ae]|cello|bass|flute|flöte|oboe|clarinet|klarinette|bassoon|fagott|"
  + "horn|trumpet|trompete|trombone|posaune|tuba|timpani|pauke|percussion|schlag|harp|piano|klavier|organ|orgel|"
  + "soprano|alto|tenor|baritone|saxophone|guitar|part\\b|stimme|geige|bratsche|kontrabass|piccolo|celesta|chor", "i");

const byName = (one, other) => one.localeCompare(other, undefined, { numeric: true });
const plain = (name) => name.replace(endings, "").replace(/[_\s]+/g, " ").trim();

/** The beginning that all names share, up to the end of a word; nothing of a single name. */
export function sharedBeginning(names) {
  if (names.length < 2) return "";
  let shared = names[0];
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  const end = Math.max(...[" ", "-", "–", ",", "."].map((sign) => shared.lastIndexOf(sign)));
  return shared.slice(0, end + 1);
}

/** The name of a part from its file's name: without what all files of the folder begin with, and without its number. */
function partName(name, shared) {
  const rest = plain(name).slice(shared.length).replace(/^[\s\-–_.,]+/, "");
  return (rest.replace(/^\d{1,3}[\s.\-–)]+(?=\p{L})/u, "") || plain(name)).slice(0, 200);
}

/** Files as the parts of one score, the full score first. */
export function asParts(title, files) {
  const shared = sharedBeginning(files.map(({ name }) => plain(name)));
  const sorted = [...files].sort((one, other) =>
    Number(whole.test(other.name)) - Number(whole.test(one.name)) || byName(one.name, other.name));
  return { title, parts: sorted.map((file) => ({ file, name: partName(file.name, shared) })) };
}

/** Each file as its own score. */
export const asScores = (files) => [...files].sort((one, other) => byName(one.name, other.name))
  .map((file) => ({ title: plain(file.name).slice(0, 200), parts: [{ file, name: "" }] }));

/**
 * The folders of dropped files: `[{ name, files, isOneScore, canBeOneScore }]`; `entries` are `{ path, file }`, the
 * path with folders. A folder of parts is one score: its files name instruments, or all begin alike. Files that are
 * neither PDF nor MusicXML come as `others`, hidden ones nowhere.
 */
export function planOf(entries) {
  const folders = new Map();
  const others = [];
  for (const { path, file } of entries) {
    const names = path.split("/").filter(Boolean);
    if (names.some((name) => name.startsWith(".") || name === "__MACOSX")) continue;
    if (!endings.test(file.name)) {
      others.push(path);
      continue;
    }
    const folder = names.slice(0, -1).join("/");
    if (!folders.has(folder)) folders.set(folder, []);
    folders.get(folder).push(file);
  }
  const groups = [...folders].sort(([one], [other]) => byName(one, other)).map(([path, files]) => {
    const named = files.filter(({ name }) => instruments.test(name) || whole.test(name)).length;
    const isOneScore = path !== "" && files.length > 1
      && (named > files.length / 2 || sharedBeginning(files.map(({ name }) => plain(name))).length > 3);
    const name = plain(path.split("/").at(-1) ?? "");
    return { name, files, canBeOneScore: path !== "" && files.length > 1, isOneScore };
  });
  return { groups, others };
}

/** The scores of a plan as the librarian left it. */
export const scoresOf = (groups) => groups.flatMap((group) =>
  (group.isOneScore ? [asParts(group.name, group.files)] : asScores(group.files)));

/**
 * All files below what was dropped, as `{ path, file }`; `onFault(path)` hears of those that cannot be read.
 * @param {any[]} roots
 * @param {(path: string) => void} onFault
 */
export async function filesOf(roots, onFault = () => {}) {
  const found = [];
  const most = 5_000;
  const walk = async (entry, path) => {
    if (found.length >= most) return;
    if (entry.isFile) {
      try {
        const file = await new Promise((done, refuse) => entry.file(done, refuse));
        found.push({ path: `${path}${entry.name}`, file });
      } catch {
        onFault(`${path}${entry.name}`);
      }
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      // A reader gives a hundred entries at a time.
      const batch = await new Promise((done) => reader.readEntries(done, () => {
        onFault(`${path}${entry.name}`);
        done([]);
      }));
      if (batch.length === 0) return;
      for (const each of batch) await walk(each, `${path}${entry.name}/`);
    }
  };
  for (const root of roots) await walk(root, "");
  return found;
}
