// A screen: shows the titles and the speakers' slides, holds what it shows while the server is away, and comes back by
// itself.
import { ask } from "/shared/api.js";
import { Awake } from "/shared/awake.js";
import { EventStream } from "/shared/stream.js";
import { DrawingLayer } from "./drawings.js";
import { readSettings } from "./settings.js";
import { SlideLayer } from "./slides.js";
import { TitleLayers } from "./titles.js";
import { VideoLayer } from "./video.js";

const beatEvery = 2000; // ms
const retryAfter = [50, 250]; // ms until the next connection: in the first seconds without the server, and later
const soonTrials = 200;

let settings = readSettings(location.pathname, location.search);
const [stage, cover] = ["screen", "cover"].map((id) => document.getElementById(id));
const titles = new TitleLayers(stage, settings);
const drawings = new DrawingLayer();
const slides = new SlideLayer(stage, (picture, slide) => drawings.put(picture, slide));
const clock = { offset: null, doubt: Infinity }; // ms from this machine's time to the show's; half of the round trip
const videos = new VideoLayer(stage, () => (clock.offset === null ? null : performance.now() + clock.offset),
  () => void beat());
// Another id after each loading, so that two screens of one name are told apart.
const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
let blank = "none";
let state = null; // what the server said last
let slide = null; // the slide that is wanted
let isFirst = true;

document.title = `${settings.name} · Baton`;
stage.classList.add("key");
take(null);

/** Takes what the server keeps for the screens of each name; an open screen changes at once. */
function take(kept) {
  settings = readSettings(location.pathname, location.search, kept?.[settings.name]);
  stage.style.setProperty("--key", settings.ground);
  titles.use(settings);
  if (state) show(state);
}

function show(now) {
  state = now;
  blank = settings.ignoresBlank ? "none" : now.blank;
  cover.className = blank;
  cover.hidden = blank === "none";
  slide = settings.shows === "titles" ? null : now.slide;
  slides.show(slide);
  videos.show(settings.shows === "titles" ? null : now.video ?? null);
  titles.show(settings.shows === "slides" ? { ...now, title: null } : now, isFirst);
  isFirst = false;
  beat();
}

/** What is really to be seen, in words. */
const shown = () => [slides.page ? `Slide ${slides.page}` : "", videos.report ? "Video" : "", titles.text]
  .filter(Boolean).join("\n").slice(0, 100);

/** Tells the console that this screen is there, and what it really shows; the answer has the show's time. */
async function beat() {
  const picture = { ...titles.picture, ground: settings.ground.slice(1),
    slide: slides.page && slides.page === slide?.page ? slide.image : null };
  const begun = performance.now();
  try {
    const answer = await ask(`/api/screens/${settings.name}/beat`, { method: "POST", json: {
      id, width: innerWidth, height: innerHeight, shows: shown(), blank, languages: settings.languages, picture,
      video: videos.report,
    } });
    setClock(answer.now, begun);
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

const stream = new EventStream(() => `/api/screens/${settings.name}/stream`, {
  heard(name, value) {
    if (name === "snapshot") {
      take(value.settings);
      if (value.screen) show(value.screen);
    } else if (name === "settings") take(value);
    else if (name === "screen") show(value);
  },
}, { greeting: "snapshot", silentAfter: 3500, doubtAfter: 2000,
  retryAfter: (trials) => retryAfter[trials < soonTrials ? 0 : 1] });

stream.start();
setInterval(beat, beatEvery);
addEventListener("resize", () => titles.refit());
new Awake(() => {}).want(true);
