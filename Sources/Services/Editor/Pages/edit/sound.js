// The recording of the piece that is worked on.
import { measuresOf } from "./tree.js";

/** Loads a piece's measures and recording into the desk's player; unchanged ones stay as they play. */
export function openPiece(desk, piece) {
  const { book, player } = desk;
  const { fields } = book.tree.get(piece);
  const source = fields.folder ? `/api/edit/audio/${encodeURIComponent(fields.folder)}?concert=${book.concert}` : null;
  const key = JSON.stringify([piece, fields.measures, fields.endTime, source]);
  if (player.openKey === key) return;
  if (player.openPiece !== piece) player.seconds = 0;
  Object.assign(player, { openKey: key, openPiece: piece });
  player.load(measuresOf(book.tree, piece), Number(fields.endTime), source);
}

/** Sections and their end, as the strip draws them. */
export function stripOf(book, piece) {
  const sections = book.tree.children(piece, "section")
    .map(({ fields, played }) => ({ label: fields.label ?? "", colour: fields.colour, played }));
  return { sections, end: null };
}

/** Loudness of the piece's recording, 0…255; none where nobody measured it. */
export const waveformOf = (piece) => (piece.fields.waveform?.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
