// A screen: shows the titles and the speakers' slides, holds what it shows while the server is away, and comes back by
// itself.
import { ask } from "/shared/api.js";
import { Awake } from "/shared/awake.js";
import { EventStream } from "/shared/stream.js";
import { DrawingLayer } from "./drawings.js";
import { readSettings } from "./settings.js";
import { SlideLayer } from "./slides.js";
import { TitleLayers } from "./titles.js";

const beatEvery = 2000; // ms
const retryAfter = 250; // ms

const settings = readSettings(location.pathname, location.search);
const [stage, cover] = ["screen", "cover"].map((id) => document.getElementById(id));
const titles = new TitleLayers(stage, settings);
const drawings = new DrawingLayer();
const slides = new SlideLayer(stage, (picture, slide) => drawings.put(picture, slide));
// Another id after each loading, so that two screens of one name are told apart.
const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let blank = "none";
let isFirst = true;

stage.classList.add("key");
stage.style.setProperty("--key", settings.ground);
document.title = `${settings.name} · Baton`;

function show(state) {
  blank = settings.ignoresBlank ? "none" : state.blank;
  cover.className = blank;
  cover.hidden = blank === "none";
  slides.show(settings.shows === "titles" ? null : state.slide);
  titles.show(settings.shows === "slides" ? { ...state, title: null } : state, isFirst);
  isFirst = false;
  beat();
}

/** What is really to be seen, in words. */
const shown = () => [slides.page ? `Slide ${slides.page}` : "", titles.text].filter(Boolean).join("\n").slice(0, 100);

/** Tells the console that this screen is there, and what it really shows. */
function beat() {
  ask(`/api/screens/${settings.name}/beat`, { method: "POST", json: {
    id, width: innerWidth, height: innerHeight, shows: shown(), blank, languages: settings.languages,
  } }).catch(() => {}); // The stream notices that the server is away.
}

const stream = new EventStream(() => `/api/screens/${settings.name}/stream`, {
  heard(name, value) {
    if (name === "snapshot" && value.screen) show(value.screen);
    if (name === "screen") show(value);
  },
}, { greeting: "snapshot", silentAfter: 3500, doubtAfter: 2000, retryAfter: () => retryAfter });

stream.start();
setInterval(beat, beatEvery);
addEventListener("resize", () => titles.refit());
new Awake(() => {}).want(true);
