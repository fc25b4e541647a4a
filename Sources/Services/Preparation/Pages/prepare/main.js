// The list of pieces in preparation.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";

const pieces = await ask("/api/prepare/pieces");
find("pieces").replaceChildren(...pieces.map((piece) => make("li", { text: piece.name })));
