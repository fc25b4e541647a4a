// Small pictures of the hall's screens, from the screens' own heartbeats.
import { make } from "/shared/dom.js";
import { screenPicture, screenWords } from "/shared/screenpicture.js";

/**
 * A section with all screens; hidden while there is none.
 * @param {import("./desk.js").Desk} desk
 */
export function screensSection(desk) {
  const list = make("ul", { class: "screen-list" });
  const element = make("section", { class: "stack", hidden: true }, make("h3", { text: "Screens" }), list,
    make("p", { class: "hint" }, "Each screen tells itself what it shows. Set them up at ",
      make("a", { href: "/titles", target: "_blank", rel: "noopener", text: "/titles" }), "."));
  desk.on("screens", (screens) => {
    element.hidden = screens.length === 0;
    list.replaceChildren(...screens.map((screen) => make("li", {}, screenPicture(screen),
      make("p", {}, make("strong", { text: screen.name }), ` ${screenWords(screen)}`))));
  });
  return element;
}
