// Choosing the recording of a piece: it brings the bars, the sound and the loudness.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain } from "/shared/saved.js";
import { dialog } from "./dialog.js";
import { counted } from "./names.js";
import { newID } from "./tree.js";

/** Asks which recording a new piece is of; or makes an empty one. */
export function addPiece(desk) {
  choose(desk, "Add a piece", "Choose its recording. The piece comes with its name and its bars.", null,
    make("button", { type: "button", "data-does": "copy-piece", text: "From another concert …", onclick: (event) => {
      event.target.closest("dialog").close();
      copyPiece(desk);
    } }),
    make("button", { type: "button", text: "Without a recording", onclick: (event) => {
      const id = newID();
      desk.book.edit([{ insert: "piece", in: "concert", id, fields: { name: "Composer, Piece: Movement" } }],
        "new piece");
      event.target.closest("dialog").close();
      location.hash = `#/${desk.book.concert}/piece/${id}`;
    } }));
}

/** Asks for a piece of another evening: it comes with its tracks, its form and its pictures. */
async function copyPiece(desk) {
  const { book } = desk;
  try {
    await book.flush();
    const all = (await ask("/api/edit/concerts", { patience: 10_000 })).filter(({ id }) => id !== book.concert);
    const list = make("div", {});
    const shown = dialog("A piece of another concert",
      [make("p", { class: "hint",
        text: all.length ? "Choose the concert, then the piece. It comes with its texts, its form and its pictures."
          : "There is no other concert." }), list]);
    list.append(...all.map((concert) => {
      const pieces = make("ul", { class: "choices" });
      const part = make("details", { class: "details", "data-concert": concert.id },
        make("summary", { text: concert.title || "Untitled concert" }), pieces);
      part.addEventListener("toggle", async () => {
        if (!part.open || pieces.firstChild) return;
        try {
          const { nodes } = await ask(`/api/edit/concerts/${concert.id}`, { patience: 15_000 });
          const found = nodes.filter(({ kind }) => kind === "piece");
          pieces.replaceChildren(
            ...found.map((piece) =>
              make("li", {}, make("button",
                { type: "button", class: "choice", "data-piece": piece.id, text: piece.fields.name || "Untitled piece",
                  onclick: () => take(concert, piece) }))));
          if (!found.length) pieces.replaceChildren(make("li", { class: "hint", text: "It has no pieces." }));
        } catch (refusal) {
          complain(refusal);
        }
      });
      return part;
    }));
    const take = async (concert, piece) => {
      try {
        const taken = await ask(`/api/edit/concerts/${book.concert}/pieces`,
          { method: "POST", json: { from: concert.id, piece: piece.id }, patience: 15_000 });
        await book.did(taken.revision);
        shown.close();
        location.hash = `#/${book.concert}/piece/${taken.piece}`;
        for (const note of taken.notes) notice(note, { seconds: 8 });
      } catch (refusal) {
        complain(refusal);
      }
    };
  } catch (refusal) {
    complain(refusal);
  }
}

/** Gives a piece another recording. */
export function changeRecording(desk, piece) {
  choose(desk, "Choose the recording", "Slides and sections stay on their bars.", piece);
}

async function choose(desk, title, hint, piece, ...further) {
  const { book } = desk;
  let all = [];
  try {
    await book.flush();
    all = await ask("/api/edit/recordings", { patience: 10_000 });
  } catch (refusal) {
    complain(refusal);
    return;
  }
  const row = ({ folder, name, performances, measures }) =>
    make("li", {}, make("button", { type: "button", class: "choice", "data-folder": folder, onclick: async () => {
      try {
        const taken = await ask(`/api/edit/concerts/${book.concert}/recording`,
          { method: "POST", json: { folder, ...(piece ? { piece } : {}) }, patience: 15_000 });
        await book.did(taken.revision);
        shown.close();
        location.hash = `#/${book.concert}/piece/${taken.piece}`;
      } catch (refusal) {
        complain(refusal);
      }
    } }, make("span", { class: "choice-name", text: name }),
      make("span", { class: "hint",
        text: `${counted(measures, "bar")} · ${counted(performances.length, "recording")} · ${folder}` })));
  const shown = dialog(title, [
    make("p", { class: "hint", text: hint }),
    all.length ? make("ul", { class: "choices" }, ...all.map(row))
      : make("p",
        { text: "The server has no recordings with measures. Put them into its recordings folder, or import content " +
          "XML, which brings its own bars." }),
    further.length ? make("div", { class: "row end" }, ...further) : null,
  ].filter(Boolean));
}
