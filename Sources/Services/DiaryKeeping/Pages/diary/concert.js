// A concert's page: programme, people, times, tempo curves, what is linked, stars and comments, and its confirmation.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { smoothed, tempoChart } from "./curves.js";
import { forgetHeard, forgetOwn, keepHeard, keepOwn, ownConcert, wasThere } from "./own.js";
import { holdingRow } from "./holdings.js";
import { badges, heading, recordingLinks, sentence, sourceMark, starButtons } from "./parts.js";
import { clockText, commentTrouble, counted, dayText, labels, placeText } from "./words.js";

const address = (id) => `/api/diary/concerts/${encodeURIComponent(id)}`;

const factLine = (concert) => [dayText(concert.date),
  [clockText(concert.start), clockText(concert.end)].filter(Boolean).join("–"), placeText(concert)]
  .filter(Boolean).join(" · ");

function peopleOf(work) {
  const found = [...(work.conductors ?? []).map((name) => `${name} (conductor)`),
    ...(work.soloists ?? []).map(({ name, instrument }) => (instrument ? `${name} (${instrument})` : name))];
  return found.length > 0 ? make("p", { class: "people faint" }, found.join(", "),
    work.peopleSource && work.peopleSource !== work.source ? " " : null,
    work.peopleSource !== work.source ? sourceMark(work.peopleSource) : null) : null;
}

const workTitle = (work) => make("h3", {},
  work.id ? make("a", { href: `#/works/${encodeURIComponent(work.id)}`, text: work.title }) : work.title);

function movementRow(movement) {
  const facts = [clockText(movement.start), movement.seconds ? duration(movement.seconds) : ""].filter(Boolean);
  return make("li", { class: "movement" },
    make("span", { text: movement.title || "The whole work" }),
    make("span", { class: "faint", text: facts.join(" · ") }), sourceMark(movement.source),
    make("div", { class: "curve", "data-playing": movement.playing ?? null }));
}

function itemRow(item) {
  if (item.kind === "intermission") {
    return make("li", { class: "intermission" }, make("span", { text: "Intermission" }),
      make("span", { class: "faint", text: item.seconds ? duration(item.seconds) : "" }), sourceMark(item.source));
  }
  return make("li", { class: "work" },
    make("p", { class: "composer faint", text: item.composer || "" }), workTitle(item),
    item.isEncore ? make("span", { class: "badge", text: "Encore" }) : null, sourceMark(item.source), peopleOf(item),
    holdingRow(item.holdings),
    (item.movements ?? []).length > 0 ? make("ol", { class: "movements" }, ...item.movements.map(movementRow)) : null);
}

/** Draws the tempo curves below the movements, once the evening's bars are there. */
async function drawCurves(view, id) {
  const places = [...document.querySelectorAll(".curve[data-playing]")];
  if (places.length === 0) return;
  const { playings } = await ask(`${address(id)}/evening`, { patience: 8000 });
  if (view.isGone) return;
  for (const place of places) {
    const playing = playings[Number(place.dataset.playing)];
    if (!playing) continue;
    const bars = playing.bars.map(([printed, played, , seconds]) => ({ printed, played, seconds }));
    const chart = tempoChart([{ name: playing.movement || playing.work, bars: smoothed(bars) }]);
    const facts = [counted(playing.bars.length, "bar"),
      playing.confidence ? `confidence ${Math.round(playing.confidence * 100)} %` : "",
      playing.lostSeconds >= 1 ? `lost for ${duration(playing.lostSeconds)}` : ""].filter(Boolean).join(" · ");
    if (chart) place.replaceChildren(chart, make("p", { class: "faint", text: facts }));
  }
}

