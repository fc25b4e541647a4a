// The settings of this screen, as the server keeps them for its name. The page's address takes precedence, so that a
// projector's bookmark can hold them.

const between = (value, least, most, usual) => {
  const number = Number.parseFloat(value ?? "");
  return Number.isFinite(number) ? Math.min(Math.max(number, least), most) : usual;
};

const oneOf = (value, allowed, usual) => (allowed.includes(value) ? value : usual);

/** A list from the address, divided by commas, else the kept one; `read` returns a false value for the usual setting.
    */
const listOf = (said, kept, read) =>
  (said ? said.split(",") : kept ?? []).slice(0, 8).map((one) => read(String(one).trim()));

const sides = ["left", "centre", "right"];
const letterings = ["plain", "outline", "shadow", "ground"];
const isFamily = (name) => /^[\p{L}\p{N} -]{1,60}$/u.test(name ?? "");

/** Four shares of the screen: top, right, bottom, left. */
function marginsOf(said, kept) {
  const margins = (said ? said.split(",") : kept ?? []).map((share) => between(share, 0, 0.45, 0));
  return margins.length === 4 ? margins : [0, 0, 0, 0];
}

/**
 * Reads `/screen/NAME?show=titles&language=de,en&size=1.2&colour=ffffff,ffe9a8&position=top&ground=00ff00`; `kept` is
 * what the server keeps for this screen, null without any.
 */
export function readSettings(path, query, kept = null) {
  const fields = new URLSearchParams(query);
  const name = /^\/screen\/([A-Za-z0-9-]{1,40})$/.exec(path)?.[1] ?? "main";
  const ground = [fields.get("ground"), kept?.ground].find((one) => /^[0-9a-f]{6}$/i.test(one ?? "")) ?? "000000";
  const languages = (fields.get("language") ?? "").split(",").map((one) => one.trim()).filter(Boolean);
  const blank = oneOf(fields.get("blank"), ["ignore", "follow"], kept?.ignoresBlank ? "ignore" : "follow");
  const fallback = oneOf(fields.get("fallback"), ["first", "none"], kept?.fallsBack === false ? "none" : "first");
  return {
    name,
    shows: oneOf(fields.get("show"), ["titles", "slides", "film", "both"], kept?.shows ?? "both"),
    languages: (languages.length > 0 ? languages : kept?.languages ?? []).slice(0, 8),
    size: between(fields.get("size"), 0.3, 3, kept?.size ?? 1),
    // One for each language, in their order.
    colours: listOf(fields.get("colour"), kept?.colours, (one) => (/^[0-9a-f]{6}$/i.test(one) ? `#${one}` : "")),
    sizes: listOf(fields.get("sizes"), kept?.sizes, (one) => between(one, 0.3, 3, 0)),
    position: oneOf(fields.get("position"), ["top", "middle", "bottom"], kept?.position ?? "bottom"),
    align: oneOf(fields.get("align"), sides, kept?.align ?? "centre"),
    lettering: oneOf(fields.get("lettering"), letterings, kept?.lettering ?? "plain"),
    font: [fields.get("font"), kept?.font].find(isFamily) ?? "",
    margins: marginsOf(fields.get("margins"), kept?.margins),
    brightness: between(fields.get("brightness"), 0.05, 1, kept?.brightness ?? 1),
    area: fields.has("area") || kept?.area ? between(fields.get("area"), 0.1, 1, kept?.area ?? 0) : 0,
    ground: `#${ground}`,
    ignoresBlank: blank === "ignore",
    fallsBack: fallback === "first",
    filmOffset: Math.round(between(fields.get("film-offset"), -5000, 5000, kept?.filmOffset ?? 0)),
  };
}
