// Forms for ensembles and halls, for those who run the house. They are kept on this device until they are sent.
import { make } from "/shared/dom.js";
import { newID } from "./own.js";
import { post } from "./outbox.js";
import { heading, houseOnly, sentence } from "./parts.js";

const field = (name, words, traits = {}) => make("label", {}, words, make("input", { name, maxlength: "200",
  autocomplete: "off", ...traits }));

function form(word, save, ...fields) {
  const element = make("form", { id: "names", class: "fields" }, ...fields,
    make("button", { type: "submit", class: "primary across", text: word }));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    save((name) => element.elements[name].value.trim());
  });
  return element;
}

/** A new ensemble, or one that is known already, whose record the form changes. */
export function ensembleForm(view, ensemble = null) {
  if (!view.isStaff) {
    view.show(heading("An ensemble"), houseOnly(view.role));
    return;
  }
  const about = make("textarea", { name: "about", rows: "4", maxlength: "6000", value: ensemble?.biography ?? "" });
  view.show(heading(ensemble ? "Edit" : "An ensemble", ensemble?.name), form("Keep it", (value) => {
    const body = { ...(ensemble ? { id: ensemble.id } : {}), name: value("name"), genre: value("genre"),
      ...(value("about") !== (ensemble?.biography ?? "") ? { biography: { en: value("about") } } : {}) };
    if (!post({ id: `ensemble-${ensemble?.id ?? newID()}`, what: value("name"), method: "POST",
      path: "/api/diary/ensembles", body })) return;
    view.sync(true);
    location.hash = ensemble ? `#/ensembles/${encodeURIComponent(ensemble.id)}` : "#/ensembles";
  }, field("name", "Name", { required: true, value: ensemble?.name ?? "" }),
  field("genre", "Genre", { value: ensemble?.genre ?? "" }),
  make("label", { class: "across" }, "About them", about)),
  sentence("It is kept on this device until the server has it.", "faint"));
}

export function hallForm(view) {
  if (!view.isStaff) {
    view.show(heading("A hall"), houseOnly(view.role));
    return;
  }
  view.show(heading("A hall"), form("Keep it", (value) => {
    if (!post({ id: `hall-${newID()}`, what: value("name"), method: "POST", path: "/api/diary/halls",
      body: { name: value("name"), city: value("city"), countryCode: value("country").toUpperCase() } })) return;
    view.sync(true);
    location.hash = "#/new";
  }, field("name", "Name", { required: true }), field("city", "Town"),
  field("country", "Country, two letters", { maxlength: "2", pattern: "[A-Za-z]{2}", placeholder: "AT" })),
  sentence("Forms suggest it as soon as a concert took place there.", "faint"));
}