/** Stars, a comment and “I was there”: kept on this device, and with the account of whoever is signed in. */
function remembering(view, concert) {
  const kept = wasThere(concert.id);
  const box = make("section", { class: "memory", "aria-label": "My own" }, make("h2", { text: "My own" }));
  const entry = { id: concert.id, title: concert.title, date: concert.date, start: concert.start,
    ensemble: concert.ensemble, venue: concert.venue, city: concert.city,
    works: (concert.programme ?? []).filter(({ kind }) => kind === "work")
      .map(({ composer, title }) => ({ composer, title })), ...kept, concert: concert.id };
  const comment = make("textarea", { rows: "3", value: entry.comment ?? "", onchange: () => {
    const trouble = commentTrouble(comment.value);
    view.say(trouble ?? "");
    if (!trouble) save({ comment: comment.value });
  } });
  const save = (change) => {
    Object.assign(entry, change);
    keepHeard(entry);
    find("there").setAttribute("aria-pressed", "true");
    view.sync();
  };
  box.append(
    make("button", { type: "button", id: "there", "aria-pressed": String(Boolean(kept)), text: "I was there",
      onclick: (event) => {
        if (wasThere(concert.id)) {
          forgetHeard(concert.id);
          event.currentTarget.setAttribute("aria-pressed", "false");
          view.sync();
        } else save({});
      } }),
    starButtons(entry.rating ?? 0, (rating) => save({ rating })),
    make("label", {}, "Comment", comment),
    sentence("Kept on this device, and with your account when you are signed in.", "faint"));
  return box;
}

/** Says who sees the entry, and who wrote it if nobody has confirmed it. */
function stateText({ state, isPrivate, imported, concertsOfEntry }) {
  const whole = concertsOfEntry > 1 ? ` It has ${concertsOfEntry} concerts, this one and others.` : "";
  if (state !== "proposed") {
    return (isPrivate ? "Only those who run the house see this entry." : "Everybody sees this entry.") + whole;
  }
  return `${imported ? `This entry was imported from ${imported.source}.`
    : "Baton wrote this entry from the show log."} Nobody has confirmed it yet: only those who run the house see it.`;
}

/** The buttons with which a person confirms an entry and decides who sees it. */
function confirming(view, concert) {
  const isNew = concert.state === "proposed";
  const from = isNew ? "proposed" : concert.isPrivate ? "private" : "published";
  const decide = async (isPrivate) => {
    try {
      await ask(`${address(concert.id)}/confirm`, { method: "POST", json: { isPrivate, from } });
      await view.drawAgain();
    } catch (refusal) {
      if (refusal.code === "conflict") await view.drawAgain();
      view.say(refusal.message);
    }
  };
  return make("section", { id: "confirm", "aria-label": "Publication" },
    make("p", { text: stateText(concert) }),
    make("div", { class: "row" },
      isNew || concert.isPrivate ? make("button", { type: "button", id: "publish", class: "primary",
        text: isNew ? "Confirm and publish" : "Publish", onclick: () => decide(false) }) : null,
      isNew || !concert.isPrivate ? make("button", { type: "button", id: "keep-private",
        text: isNew ? "Confirm, keep private" : "Make private", onclick: () => decide(true) }) : null,
      editLink(concert)));
}

const editLink = (concert) => make("a", { class: "button", text: "Edit",
  href: `#/concerts/${encodeURIComponent(concert.id)}/edit` });

/** The facts that are known otherwise than the entry as a whole, such as a hall that a person typed. */
function typedLine(concert) {
  const words = Object.entries(concert.sources ?? {}).filter(([, source]) => source === "typed").map(([name]) =>
    labels[name] ?? name).sort();
  return words.length > 0 ? make("p", { class: "facts typed" }, sourceMark("typed"), ` ${words.join(", ")}`) : null;
}

const importedLine = ({ imported }) => (imported ? make("p", { class: "facts" }, "From ",
  make("a", { href: imported.link, target: "_blank", rel: "noopener noreferrer", text: imported.source })) : null);

/** Removes the entry; Baton does not write it again. */
function removal(view, concert) {
  return make("p", { class: "row" }, make("button", { type: "button", id: "remove", class: "danger",
    text: "Remove from the diary", onclick: async () => {
      if (!confirm("Remove this entry with all its concerts? Baton does not write it again.")) return;
      try {
        await ask(address(concert.id), { method: "DELETE" });
        location.hash = "#/";
      } catch (refusal) {
        view.say(refusal.message);
      }
    } }));
}

