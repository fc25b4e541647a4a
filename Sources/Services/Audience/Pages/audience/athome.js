// A listener who is not in the hall: the phone's own microphone hears the broadcast and finds its bar. The delay of the
// broadcast does not matter. No sound leaves the phone, and while it follows, it asks the hall nothing.
import { ask } from "/shared/api.js";
import { find, make, mark, write } from "/shared/dom.js";
import { surelyBegun } from "/shared/heardblocks.js";
import { wordsIn } from "/shared/languages.js";
import { openMicrophone } from "/shared/microphone.js";
import { beginSession, loadPiece } from "/shared/practicesession.js";
import { pieceAfter, pieceNamed } from "./concert.js";
import { say, speaks } from "./words.js";

const root = "/api/audience/models";
const leastConfidence = 0.5; // of a place that is shown

const table = {
  hint: [
    "Your phone’s microphone finds the place in the broadcast. No sound leaves your phone.",
    "Das Mikrofon Ihres Telefons findet die Stelle in der Übertragung. Kein Ton verlässt Ihr Telefon.",
    "El micrófono de su teléfono encuentra el lugar en la emisión. Ningún sonido sale de su teléfono.",
    "Le micro de votre téléphone trouve l’endroit dans la diffusion. Aucun son ne quitte votre téléphone.",
    "Il microfono del telefono trova il punto nella trasmissione. Nessun suono lascia il telefono."],
  none: [
    "Listening at home is not offered for this concert.", "Mithören zu Hause wird für dieses Konzert nicht angeboten.",
    "Este concierto no ofrece la escucha en casa.", "L’écoute à la maison n’est pas proposée pour ce concert.",
    "L’ascolto da casa non è offerto per questo concerto."],
  stop: ["Stop listening", "Nicht mehr zuhören", "Dejar de escuchar", "Arrêter d’écouter", "Smetti di ascoltare"],
  seeks: [
    "Listening for the music …", "Ich suche die Musik …", "Buscando la música …", "À la recherche de la musique …",
    "In ascolto della musica …"],
  hears: [
    "I hear it with you.", "Ich höre mit.", "La oigo con usted.", "Je l’entends avec vous.", "La sento con lei."],
};
const word = (name) => wordsIn(table, speaks(), name);

/**
 * The live position that a place of the follower means, as the hall's stream would say it.
 * @param {any} piece of the concert
 * @param {{ printed: number, onset: number }[]} bars of the model
 * @param {import("/shared/heardblocks.js").Position} position
 */
export function liveOf(piece, bars, position) {
  const played = surelyBegun(bars, position);
  const bar = bars[played].printed;
  const isSame = piece.measures.length === bars.length
    && piece.measures.every(({ printed }, index) => printed === bars[index].printed);
  return { piece: null, pieceName: piece.name, measure: bar, played: isSame ? played : null, view: "measures",
    phase: "during", isBrokenOff: false, isIntermission: false, tempo: null };
}

export class AtHome {
  /** As the hall's stream would say it; null while nothing was heard. */
  live = null;
  #hall;
  #changed;
  #folders = new Map(); // of the models, by the names of pieces
  #microphone = null;
  #session = null;
  #piece = null; // that is listened to
  #choice = make("select", { id: "at-home-piece", "aria-label": "Piece", translate: "no" });
  #button = make("button", { id: "at-home-listen", type: "button" });
  #words = make("p", { id: "at-home-say", class: "about", role: "status" });

  /** `changed()` is called when there is another live position. */
  constructor(hall, changed) {
    [this.#hall, this.#changed] = [hall, changed];
    const part = make("section", { id: "at-home" }, this.#choice, this.#button, this.#words);
    find("notice").after(part);
    this.#button.addEventListener("click", () => (this.#microphone ? this.#stop() : this.#begin()));
    this.#show("hint");
  }

  /** The concert is there: offers its pieces that can be followed. */
  async offer() {
    if (this.#microphone) return;
    const { models } = await ask(root, { patience: 20_000 }).catch(() => ({ models: [] }));
    this.#folders = new Map(models.map(({ folder, name }) => [name, folder]));
    const pieces = this.#hall.concert.pieces.filter(({ name }) => this.#folders.has(name));
    this.#choice.replaceChildren(...pieces.map(({ name }) => make("option", { value: name, text: name })));
    this.#show(pieces.length > 0 ? "hint" : "none");
  }

  #show(name) {
    this.#choice.hidden = this.#choice.options.length < 2 || this.#microphone !== null;
    this.#button.hidden = this.#choice.options.length === 0;
    write(this.#button, this.#microphone ? word("stop") : say("atHome"));
    this.#tell(word(name));
    mark(this.#button, "aria-pressed", this.#microphone !== null);
  }

  #tell(sentence) {
    write(this.#words, sentence);
  }

  async #begin() {
    this.#button.disabled = true;
    try {
      this.#microphone = await openMicrophone({ block: (block) => this.#session?.hear(block),
        halted: (sentence) => this.#tell(sentence || word("seeks")), ended: (problem) => this.#stop(problem.message) });
      await this.#follow(pieceNamed(this.#hall.concert, this.#choice.value));
      this.#show("seeks");
    } catch (problem) {
      await this.#stop(problem.message);
    }
    this.#button.disabled = false;
  }

  async #follow(piece) {
    this.#session?.end();
    this.#session = null;
    this.#piece = piece;
    const { piece: { bars }, engine, model } = await loadPiece(this.#folders.get(piece.name), root);
    if (!this.#microphone) return;
    const clock = { first: null }; // the samples before this piece
    const session = await beginSession({ engine, model, rate: this.#microphone.rate,
      position: (position) => this.#piece === piece && this.#heard(piece, bars, position),
      ended: (problem) => this.#stop(problem.message) });
    this.#session = { end: () => session.end(), hear: (block) => {
      clock.first ??= block.firstSample;
      session.hear({ ...block, firstSample: block.firstSample - clock.first });
    } };
  }

  /** Shows a place that is certain; the next piece follows the end of this one. */
  #heard(piece, bars, position) {
    if (position.state === "finished") {
      const next = pieceAfter(this.#hall.concert, piece);
      this.#piece = null;
      if (!next || !this.#folders.has(next.name)) return this.#stop();
      this.#choice.value = next.name;
      return this.#follow(next).catch((problem) => this.#stop(problem.message));
    }
    if (position.state !== "following" || position.confidence < leastConfidence) return;
    const live = liveOf(piece, bars, position);
    if (["pieceName", "measure", "played"].every((key) => live[key] === this.live?.[key])) return;
    this.live = live;
    this.#tell(word("hears"));
    this.#changed();
  }

  async #stop(sentence = "") {
    const microphone = this.#microphone;
    this.#session?.end();
    [this.#session, this.#microphone, this.#piece, this.live] = [null, null, null, null];
    await microphone?.stop();
    this.#show("hint");
    if (sentence !== "") this.#tell(sentence);
    this.#changed();
  }
}
