// Files that are dropped or chosen, and what they are by their names.

const scores = /\.(musicxml|xml|mxl|mid|midi)$/i;
const tables = /\.(csv|tsv|txt|beats|bars)$/i;

const longestName = 100; // characters; some count twice, and a piece's name has 200 at most

// Videos too: their sound is taken out.
const endings = ".ogg,.flac,.wav,.wave,.oga,.opus,.mp3,.aif,.aiff,.w64,.caf,.m4a,.aac,.wma,.mp4,.m4v,.mov,.webm";

export const accepts = {
  recording: `audio/*,${endings}`,
  score: ".musicxml,.xml,.mxl,.mid,.midi",
  bars: ".csv,.tsv,.txt,.mid",
  any: `audio/*,${endings},.musicxml,.xml,.mxl,.mid,.midi`,
};

/** "score", "bars" or "recording"; what it really is, the server finds out. */
export const purposeOf = (file) => (scores.test(file.name) ? "score" : tables.test(file.name) ? "bars" : "recording");

// Endings that stand before the last one, as in “Title.scores.mxl” or “Title.mscz.pdf”. A number in a title is none.
const innerEndings = new RegExp("\\.(scores?|parts?|mscz|mscx|sib|musx|mus|dorico|musicxml|xml|mxl|midi?|pdf|zip"
  + "|gp[345x]?|wav|aiff?|flac|mp3|ogg|opus|m4a|aac)$", "i");

/** A name for a piece from a file's: without its endings, and with spaces. */
export function pieceNameOf({ name }) {
  let title = name.replace(/\.[^.]+$/, "");
  while (innerEndings.test(title) && title.search(innerEndings) > 0) title = title.replace(innerEndings, "");
  return [...title.replace(/_+/g, " ").replace(/-+/g, " ").trim()].slice(0, longestName).join("");
}

/** Whether a file may be one that a piece is made of; what is in it, the server finds out. */
const isUsable = ({ name, type }) => scores.test(name) || tables.test(name) || /^(audio|video)\//.test(type ?? "")
  || endings.split(",").some((ending) => name.toLowerCase().endsWith(ending));

/** What one piece takes of several files, as `taken` [file, purpose], and as `left` [file, why] what it does not. */
export function sortForPiece(files, hasMain = false) {
  const [taken, left, has] = [[], [], { recording: hasMain, score: false, bars: false }];
  for (const file of files) {
    const kind = purposeOf(file);
    if (kind !== "recording" && has[kind]) {
      left.push([file, kind === "score" ? "a piece has one score" : "a piece takes its bars from one file"]);
    } else taken.push([file, kind === "recording" && has.recording ? "reference" : kind]);
    has[kind] = true;
  }
  return { taken, left };
}

/**
 * Files as pieces { name, files: [file, purpose] }, and as `left` [file, why] those that are none. Those of one name
 * belong together; so do a recording and a score that come alone.
 */
export function piecesOf(files) {
  if (files.length > 1 && !files.every(isUsable)) {
    const { pieces, left } = piecesOf(files.filter(isUsable));
    return { pieces, left: [...left, ...files.filter((file) => !isUsable(file))
      .map((file) => [file, "it is no recording, score or table of bars"])] };
  }
  const groups = new Map();
  const areOne = sortForPiece(files).taken.length === files.length
    && files.filter((file) => purposeOf(file) === "recording").length <= 1;
  for (const file of files) {
    const name = areOne ? "" : pieceNameOf(file).toLowerCase();
    groups.set(name, [...groups.get(name) ?? [], file]);
  }
  const [pieces, left] = [[], []];
  for (const group of groups.values()) {
    const { taken, left: others } = sortForPiece(group);
    const chief = taken.find(([, kind]) => kind === "score") ?? taken.find(([, kind]) => kind === "recording");
    left.push(...others, ...(chief ? [] : taken.map(([file]) => [file, "no recording or score has its name"])));
    // A score is read before the recording that is aligned to it.
    const order = ["score", "recording", "reference", "bars"];
    if (chief) {
      pieces.push({ name: pieceNameOf(chief[0]),
        files: taken.sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1])) });
    }
  }
  return { pieces, left };
}
