// Links that were just made: to photograph, to send, to print. The server does not know them any more.
import { find, make } from "/shared/dom.js";
import { act, dialog, notice } from "./say.js";
import { written } from "./words.js";

const picture = ({ qr, name }) => make("img",
  { class: "qr", alt: `QR code of the link${name ? ` for ${name}` : ""}`,
    src: `data:image/svg+xml;utf8,${encodeURIComponent(qr)}` });

async function copy(link) {
  try {
    await navigator.clipboard.writeText(link);
    notice("The link is copied.");
  } catch {
    const field = dialog.element.querySelector(".link");
    field?.select();
    notice("This browser does not copy here; the link is selected.");
  }
}

function card(made) {
  const field = make("input", { class: "link", readonly: true, value: made.link, "aria-label": "The link" });
  field.addEventListener("focus", () => field.select());
  const share = navigator.share
    ? act("Send …", () => navigator.share({ title: "Baton", url: made.link }).catch(() => {})) : null;
  return make("div", { class: "made" }, made.name ? make("h3", { text: made.name }) : null, picture(made), field,
    make("div", { class: "buttons" }, act("Copy the link", () => copy(made.link), { class: "primary" }), share));
}

/** Shows the links: one large, several below each other and as cards to print. */
export function showLinks(links, title) {
  const cards = find("cards");
  cards.replaceChildren(...links.map((made) => make("div", { class: "print-card" },
    make("strong", { text: made.name || "Baton" }), picture(made),
    make("p", { text: "Photograph this, choose a name and a passphrase. It works once." }))));
  dialog.show(title,
    make("p", { class: "hint",
      text: `${links.length === 1 ? "The link works" : "Each link works"} once, for ${written(links[0].secondsLeft)}. `
        + "It is shown only now; whoever has it can use it." }),
    make("div", { class: "made-list" }, ...links.map(card)),
    links.length > 1 ? act(`Print ${links.length} cards`, () => print(), { id: "print" }) : null);
}
