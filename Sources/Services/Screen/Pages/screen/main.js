// A screen: shows the titles and the speakers' slides, holds what it shows while no server is there, and comes back by
// itself.
import { ask } from "/shared/api.js";
import { Awake } from "/shared/awake.js";
import { Aloud } from "./aloud.js";
import { DrawingLayer } from "./drawings.js";
import { FilmLayer } from "./film.js";
import { keepMark, knownQuery } from "./known.js";
import { Servers } from "./servers.js";
import { readSettings } from "./settings.js";
import { SlideLayer } from "./slides.js";
import { TitleLayers } from "./titles.js";
import { VideoLayer } from "./video.js";

const beatEvery = 2000; // ms
const noteFor = 15_000; // ms
const shiftEvery = 180_000; // ms

let settings = readSettings(location.pathname, location.search);
const [stage, cover, note] = ["screen", "cover", "note"].map((id) => document.getElementById(id));
const titles = new TitleLayers(stage, settings);
const drawings = new DrawingLayer();
const slides = new SlideLayer(stage, (picture, slide) => drawings.put(picture, slide));
const clock = { offset: null, doubt: Infinity }; // ms from this machine's time to the show's; half of the round trip
const readClock = () => (clock.offset === null ? null : performance.now() + clock.offset);
const aloud = new Aloud();
const videos = new VideoLayer(stage, readClock, () => void beat(), aloud);
const films = new FilmLayer(stage, readClock, () => void beat(), aloud);
// A new id after each loading, so that two screens of one name can be distinguished.
const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const servers = new Servers(settings.name, hear);
let blank = "none";
let state = null; // what the server said last
let slide = null; // the slide that is wanted
let film = null; // what the server said last of tonight's films
let isFirst = true;
let kept = null; // the settings that the server keeps, as it sent them last
let isForbidden = false; // this page was loaded before the other server was known, and may not read from it

document.title = `${settings.name} · Baton`;
stage.classList.add("key");
take(null);

/** Takes what the server keeps for the screens of each name; an open screen changes at once. */
function take(all) {
  kept = all;
  settings = readSettings(location.pathname, location.search, kept?.[settings.name]);
  stage.style.setProperty("--key", settings.ground);
  stage.style.inset = settings.margins.map((share) => `${100 * share}%`).join(" ");
  stage.style.filter = settings.brightness < 1 ? `brightness(${settings.brightness})` : "";
  document.body.style.background = settings.ground;
  titles.use(settings);
  films.take(has("film") ? film : null);
  if (state) show(state);
}

/** True if this screen shows titles, slides or the film. */
function has(content) {
  return settings.shows === "both" || settings.shows === content;
}

function show(now) {
  state = now;
  blank = settings.ignoresBlank ? "none" : now.blank;
  cover.className = blank;
  cover.hidden = blank === "none";
  slide = has("slides") ? now.slide : null;
  slides.show(slide);
  const video = has("slides") ? now.video ?? null : null;
  videos.show(video);
  films.use(settings.filmOffset, Boolean(slide ?? video));
  titles.show(has("titles") ? now : { ...now, title: null }, isFirst);
  isFirst = false;
  if (isInUse()) note.hidden = true;
  beat();
}

/** True if something is shown, or the screen is black or white on purpose. */
const isInUse = () => blank !== "none" || slide !== null || Boolean(state?.title ?? state?.video) || films.isOn;

/** The content in sight, in words. */
const shown = () => [slides.page ? `Slide ${slides.page}` : "", videos.report ? "Video" : "",
  films.isOn ? "Film" : "", titles.text]
  .filter(Boolean).join("\n").slice(0, 100);

/** Takes what the believed server says; `isAnother` if it is believed from now on. */
function hear(server, isAnother) {
  if (isAnother) {
    // The next answer of this server has its time, however slow it is.
    clock.doubt = Infinity;
    for (const layer of [slides, videos, films, drawings]) layer.readFrom(server.base);
  }
  if (server.film !== film) {
    film = server.film;
    films.take(has("film") ? film : null);
  }
  if (server.settings !== kept) take(server.settings);
  if (server.screen && server.screen !== state) show(server.screen);
}

/** Tells the console that this screen is there, and what it really shows; the answer has the show's time. */
async function beat() {
  const { base, server } = servers.present;
  // A server that does not lead takes nothing.
  if (server?.leads === false) return;
  const picture = { ...titles.picture, ground: settings.ground.slice(1),
    slide: slides.page && slides.page === slide?.page ? slide.image : null };
  const begun = performance.now();
  try {
    const answer = await ask(`${base}/api/screens/${settings.name}/beat${knownQuery()}`, { method: "POST", json: {
      id, width: innerWidth, height: innerHeight, shows: shown(), blank, languages: settings.languages, picture,
      video: videos.report, film: films.report,
    } });
    keepMark(answer.known);
    if (servers.present.base === base) setClock(answer.now, begun);
  } catch {
    // The stream notices that the server is away.
  }
}

/** Keeps the show's time that came fastest; it ages, because clocks drift and servers change. */
function setClock(now, begun) {
  const half = (performance.now() - begun) / 2;
  clock.doubt += 1;
  const offset = now - begun - half;
  if (clock.offset !== null && half > clock.doubt && Math.abs(offset - clock.offset) < 1000) return;
  [clock.offset, clock.doubt] = [offset, half];
  videos.keepTime();
}

/** A page that was loaded before the other server was known is loaded anew when nobody can see it: once for each. */
function allowOther() {
  const isEmpty = !state?.title && !slide && !videos.report && !films.isOn;
  const [mark, other] = ["baton-screen-other", servers.otherBase];
  if (!isForbidden || !isEmpty || !other || sessionStorage.getItem(mark) === other) return;
  sessionStorage.setItem(mark, other);
  location.reload();
}

addEventListener("securitypolicyviolation", () => {
  isForbidden = true;
});
servers.start();
setInterval(() => {
  void beat();
  allowOther();
}, beatEvery);
addEventListener("resize", () => titles.refit());
// A letter that always stands in the same place burns into some screens: all moves by a pixel or two now and then.
let shifts = 0;
setInterval(() => {
  shifts += 1;
  stage.style.translate = `${[0, 2, 2, 0, -2, -2, -2, 0][shifts % 8]}px ${[0, 0, 2, 2, 2, 0, -2, -2][shifts % 8]}px`;
}, shiftEvery);
// Only while the screen is set up: an audience must not read it.
new Awake((sentence) => {
  if (isInUse()) return;
  note.textContent = sentence;
  note.hidden = false;
  setTimeout(() => (note.hidden = true), noteFor);
}).want(true);
