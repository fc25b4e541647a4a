// The programme: pieces as documents, the piece that plays, and the doors to everything else.
import { find, make, mark, write } from "/shared/dom.js";
import { folderOf, worksOf } from "./concert.js";
import { sign } from "./sign.js";
import { showPicture } from "./waiting.js";
import { showTonight } from "./there.js";
import { say, speaks } from "./words.js";

export class Home {
  #hall;
  #listed = null;
  #isTonightAsked = false;

  constructor(hall) {
    this.#hall = hall;
  }

  /** `kept` are the folders on this phone. */
  show(kept) {
    const { concert, livePiece, live, joined, first, next, isOver, isIntermission } = this.#hall;
    const plays = live !== null;
    write(find("concert-title"), this.#hall.title);
    write(find("concert-date"), dateWords(this.#hall.date));
    mark(find("now"), "data-live", plays);
    mark(find("now"), "aria-disabled", !plays);
    // Without the hall nobody here knows whether it is quiet.
    write(find("now-head"), say(plays ? "nowPlaying" : !joined ? "unheard" : isOver ? "over"
      : isIntermission ? "intermission" : "quiet"));
    // The piece that plays has a name even if the concert has no text for it.
    write(find("now-name"), livePiece ? livePiece.movement || livePiece.name : plays ? live.pieceName : "");
    write(find("now-work"), livePiece ? `${livePiece.composer}, ${livePiece.work}`
      : say(plays ? "noText" : !joined ? "unheardHint" : isOver ? "overHint" : "quietHint"));
    find("now-next").hidden = !first && !next;
    write(find("now-next"),
      first ? say("comesFirst", { name: first.name }) : next ? say("comesNext", { name: next.name }) : "");
    showNotesLink(concert);
    if (joined && !this.#isTonightAsked) {
      this.#isTonightAsked = true;
      showTonight();
    }
    // The cover, while there is nothing else to look at.
    if (concert) showPicture(find("cover"), plays ? null : concert.pictures?.splash);
    const { people } = this.#hall;
    const key = JSON.stringify([concert?.revision, concert?.title, people, live?.pieceName, [...kept], speaks()]);
    if (key === this.#listed || !concert) return;
    this.#listed = key;
    const cast = concert.info?.cast ?? [];
    // Those of the evening count; the concert's own texts have their portraits.
    showCast(people.length > 0 ? people.map((person) => ({ ...person,
      image: cast.find(({ name }) => name === person.name)?.image })) : cast);
    find("programme").replaceChildren(...worksOf(concert).map((work) => this.#work(work, livePiece, kept)));
  }

  #work(work, livePiece, kept) {
    const alone = work.pieces.length === 1 && work.pieces[0].movement === work.work;
    return make("li", { class: "work" },
      make("p", { class: "composer", text: work.composer }),
      alone ? null : make("h3", { text: work.work }),
      make("ul", { class: "movements" },
        ...work.pieces.map((piece) => this.#document(piece, piece === livePiece, kept.has(folderOf(piece.name))))));
  }

  #document(piece, plays, isKept) {
    const label = make("span", { class: "name", text: piece.movement || piece.work || piece.name });
    const count = piece.tracks[0]?.slides.length ?? 0;
    const about = make("span", { class: "about" },
      plays ? make("span", { class: "plays", text: say("playsNow") }) : null,
      make("span", { text: count === 1 ? say("oneSlide") : say("slides", { n: count }) }),
      isKept ? make("span", { class: "mark" }, sign("kept"), make("span", { class: "spoken", text: say("keptMark") }))
        : null);
    return make("li", {},
      make("a", { class: "document", href: `#/piece/${folderOf(piece.name)}`, "aria-current": plays ? "true" : null },
        sign("document"), make("span", { class: "text" }, label, about)));
  }
}

/** Notes that came as text are read in the page's own look; a PDF alone is a bright page of its own. */
function showNotesLink(concert) {
  const link = find("notes-link");
  const { programNotes, programNotesText } = concert ?? {};
  link.hidden = !programNotes && !programNotesText;
  if (link.hidden) return;
  mark(link, "href", programNotesText ? "#/notes" : programNotes);
  mark(link, "target", programNotesText ? null : "_blank");
  write(find("notes-about"), say(programNotesText ? "notesPage" : "notesBright"));
}

/** Tonight's performers: {name, role, image}. */
function showCast(cast) {
  find("cast").hidden = cast.length === 0;
  find("cast-list").replaceChildren(...cast.map(({ name, role, image }) => make("li", { class: "performer" },
    image ? make("img",
      { class: "portrait", src: image, alt: "", loading: "lazy", decoding: "async",
        onerror: ({ target }) => target.remove() })
      : null,
    make("span", { class: "text" }, make("span", { class: "name", text: name }),
      role ? make("span", { class: "about", text: role }) : null))));
}

function dateWords(date) {
  const match = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(date ?? "");
  if (!match) return "";
  const [, year, month, day] = match;
  /** @type {Intl.DateTimeFormatOptions} */
  const format = { year: "numeric", ...(month && { month: "long" }), ...(day && { day: "numeric", weekday: "long" }) };
  const moment = new Date(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  return new Intl.DateTimeFormat(speaks() === "en" ? "en-GB" : speaks(), format).format(moment);
}
