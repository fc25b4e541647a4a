// The titles of a piece against its recording: a table of bars and texts, as long as an opera.
import { find, make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain, showSaved, tellUnsent } from "/shared/saved.js";
import { peopleWithUnsent } from "/shared/unsent.js";
import { dialog } from "./dialog.js";
import { keyed } from "./keyed.js";
import { heading, nothing, pageLink } from "./layout.js";
import { Nearby, buildRow } from "./nearby.js";
import { openPiece, stripOf, waveformOf } from "./sound.js";
import { Strip } from "./strip.js";
import { TitleBook, emptyTitle, peopleWithTitles } from "./titlebook.js";
import { barOf, playedOfTitle } from "./titlebars.js";
import { titleRow, titleTraits, titleWords } from "./titlerow.js";
import { unsentEdits } from "./unsentedits.js";

const needsPiece = "Titles belong to the bars of a prepared piece. Prepare this piece on /prepare, then come back. The "
  + "piece needs its recording here.";

/** The view of a piece's titles; `at` is the number of a title to go to. */
export function titlesView(desk, id, at) {
  const { book: concert, player } = desk;
  const piece = concert.tree.get(id);
  const folder = piece.fields.folder ?? "";
  const book = new TitleBook(folder, desk.me, changed);
  const strip = new Strip(player, (row, played) => setBar(row, played));
  /** @type {any} */
  const list = make("ol", { class: "slides titles", "aria-label": "Titles" });
  const here = make("button", { type: "button", class: "chief", "data-does": "title-here" });
  const files = make("span", { class: "row" });
  const state = make("p", { class: "hint band", hidden: true });
  const language = make("input", { "aria-label": "Language to add", placeholder: "de, en, pt-BR", maxlength: 20,
    class: "bar-input" });
  const add = make("form", { class: "row", onsubmit: addLanguage }, language,
    make("button", { type: "submit", text: "Add a language" }));
  let selected = null;
  let shown = null;
  let isOpen = false;

  const element = make("div", { class: "page workbench wide titles-page" },
    make("div", { class: "work-top" },
      heading(pageLink(`#/${concert.concert}/piece/${id}`, piece.fields.name || "Untitled piece"), "Titles")),
    make("div", { class: "work-strip" }, strip.element, state,
      make("div", { class: "row" }, here, make("span", { class: "hint only-wide",
        text: "N new title · H sets the bar of the chosen title here and goes on to the next · in a text: "
          + "Ctrl Enter does the same, Alt Enter divides the title at the cursor" }))),
    make("div", { class: "work-list" }, list),
    make("div", { class: "row" }, add, files));
  here.addEventListener("click", () => newTitle());

  const context = {
    book, player, list: () => list, desk,
    selected: () => selected,
    focused(row) {
      select(row);
      const played = playedOfTitle(book.title(row), player.measures);
      if (!player.isPlaying && played !== null && played !== player.played) player.goTo(played);
    },
    setBar, here: setHere, split,
    newAfter(row) {
      focusText(book.insert({ ...emptyTitle() }, row));
    },
    removed(row) {
      const index = book.index(row);
      const next = book.rows[index + 1] ?? book.rows[index - 1];
      book.remove(row);
      if (next) focusText(next.id);
      else here.focus();
      notice("Title removed.", { action: "Undo", act: () => step("undo") });
    },
    reorder: (from, to) => book.move(from, to),
    languages: () => (book.languages.length > 0 ? book.languages : [""]),
  };

  function addLanguage(event) {
    event.preventDefault();
    const tag = language.value.trim();
    if (!/^[A-Za-z0-9-]{1,20}$/.test(tag)) return notice("A language is a tag such as de or pt-BR.", { tone: "bad" });
    if (book.languages.length >= 8) return notice("A list has eight languages at most.", { tone: "bad" });
    if (!book.languages.includes(tag)) book.languages.push(tag);
    language.value = "";
    rebuild();
  }

  /** Rows have a field for each language; another one builds them anew. */
  function rebuild() {
    list.replaceChildren();
    list.keyedRows?.clear();
    showRows();
  }

  function focusText(row) {
    select(row);
    buildRow(list, row);
    const item = list.querySelector(`[data-node="${row}"]`);
    item?.scrollIntoView({ block: "nearest" });
    item?.querySelector("textarea")?.focus({ preventScroll: true });
  }

  function select(row) {
    selected = row;
    showNow();
  }

  function newTitle() {
    if (!player.measures.length) {
      return notice("The piece has no bars yet. Choose its recording first.", { tone: "bad" });
    }
    const played = Math.max(player.played, 0);
    const before = book.rows.findLast(({ title }) => {
      const other = playedOfTitle(title, player.measures);
      return other !== null && other <= played;
    });
    if (before && playedOfTitle(before.title, player.measures) === played) return focusText(before.id);
    focusText(book.insert({ ...emptyTitle(), place: barOf(played, player.measures) }, before?.id ?? null));
  }

  function setBar(row, played) {
    const to = Math.min(Math.max(played, 0), player.measures.length - 1);
    if (to >= 0) book.set(row, { place: barOf(to, player.measures), played: to, measure: player.measures[to].printed });
  }

  /** Sets the bar of a title where the recording is, and goes on to the next title. */
  function setHere(row = selected ?? book.rows[0]?.id, goesInto = false) {
    if (!row || player.played < 0) return;
    setBar(row, player.played);
    const next = book.rows[book.index(row) + 1];
    if (!next) return;
    if (goesInto) focusText(next.id);
    else {
      select(next.id);
      list.querySelector(`[data-node="${next.id}"]`)?.scrollIntoView({ block: "nearest" });
    }
  }

  function split(row, area) {
    const { texts } = book.title(row);
    const place = area.selectionStart;
    const tag = area.dataset.language;
    const text = texts[tag] ?? "";
    const rest = { [tag]: text.slice(place).trim() };
    // A text in another language is divided at its line break, if it has one.
    const first = { [tag]: text.slice(0, place).trim() };
    for (const [other, words] of Object.entries(texts)) {
      if (other === tag || !words.includes("\n")) continue;
      const [head, ...tail] = words.split("\n");
      Object.assign(first, { [other]: head });
      Object.assign(rest, { [other]: tail.join("\n") });
    }
    focusText(book.split(row, first, rest));
  }

  function step(course) {
    const done = book.step(course);
    if (done === null) notice(course === "undo" ? "There is nothing to take back." : "There is nothing to make again.");
    if (done === false) notice("Somebody else has changed this title since, so it stays.", { tone: "bad" });
  }

  const rows = new Nearby({ build: (row, item) => titleRow(context, row, item), words: titleWords,
    count: () => book.rows.length });

  function showRows() {
    keyed(list, book.rows, (row) => row.id, (row) => rows.row(row, titleTraits(row)));
    shown = null;
    showFlags();
    showNow();
  }

  let flagsAsked = 0;

  function showFlags() {
    cancelAnimationFrame(flagsAsked);
    flagsAsked = requestAnimationFrame(() => strip.show({ ...stripOf(concert, id), waveform: waveformOf(piece),
      slides: book.rows.map(({ id: row, title }, index) =>
        ({ id: row, played: playedOfTitle(title, player.measures), number: index + 1 })) }));
  }

  function showNow() {
    const now = player.isPlaying || selected === null ? book.rows.findLast(({ title }) => {
      const played = playedOfTitle(title, player.measures);
      return played !== null && played <= player.played;
    })?.id ?? null : selected;
    const bar = player.measures[Math.max(player.played, 0)]?.printed;
    write(here, bar === undefined ? "New title" : `New title at bar ${bar}`);
    if (now === shown) return;
    for (const row of [shown, now]) {
      const item = row && list.keyedRows?.get(row)?.element;
      if (item) mark(item, "data-now", row === now);
    }
    shown = now;
    strip.current(now);
    if (player.isPlaying && !list.contains(document.activeElement)) {
      list.keyedRows?.get(now)?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }
  }

  function changed(why, row) {
    if (why === "rows") return showRows();
    if (why === "state") return showState();
    if (why === "gone") return showEmpty();
    const index = book.index(row);
    if (index < 0) return;
    list.keyedRows?.get(row)?.update(book.rows[index], index);
    if (why === "title" || why === "saved") showFlags();
  }

  let asked = null; // the conflict that the dialog is about

  function showState() {
    const { name, sentence } = book.state;
    const refusals = [...book.refusals].map(([row, said]) => ({
      text: `title ${book.index(row) + 1}`, sentence: said, show: () => focusText(row),
      leave: () => book.leave(row) }));
    showSaved(name, sentence, refusals);
    const [conflict] = book.conflicts;
    if (conflict && !asked) ask(conflict);
  }

  function ask(conflict) {
    asked = conflict;
    const words = (title) => (title === null ? "(taken out)"
      : Object.values(title.texts).filter(Boolean).join("\n") || "(empty)");
    let takes = null;
    const choose = (which, text) => make("button",
      { type: "button", "data-does": `take-${which}`, text, onclick: () => {
        takes = which;
        box.close();
      } });
    const side = (name, title, which, text) => make("section", { class: "block" }, make("h3", { text: name }),
      make("p", { class: "hint", text: title ? `Bar ${title.place ?? "–"}` : "" }),
      make("p", { class: "unbuilt", text: words(title) }), choose(which, text));
    const number = book.index(conflict.id) + 1;
    const box = dialog(number > 0 ? `Two people changed title ${number}` : "Somebody took out a title that you changed",
      [side("Yours", conflict.mine, "mine", "Keep yours"), side("Theirs", conflict.theirs, "theirs", "Take theirs")],
      { closed: () => {
        asked = null;
        // Nothing is lost silently: the question comes again until it is answered.
        if (takes) book.decide(conflict, takes);
        else setTimeout(showState);
      } });
  }

  function showEmpty() {
    isOpen = false;
    list.replaceChildren();
    list.keyedRows?.clear();
    list.replaceWith(nothing("No titles for this piece yet", needsPiece));
  }

  /** Names those whose titles wait here, but for those who were named when the concert was opened. */
  function tellOthers() {
    const named = peopleWithUnsent(unsentEdits, concert.concert, desk.me);
    peopleWithTitles(folder, desk.me).filter((name) => !named.includes(name)).forEach(tellUnsent);
  }

  async function open() {
    try {
      await book.open();
    } catch (refusal) {
      complain(refusal);
      return list.replaceWith(nothing("The titles cannot be read", refusal.message));
    }
    if (!book.piece) return showEmpty();
    isOpen = true;
    tellOthers();
    files.replaceChildren(make("span", { class: "hint", text: "Export:" }),
      ...["pdf", "csv", "srt", "vtt", "txt", "xml"].map((end) => make("a", { class: "button", download: "",
        href: `${book.address}.${end}`, text: end.toUpperCase() })));
    if (book.languages.length === 0) {
      const own = concert.tree.children(id, "track").map(({ fields }) => fields.language).find(Boolean);
      book.languages.push(own ?? "en");
    }
    rebuild();
    showState();
    const row = book.rows[Number(at) - 1];
    if (row) focusText(row.id);
  }

  function update() {
    const now = concert.tree.get(id);
    if (!now) return desk.gone();
    openPiece(desk, id);
    state.hidden = player.measures.length > 0 && !player.isRefused;
    write(state, player.measures.length === 0
      ? "This piece has no bars yet. Open the piece and choose its recording."
      : "This browser cannot play the recording: titles can be placed, but not heard.");
    if (isOpen) showFlags();
    showNow();
  }

  const stops = [player.onChange((_, isNew) => isNew && showNow())];
  update();
  open();
  const walk = (by) => {
    const index = Math.min(Math.max((selected ? book.index(selected) : -1) + by, 0), book.rows.length - 1);
    if (!book.rows[index]) return;
    select(book.rows[index].id);
    list.querySelector(`[data-node="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  };
  return {
    element, update, main: find("main"),
    undo: () => step("undo"), redo: () => step("redo"), flush: () => book.flush(),
    keys: {
      n: () => newTitle(), h: () => setHere(), " ": () => player.toggle(),
      ArrowLeft: () => player.goTo(player.played - 1), ArrowRight: () => player.goTo(player.played + 1),
      ArrowUp: () => walk(-1), ArrowDown: () => walk(1),
      Home: () => player.goTo(0), End: () => player.goTo(player.measures.length - 1),
    },
    gone: () => {
      book.close();
      player.stop();
      rows.close();
      for (const stop of stops) stop();
      desk.book.say();
    },
  };
}
