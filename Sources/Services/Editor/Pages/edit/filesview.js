// The files of a concert: pictures of slides and glossary, and the app's own documents.
import { fileButton, takeDrops } from "/shared/choosefiles.js";
import { icon, make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { keyed } from "./keyed.js";
import { heading, nothing, section, sign } from "./layout.js";
import { counted } from "./names.js";
import { keepOriginals, keepsOriginals, upload } from "./uploads.js";

const places = {
  images: ["Pictures", "Upload pictures", "image/*,.heic,.heif,.avif,.tif,.tiff", "No pictures yet",
    "Drop them here. On a slide, $name.png, caption shows one; the slide editor writes it for you."],
  AppAssets: ["Documents of the app", "Upload documents", ".pdf,.md,.txt,image/*", "No documents yet",
    "ProgramNotes.pdf or a text (.md) becomes the programme notes."],
  originals: ["Originals", "Upload originals", "image/*,.heic,.heif,.avif,.tif,.tiff", "No originals are kept",
    "Pictures as they were taken, with all that the camera has written into them. Only editors get them."],
};

/** The app's own pictures, known by their names: what they are called, and where listeners see them. */
const own = {
  splash: ["Cover", "the cover: on the programme while no music plays"],
  help: ["Picture for the help", "shown in the help"],
  info: ["Picture about the concert", "shown in “About this concert”"],
};
const stemOf = (name) => name.toLowerCase().replace(/\.[^.]*$/, "");

export function filesView(desk, at) {
  const { book } = desk;
  const blocks = Object.entries(places).map(([place, words]) => block(desk, place, words));
  const element = make("div", { class: "page" }, heading(null, "Files"), ...blocks.map((one) => one.element));
  const update = () => blocks.forEach((one) => one.update());
  update();
  if (at) setTimeout(() => element.querySelector(`[data-node="${at}"] button`)?.focus());
  return { element, update, keys: {}, gone() {}, book };
}

/**
 * @param {any} desk
 * @param {string} place
 * @param {string[]} words
 */
function block(desk, place, [title, button, accept, none, hint]) {
  const { book } = desk;
  const list = make("ul", { class: "files", "aria-label": title });
  const empty = nothing(none, hint);
  const take = (files) => upload(desk, files, place);
  const drop = section(title, make("p", { class: "hint", text: hint }), list, empty,
    make("div", { class: "row" }, fileButton(button, accept, take, { many: true }),
      ...(place === "AppAssets" ? ownButtons() : []),
      ...(place === "images" ? [originalsChoice()] : [])));
  takeDrops(drop, take);

  function originalsChoice() {
    return make("label", { class: "check" }, make("input", { type: "checkbox", "data-does": "keep-originals",
      checked: keepsOriginals(), onchange: (event) => keepOriginals(event.target.checked) }),
      make("span", { text: "Keep the originals too, for editors alone" }));
  }

  /** A picture takes the name it needs, and the place of one with another ending. */
  function ownButtons() {
    return Object.entries(own).map(([stem, [text]]) => fileButton(text, "image/*", async ([file]) => {
      const before = inPlace().filter(({ fields }) => stemOf(fields.name) === stem);
      const [taken] = await upload(desk, [file], place, stem);
      const others = before.filter(({ fields }) => fields.name !== taken);
      if (taken && others.length) book.edit(others.map(({ id }) => ({ remove: id })), `another ${text.toLowerCase()}`);
    }));
  }

  function row({ id, fields }) {
    const address = `/api/edit/concerts/${book.concert}/assets/${place}/${encodeURIComponent(fields.name)}`;
    const isImage = fields.type?.startsWith("image/");
    /** @type {any} */
    const image = isImage ? make("img", { alt: "", loading: "lazy" }) : icon("note");
    const about = make("p", { class: "hint" });
    const item = make("li", { class: "file", "data-node": id },
      make("a", { class: "thumb", href: address, target: "_blank", rel: "noopener",
        "aria-label": `Open ${fields.name}` }, image),
      make("div", { class: "card-main" }, make("p", { class: "card-title", text: fields.name }), about),
      sign("trash", `Remove ${fields.name}`, () => {
        book.edit([{ remove: id }], `removed file ${fields.name}`);
        notice(`“${fields.name}” removed.`, { action: "Undo", act: () => desk.undo() });
      }, { "data-does": "remove" }));
    return {
      element: item,
      update(node) {
        const used = [...book.tree.below("concert")]
          .filter((other) => (other.fields.text ?? "").includes(`$${fields.name}`)
            || other.fields.image === fields.name).length;
        if (isImage) image.src = `${address}?${node.fields.digest?.slice(0, 8) ?? ""}`;
        write(about, [size(Number(node.fields.bytes)), place === "images"
          ? (used ? `used ${counted(used, "time")}` : "not used") : isImage ? own[stemOf(fields.name)]?.[1] : ""]
          .filter(Boolean).join(" · "));
      },
    };
  }
  const inPlace = () => book.tree.children("concert", "asset").filter(({ fields }) => fields.place === place);
  return {
    element: drop,
    update() {
      const files = inPlace();
      keyed(list, files, ({ id }) => id, row);
      empty.hidden = files.length > 0;
    },
  };
}

const size = (bytes) => (bytes < 1_000 ? `${bytes} B` : bytes < 1e6
  ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
