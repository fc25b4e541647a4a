// One track: its slides against the recording, with a phone next to them.
import { find, icon, make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { slideAt } from "/shared/slides.js";
import { field } from "./fields.js";
import { keyed } from "./keyed.js";
import { Nearby, buildRow } from "./nearby.js";
import { counted, languageName } from "./names.js";
import { Phone } from "./phone.js";
import { openPiece, stripOf, waveformOf } from "./sound.js";
import { slideCard, slideTraits, slideWordsOf } from "./slidecard.js";
import { addSlide, moveSlide, placeSlide } from "./slidemoves.js";
import { Strip } from "./strip.js";
import { heading, nothing, pageLink } from "./layout.js";

// Why the slides cannot be heard.
const silence = {
  bars: "This piece has no bars yet. Open the piece and choose its recording; then slides find their place.",
  recording: "No recording: you can place slides, but not hear them. Choose a recording in the piece.",
  browser: "This browser cannot play the recording: you can place slides, but not hear them. Another browser may; so " +
    "may this one where the recording is WAV or FLAC instead of Ogg.",
};

const levels = [["", "Any level"], ["newcomer", "Newcomer"], ["listener", "Listener"], ["expert", "Expert"]];

/** The view of a track; `at` is a slide to go to. */
export function trackView(desk, id, at) {
  const { book, checking, player } = desk;
  const track = book.tree.get(id);
  const pieceID = track.parent;
  const phone = new Phone(book, desk.preview);
  const strip = new Strip(player, (slide, played) => placeSlide(book, slide, played));
  const list = make("ol", { class: "slides", "aria-label": "Slides" });
  const here = make("button", { type: "button", class: "chief", "data-does": "slide-here" });
  const empty = nothing("No slides yet",
    "Play the recording, and press N or the button above where a slide should come. Or start with " +
      "one at the first bar.");
  const noSound = make("p", { class: "hint band" });
  let selected = at ?? null;
  let shownID = "";

  const slides = () => book.tree.children(id, "slide");

  const tabs = make("nav", { class: "tabs", "aria-label": "Tracks of the piece" });
  const details = make("details", { class: "details" }, make("summary", {}, icon("edit"), "Track details"),
    make("div", { class: "grid" },
      field(book, id, "name", { label: "Name", what: "track name" }),
      field(book, id, "language",
        { label: "Language", what: "language", list: "languages", hint: "A tag: en, de, pt-BR" }),
      field(book, id, "level", { label: "Level", kind: "choice", options: levels, what: "level" }),
      field(book, id, "subject", { label: "Subject", what: "subject", hint: "What it is about: music, history …" })));
  if (!track.fields.name) details.open = true;

  const element = make("div", { class: "page workbench" },
    make("div", { class: "work-top" }, heading(pageLink(`#/${book.concert}/piece/${pieceID}`, ""), ""), tabs, details),
    make("div", { class: "work-strip" }, strip.element, noSound,
      make("div", { class: "row" }, here,
        make("span", { class: "hint only-wide", text: "N new slide · Space play · ← → bars · ? all keys" }))),
    make("div", { class: "work-list" }, list, empty),
    make("details", { class: "work-phone", open: matchMedia("(min-width: 1000px)").matches },
      make("summary", { class: "only-narrow", text: "As a phone shows it" }), phone.element));
  const title = element.querySelector("h1");
  const back = element.querySelector(".page-link");

  here.addEventListener("click", () => newSlide());

  function newSlide(played = player.played) {
    if (!player.measures.length) {
      notice("The piece has no bars yet. Choose its recording first.", { tone: "bad" });
      return;
    }
    const made = addSlide(book, id, Math.max(played, 0));
    select(made);
    focusText(made);
  }

  function focusText(slide) {
    buildRow(list, slide);
    list.querySelector(`[data-node="${slide}"] textarea`)?.focus({ preventScroll: false });
  }

  function select(slide) {
    selected = slide;
    showNow();
  }

  const context = {
    book, checking, player, list: () => list, desk,
    reorder: (from, to) => moveSlide(book, id, from, to),
    focused(slide) {
      selected = slide;
      const node = book.tree.get(slide);
      if (!player.isPlaying && node && Number.isInteger(node.played) && node.played !== player.played) {
        player.goTo(node.played);
      }
      showNow();
    },
    newAfter: () => newSlide(),
    removed(slide) {
      const all = slides();
      const index = all.findIndex((node) => node.id === slide);
      const next = all[index + 1] ?? all[index - 1];
      book.edit([{ remove: slide }], "slide removed");
      if (next) focusText(next.id);
      else here.focus();
      notice("Slide removed.", { action: "Undo", act: () => desk.undo() });
    },
  };

  const rows = new Nearby({ build: (node, row) => slideCard(context, node, row), words: slideWordsOf,
    count: () => slides().length });
  const showList = (all) => keyed(list, all, (node) => node.id, (node) => rows.row(node, slideTraits(node)));

  function showNow() {
    const all = slides();
    const index = selected && !player.isPlaying
      ? all.findIndex((node) => node.id === selected) : slideAt({ slides: all }, player.played);
    const slide = all[index] ?? null;
    phone.show({ piece: book.tree.get(pieceID), track: book.tree.get(id), slide, number: index + 1,
      count: all.length });
    if (shownID !== (slide?.id ?? "")) {
      shownID = slide?.id ?? "";
      for (const card of list.children) mark(card, "data-now", card.dataset.node === shownID);
      strip.current(shownID);
      if (player.isPlaying && !list.contains(document.activeElement)) {
        list.querySelector("[data-now]")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
      }
    }
    const bar = player.measures[Math.max(player.played, 0)]?.printed;
    write(here, bar === undefined ? "New slide" : `New slide at bar ${bar}`);
  }

  /** Shows why slides cannot be heard, if they cannot. */
  function showSound(piece = book.tree.get(pieceID)) {
    const hasRecording = Boolean(piece?.fields.folder);
    noSound.hidden = player.measures.length > 0 && hasRecording && !player.isRefused;
    write(noSound, player.measures.length === 0 ? silence.bars : !hasRecording ? silence.recording : silence.browser);
  }

  function showTabs() {
    const tracks = book.tree.children(pieceID, "track");
    tabs.replaceChildren(...tracks.map((other) => make("a", {
      href: `#/${book.concert}/track/${other.id}`, "aria-current": other.id === id ? "page" : null,
      text: [other.fields.name || "Untitled track", other.fields.language && languageName(other.fields.language)]
        .filter(Boolean).join(" · "),
    })));
  }

  function update() {
    const now = book.tree.get(id);
    if (!now) return desk.gone();
    const piece = book.tree.get(pieceID);
    openPiece(desk, pieceID);
    write(title, now.fields.name || "Untitled track");
    write(back, piece.fields.name || "Untitled piece");
    showTabs();
    const all = slides();
    showList(all);
    empty.hidden = all.length > 0;
    showSound(piece);
    strip.show({ ...stripOf(book, pieceID), waveform: waveformOf(piece),
      slides: all.map((node, index) => ({ id: node.id, played: node.played, number: index + 1 })) });
    shownID = null;
    showNow();
  }

  const stops = [
    player.onChange((_, isNew) => {
      // After the playhead was moved, the slide there is shown.
      if (isNew && (player.isPlaying || book.tree.get(selected)?.played !== player.played)) selected = null;
      if (isNew) showNow();
      showSound();
    }),
    desk.preview.onChange(showNow),
    checking.onChange(() => showList(slides())),
  ];
  update();
  const step = (bars) => {
    selected = null;
    player.goTo(player.played + bars);
  };
  const showNode = () => {
    list.querySelector(`[data-node="${at}"]`)?.scrollIntoView({ block: "center" });
    context.focused(at);
    focusText(at);
  };
  if (at) setTimeout(showNode);

  return {
    element, update, title: () => track.fields.name,
    keys: {
      n: () => newSlide(), " ": () => player.toggle(), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
      Home: () => player.goTo(0), End: () => player.goTo(player.measures.length - 1),
    },
    gone: () => {
      player.stop();
      rows.close();
      for (const stop of stops) stop();
    },
    count: () => counted(slides().length, "slide"),
    main: find("main"),
  };
}
