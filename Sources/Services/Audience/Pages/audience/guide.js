// The help overlay and what there is to say about the concert.
import { make } from "/shared/dom.js";
import { webAddress } from "./messages.js";
import { openSheet } from "./sheets.js";
import { sign } from "./sign.js";
import { say } from "./words.js";

/** The app's own picture on top of a sheet; nothing if there is none. */
function pictureOf(address, words) {
  if (!address) return null;
  return make("img",
    { class: "own-picture", src: address, alt: say(words), decoding: "async",
      onerror: ({ target }) => target.remove() });
}

export function openHelp(hall) {
  const entry = (mark, name, text) => make("li", {}, make("span", { class: "icon", "aria-hidden": "true" }, mark),
    make("p", {}, make("strong", { text: name ? `${name} ` : "" }), text));
  const pill = make("span", { class: "pill", "data-live": "true", text: say("live") });
  const pair = make("span", { class: "pair" }, sign("back"), sign("on"));
  const keys = [["←", "→", "keysTurn"], ["L", "keysLive"], ["P", "keysHome"], ["T", "keysTrack"], ["F", "keysForm"],
    ["G", "keysWords"], ["A", "keysLook"], ["+", "−", "keysSize"], ["?", "keysHelp"], ["Esc", "keysClose"]];
  openSheet("help", say("help"),
    (body) => body.append(...[pictureOf(hall.concert?.pictures?.help, "helpPicture")].filter(Boolean),
      make("ul", { class: "guide" },
        entry(pill, say("live"), say("helpLive")),
        entry(pair, "", `${say("previous")}, ${say("next")}: ${say("helpSlides")}`),
        entry(make("span", { class: "tiny-wave" }), say("timeline"), say("helpTimeline")),
        entry(sign("track"), say("track"), say("helpTrack")),
        entry(make("span", { text: "Aa" }), say("settings") + ":", say("helpLook")),
        entry(sign("words"), say("glossary") + ":", say("helpWords")),
        entry(sign("refresh"), say("refresh"), say("helpRefresh"))),
      make("p", { class: "about", text: say("helpHall") }),
      make("h3", { text: say("helpKeys") }),
      make("dl", { class: "keys" }, ...keys.flatMap((row) => [
        make("dt", {}, ...row.slice(0, -1).map((key) => make("kbd", { text: key }))),
        make("dd", { text: say(row.at(-1)) })]))));
}

export function openInfo(hall) {
  const info = hall.concert?.info ?? {};
  const lines = [info.text, ...(info.credits ?? []), ...(info.sponsors ?? [])].flat()
    .filter((text) => typeof text === "string" && text);
  const link = webAddress(info.link);
  openSheet("info", say("info"),
    (body) => body.append(...[pictureOf(hall.concert?.pictures?.info, "infoPicture")].filter(Boolean),
      make("p", { class: "title", text: hall.title }),
      ...(lines.length || link ? lines.map((text) => make("p", { text })) : [make("p", { text: say("noInfo") })]),
      ...(link ? [make("p", {},
        make("a", { class: "button", href: link.href, target: "_blank", rel: "noopener noreferrer",
          text: say("visit") }))] : [])));
}
