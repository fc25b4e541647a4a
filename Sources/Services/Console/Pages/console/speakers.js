// The speakers: the holder of the floor, the requests for it, and the moderator's orders.
import { ask } from "/shared/api.js";
import { withShownNames } from "/shared/shownnames.js";
import { make, mark, write } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";

/** True if there is anything to moderate; most evenings have no speakers. */
export const hasSpeakers = (floor) => Boolean(floor)
  && (Boolean(floor.code) || floor.presenters.length > 0 || floor.screen.kind !== "nothing"
    || floor.screen.blank !== "none");

const shortLoan = 60; // seconds

/** The words about a blank. The moderator's one covers all; one of a speaker, or of a stop, leaves the titles. */
function aboutBlank({ blank, blankedByModerator, kind }) {
  if (blank === "none") return "";
  if (blankedByModerator) return ` The screen is ${blank}.`;
  return kind === "nothing" && blank === "black" ? " Nothing of the speakers is shown; titles go on."
    : ` The speaker has made the screen ${blank}; titles go on.`;
}

/** What stands on the screens, and whose it is. */
function onTheScreen({ kind, page, video }, name) {
  const whose = name ? ` of ${name}` : "";
  if (kind === "page") return ` On the screen: slide ${page}${whose}.`;
  if (kind !== "video") return "";
  return ` On the screen: the video ${video.name}${whose}, ${video.isPlaying ? "playing" : "paused"}.`;
}

export function buildSpeakers({ desk }) {
  const now = make("p", { class: "piece-title" });
  const picture = make("img", { class: "slide-picture", alt: "", hidden: true,
    onerror: () => { picture.hidden = true; } });
  const say = make("p", { class: "say", role: "alert" });
  const asking = make("ul", { class: "speaker-list", "aria-label": "Requests, in order" });
  const others = make("ul", { class: "speaker-list", "aria-label": "Other speakers" });
  const askingPart = make("section", { class: "stack" }, make("h3", { text: "Requests" }), asking);
  const othersPart = make("section", { class: "stack" }, make("h3", { text: "Others" }), others);
  const quiet = make("button", { type: "button" }, "Do not disturb");
  const button = (words, action, more = {}) => make("button", { type: "button", onclick: () => order(action, more) },
    words);
  const withdraw = button("Take the floor away", "withdraw");
  const endLoan = button("End the loan", "end-loan");
  const black = make("button", { type: "button" }, "Black");
  const stop = make("button", { type: "button", class: "danger", onclick: () => order("stop") }, "Stop everything");
  const play = make("button", { type: "button" });
  const film = make("div", { class: "row", role: "group", "aria-label": "The video on the screen" },
    button("10 s back", "move-video", { by: -10 }), play, button("10 s on", "move-video", { by: 10 }));
  const code = make("p", { class: "address" });
  const qr = make("img", { class: "qr", alt: "QR code of the speakers’ page", hidden: true,
    onload: () => { qr.hidden = false; }, onerror: () => { qr.hidden = true; } });
  const joining = make("section", { class: "stack" }, make("h3", { text: "Joining" }),
    make("div", { class: "share" }, qr, make("div", {},
      make("p", { class: "address", text: `${location.origin}/present` }), code,
      make("p", { class: "hint" }, "Speakers open this address and join with the code, or with their account."))),
    make("div", { class: "row" }, make("a", { class: "button", href: "/api/floor/event.pdf", download: "",
      text: "PDF of what was shown" })));
  const element = make("div", { class: "stack" },
    make("section", { class: "stack" }, make("h3", { text: "On the screen" }), now, picture, film,
      make("div", { class: "row" }, endLoan, withdraw), make("div", { class: "row" }, quiet, black, stop), say),
    askingPart, othersPart, joining,
    make("p", { class: "hint" }, "The screen itself is ",
      make("a", { href: "/screen", target: "_blank", rel: "noopener", text: "/screen" }), "."));

  async function order(action, more = {}) {
    write(say, "");
    try {
      await ask("/api/floor", { method: "POST", json: { action, ...more } });
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      else write(say, refusal.message);
    }
  }

  function row(presenter, isAsking, held) {
    const { id, name, connected, pages } = presenter;
    const slides = pages === 1 ? "one slide" : `${pages || "no"} slides`;
    const facts = [connected ? null : "not connected", slides].filter(Boolean);
    const act = (words, action, more) => make("button", { type: "button", disabled: !connected && action !== "remove",
      "aria-label": `${words}: ${name}`, onclick: () => order(action, { presenter: id, ...more }) }, words);
    return make("li", { class: "speaker" },
      make("div", {}, make("p", { class: "piece-title", text: name }), make("p", { class: "hint",
        text: facts.join(" · ") })),
      make("div", { class: "row" }, act("Give the floor", "grant"),
        // What nobody has cannot be lent.
        held ? act("For a minute", "lend", { seconds: shortLoan }) : null,
        isAsking ? act("Decline", "decline") : act("Remove", "remove")));
  }

  desk.on("floor", ({ holder, lender, doNotDisturb, requests, presenters: all, screen, code: word }) => {
    const presenters = withShownNames(all);
    write(code, word ? `Code: ${word}` : "No code: only people with an account join.");
    const address = `${location.origin}/present${word ? `#code=${word}` : ""}`;
    mark(qr, "src", `/api/qr.svg?text=${encodeURIComponent(address)}`);
    const named = (id) => presenters.find((presenter) => presenter.id === id);
    const holds = holder === 0 ? "The moderator" : named(holder)?.name;
    const isQuiet = named(holder)?.doNotDisturb ? ` ${holds} does not want to hear of requests now.` : "";
    write(now, `${holds ? `${holds} has the floor` : "Nobody has the floor"}${
      lender === null ? "" : `, lent by ${named(lender)?.name ?? "the moderator"}`}.${
      onTheScreen(screen, named(screen.presenter)?.name)}${aboutBlank(screen)}${isQuiet}`);
    picture.hidden = !screen.image;
    mark(picture, "data-cover", screen.blank);
    if (screen.image && picture.getAttribute("src") !== screen.image) picture.src = screen.image;
    film.hidden = screen.kind !== "video";
    write(play, screen.video?.isPlaying ? "Pause" : "Play");
    play.onclick = () => order("play-video", { on: !screen.video?.isPlaying });
    withdraw.hidden = holder === null;
    endLoan.hidden = lender === null;
    mark(quiet, "aria-pressed", String(doNotDisturb));
    quiet.onclick = () => order("do-not-disturb", { on: !doNotDisturb });
    mark(black, "aria-pressed", String(screen.blankedByModerator));
    black.onclick = () => order("blank", { colour: screen.blankedByModerator ? "none" : "black" });
    const wanted = requests.map(named).filter(Boolean);
    const rest = presenters.filter(({ id }) => id !== holder && id !== 0 && !requests.includes(id));
    asking.replaceChildren(...wanted.map((presenter) => row(presenter, true, holder !== null)));
    others.replaceChildren(...rest.map((presenter) => row(presenter, false, holder !== null)));
    askingPart.hidden = wanted.length === 0;
    othersPart.hidden = rest.length === 0;
  });
  return { element };
}