const linked = (concert) => {
  const links = Object.entries({ slides: "Slides", report: "Report", recording: "Recording" })
    .filter(([name]) => concert.links?.[name])
    .map(([name, text]) => make("a", { class: "button", href: concert.links[name], text }));
  return make("p", { class: "row links" }, ...links,
    make("a", { class: "button", href: `/api/diary/concerts/${encodeURIComponent(concert.id)}/calendar.ics`,
      text: "Calendar" }),
    concert.comparable?.length > 0 ? make("a", { class: "button", id: "compare",
      href: `#/compare/${encodeURIComponent(concert.id)}`, text: "Compare with another evening" }) : null);
};

function interventions(concert) {
  if (!(concert.interventions?.length > 0)) return null;
  return make("details", { class: "interventions" },
    make("summary", { text: counted(concert.interventions.length, "intervention") }),
    make("ol", {}, ...concert.interventions.map(({ time, who, what, refused }) => make("li", {
      text: `${clockText(time)} ${who}: ${what}${refused ? ` – refused: ${refused}` : ""}` }))));
}

/** The page of a concert of the house. */
export async function concertPage(view, id) {
  const own = ownConcert(id);
  if (own) {
    ownPage(view, own);
    return;
  }
  let concert;
  try {
    concert = await ask(address(id));
  } catch (refusal) {
    const kept = wasThere(id);
    if (kept) ownPage(view, kept);
    else view.show(sentence(refusal.message));
    return;
  }
  if (view.isGone) return;
  view.show(...[
    heading(concert.title || "A concert", factLine(concert)),
    concert.ensemble ? make("p", { class: "facts" }, concert.ensembleID
      ? make("a", { href: `#/ensembles/${encodeURIComponent(concert.ensembleID)}`, text: concert.ensemble })
      : concert.ensemble) : null,
    typedLine(concert), importedLine(concert), badges(concert),
    concert.mayEdit ? confirming(view, concert) : null,
    make("ol", { id: "programme" }, ...(concert.programme ?? []).map(itemRow)),
    concert.comment ? make("blockquote", { text: concert.comment }) : null,
    recordingLinks(concert.recordings), linked(concert), interventions(concert), remembering(view, concert),
    concert.mayRemove ? removal(view, concert) : null,
  ].filter(Boolean));
  try {
    await drawCurves(view, id);
  } catch {
    // The page is complete without its curves.
  }
}

/** A concert that only this device has, or that it kept. */
function ownPage(view, concert) {
  view.show(...[
    heading(concert.title || "A concert", factLine(concert)),
    concert.ensemble ? make("p", { class: "facts", text: concert.ensemble }) : null,
    badges({ ...concert, rating: 0 }),
    make("ol", { id: "programme" }, ...(concert.works ?? []).map((work) => itemRow({ kind: "work", ...work }))),
    starButtons(concert.rating ?? 0, (rating) => {
      keepOwn({ ...ownConcert(concert.id), rating });
      view.sync();
    }),
    concert.comment ? make("blockquote", { text: concert.comment }) : null, recordingLinks(concert.recordings),
    concert.trouble ? make("p", { class: "trouble", text: concert.trouble }) : null,
    /^https:\/\/www\.setlist\.fm\//.test(concert.link ?? "") ? importedLine({ imported: { source: "setlist.fm",
      link: concert.link } }) : null,
    make("p", { class: "row" },
      make("a", { class: "button", href: `#/concerts/${encodeURIComponent(concert.id)}/edit`, text: "Edit" }),
      make("button", { type: "button", class: "danger", text: "Delete", onclick: () => {
        if (!confirm("Delete this concert, also on your other devices?")) return;
        forgetOwn(concert.id);
        view.sync();
        location.hash = "#/mine";
      } })),
  ].filter(Boolean));
}
