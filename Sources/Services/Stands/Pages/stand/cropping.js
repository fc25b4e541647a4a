// The margins of a part, set by dragging on the stand: by a leader of the room or by a librarian, for everybody.
import { ask } from "/shared/api.js";
import { CropFrame } from "/shared/cropframe.js";
import { find, make } from "/shared/dom.js";
import { notice } from "./words.js";

const full = [0, 0, 1, 1];

/** True if this user may set margins for everybody: librarians, and leaders of the concert's rooms, which the server
    knows. */
export async function maySetMargins({ room, stand, user, score, leads, device }) {
  if (["editor", "administrator"].includes(device.current?.role)) return true;
  if (room === null || !leads || !score) return false;
  const told = await ask(`/api/rooms/${room}/stands/${stand}?user=${user}&score=${score.id}`, { patience: 4_000 })
    .catch(() => null);
  return told?.setsMargins === true;
}

/** Shows the whole page with a frame whose edges are dragged. */
export function adjustMargins(reader) {
  const { paper, part, score, look } = reader;
  const position = Math.max(reader.turning.view.page, 0);
  const page = score.parts[part].pages[position];
  if (reader.turner.systems || page.isBlank) {
    return notice("Show whole pages of music first: under Settings, Pages, choose One.");
  }
  const before = score.parts[part].layout?.crop ?? null;
  let crop = before;
  reader.chrome.show(false);
  reader.lens.reset();
  paper.crop(false);
  const area = make("div", { class: "crop-area" });
  const lay = () => {
    const leaf = find("stage").querySelector(`.leaf.shown[data-page="${position}"]`)?.getBoundingClientRect();
    if (leaf) {
      Object.assign(area.style,
        { left: `${leaf.left}px`, top: `${leaf.top}px`, width: `${leaf.width}px`, height: `${leaf.height}px` });
    }
  };
  const side = page.page % 2 === 0 ? "odd" : "even";
  const alike = make("input", { type: "checkbox",
    checked: !before || JSON.stringify(before.odd) === JSON.stringify(before.even) });
  const frame = new CropFrame(area, { done: (box) => {
    crop = alike.checked ? { odd: box, even: box } : { ...(crop ?? { odd: full, even: full }), [side]: box };
  } });
  frame.show(before?.[side] ?? full);
  const close = () => {
    watch.disconnect();
    root.remove();
    paper.crop(look.value.crop);
    reader.turner.lay();
  };
  const keep = async (value) => {
    const body = { part, crop: value, revision: score.revision };
    const address = reader.room !== null && reader.leads
      ? `/api/rooms/${reader.room}/crop?user=${reader.user}&score=${score.id}` : `/api/library/scores/${score.id}/crop`;
    try {
      await ask(address, { method: "PUT", json: body, patience: 8_000 });
      close();
      await reader.renew();
    } catch (refusal) {
      notice(refusal.code === "changed"
        ? "Somebody else has changed this score meanwhile; nothing was kept. Try again." : refusal.message);
      if (refusal.code === "changed") {
        close();
        reader.renew();
      }
    }
  };
  const button = (text, onclick, traits = {}) => make("button", { type: "button", text, onclick, ...traits });
  const root = make("div", { class: "cropping", role: "dialog", "aria-label": "Margins of this part" }, area,
    make("div", { class: "crop-bar" },
      make("label", { class: "tick" }, alike, make("span", { text: "All pages alike" })),
      button("Find margins", () => keep(null)), button("Cancel", close),
      button("Keep for all", () => (crop ? keep(crop) : close()), { class: "primary", id: "keep-margins" })));
  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
  });
  const watch = new ResizeObserver(() => requestAnimationFrame(lay));
  find("reader").append(root);
  watch.observe(find("stage"));
  lay();
  root.querySelector("[data-edge=l]").focus();
}
