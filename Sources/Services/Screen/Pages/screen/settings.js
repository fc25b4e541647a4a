// What this screen shows, and how: from its address, so that a projector's bookmark holds it.

const between = (value, least, most, usual) => {
  const number = Number.parseFloat(value ?? "");
  return Number.isFinite(number) ? Math.min(Math.max(number, least), most) : usual;
};

/** Reads `/screen/NAME?show=titles&language=de,en&size=1.2&position=top&ground=00ff00`. */
export function readSettings(path, query) {
  const fields = new URLSearchParams(query);
  const name = /^\/screen\/([A-Za-z0-9-]{1,40})$/.exec(path)?.[1] ?? "main";
  const ground = /^[0-9a-f]{6}$/i.test(fields.get("ground") ?? "") ? `#${fields.get("ground")}` : "#000";
  return {
    name,
    shows: ["titles", "slides"].includes(fields.get("show")) ? fields.get("show") : "both",
    languages: (fields.get("language") ?? "").split(",").map((one) => one.trim()).filter(Boolean).slice(0, 8),
    size: between(fields.get("size"), 0.3, 3, 1),
    position: fields.get("position") === "top" ? "top" : "bottom",
    ground,
    ignoresBlank: fields.get("blank") === "ignore",
  };
}
