// A poster to hang up in the hall: the audience page's address, large enough to be read by a phone from some metres.
import { find, make, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { namesHost, onlyHere } from "/shared/secure.js";

const place = "baton.poster";
const warnedDays = 14; // days before the end of the certificate
const words = {
  en: {
    headline: "Read along with the music on your phone",
    steps: ["Point your camera at the code.", "Turn off the sound and leave the page open.",
      "It follows the music by itself."],
    wifi: (name) => `Join the Wi-Fi “${name}”.`,
  },
  de: {
    headline: "Lesen Sie zur Musik mit – auf Ihrem Telefon",
    steps: ["Richten Sie die Kamera auf den Code.", "Schalten Sie den Ton aus und lassen Sie die Seite geöffnet.",
      "Die Seite folgt der Musik von selbst."],
    wifi: (name) => `Verbinden Sie sich mit dem WLAN „${name}“.`,
  },
  es: {
    headline: "Siga la música leyendo en su teléfono",
    steps: ["Apunte la cámara al código.", "Apague el sonido y deje la página abierta.",
      "La página sigue la música por sí sola."],
    wifi: (name) => `Conéctese a la red wifi «${name}».`,
  },
  fr: {
    headline: "Suivez la musique en lisant sur votre téléphone",
    steps: ["Pointez l’appareil photo vers le code.", "Coupez le son et laissez la page ouverte.",
      "La page suit la musique d’elle-même."],
    wifi: (name) => `Connectez-vous au Wi-Fi « ${name} ».`,
  },
  it: {
    headline: "Segua la musica leggendo sul suo telefono",
    steps: ["Punti la fotocamera sul codice.", "Tolga il suono e lasci aperta la pagina.",
      "La pagina segue la musica da sola."],
    wifi: (name) => `Si colleghi alla rete Wi-Fi «${name}».`,
  },
};

const form = find("wishes");
const wishes = { address: `${location.origin}/`, headline: "", words: "", wifi: "",
  language: (navigator.language ?? "en").split("-")[0], paper: "a4" };
let concert = null;
let evening = null; // what the hall says of it: `evening`, as it is called on the console, and `date`
let certificate = null; // what the server says about its certificate; null until it has answered

/** Restores the choices made before in this browser; the address is always the one at which this page was opened. */
function recall() {
  for (const [name, value] of Object.entries(readKept(place) ?? {})) {
    if (name !== "address" && name in wishes && typeof value === "string") wishes[name] = value;
  }
  if (!(wishes.language in words)) wishes.language = "en";
  if (!["a4", "a3"].includes(wishes.paper)) wishes.paper = "a4";
}

function show() {
  const { language, paper, wifi } = wishes;
  const said = words[language];
  find("poster").lang = language;
  mark(find("poster"), "data-paper", paper);
  mark(find("paper-size"), "href", `/poster/${paper}.css`);
  mark(form.elements.headline, "placeholder", said.headline);
  write(find("date"), dateWords(evening?.date ?? concert?.date, language));
  write(find("title"), evening?.evening ?? concert?.title ?? "");
  write(find("headline"), wishes.headline.trim() || said.headline);
  write(find("words"), wishes.words.trim());
  find("steps").replaceChildren(...[...(wifi.trim() ? [said.wifi(wifi.trim())] : []), ...said.steps]
    .map((text) => make("li", { text })));
  showCode();
}

function showCode() {
  const address = webAddress(wishes.address);
  write(find("address"), address ? address.href.replace(/^https?:\/\//, "").replace(/\/$/, "") : "");
  const advice = address === null ? "Write the address that phones reach, such as https://hall.example/."
    : onlyHere.test(address.hostname) ? "Only this machine reaches this address. Write the one that phones reach."
      : secureAdvice(address);
  find("code").hidden = address === null;
  if (address) mark(find("code"), "src", `/api/qr.svg?text=${encodeURIComponent(address.href)}`);
  // What an http address costs is no mistake.
  advise(advice, address?.protocol === "http:" && !onlyHere.test(address.hostname));
}

/** What phones lack at this address, or why they refuse it; "" if nothing is wrong. */
function secureAdvice(address) {
  const isHere = address.hostname === location.hostname || certificate && namesHost(certificate, address.hostname);
  if (!certificate || certificate.kind === "proxy") return "";
  const { kind, daysLeft } = certificate;
  if (address.protocol === "http:") {
    if (kind === "given") return "This server answers over https only; phones are led there.";
    return "At an http address, phones’ screens may lock by themselves, and nothing is kept for a phone that loses "
      + "the network. A certificate that phones trust by themselves mends that: docs/install.md, “TLS in a hall”.";
  }
  if (!isHere) return kind === "given" ? `The certificate does not name ${address.hostname}; phones will warn.` : "";
  if (kind === "none") return "This server does not answer over https; write http://, or make a certificate on /start.";
  if (!namesHost(certificate, address.hostname)) {
    return `The certificate does not name ${address.hostname}; phones will warn.`;
  }
  if (daysLeft < warnedDays) {
    return daysLeft < 0 ? "The certificate has ended; phones will warn." : `The certificate ends in ${daysLeft} days.`;
  }
  return kind === "own" ? "Phones on which this server’s certificate is not installed will warn at this address. For "
    + "the audience, print the http address." : "";
}

function advise(advice, isCalm = false) {
  write(find("advice"), advice);
  mark(find("advice"), "data-warn", advice !== "" && !isCalm);
}

function webAddress(text) {
  try {
    const address = new URL(text.trim());
    return ["http:", "https:"].includes(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

function dateWords(date, language) {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? "");
  if (!match) return "";
  /** @type {Intl.DateTimeFormatOptions} */
  const format = { year: "numeric", month: "long", day: "numeric", weekday: "long" };
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, format)
    .format(new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
}

find("code").addEventListener("error", () => {
  find("code").hidden = true;
  find("code").removeAttribute("src");
  advise("The server drew no code. Use an address of at most 213 bytes, and check that the server is reached.");
});
recall();
for (const [name, value] of Object.entries(wishes)) form.elements[name].value = value;
form.addEventListener("input", () => {
  for (const name of Object.keys(wishes)) wishes[name] = form.elements[name].value;
  keep(place, wishes);
  show();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  print();
});
show();
fetch("/api/secure").then((answer) => (answer.ok ? answer.json() : null)).then((answer) => {
  certificate = answer;
  show();
}).catch(() => {});
fetch("/api/audience/concert").then((answer) => (answer.ok ? answer.json() : null)).then((answer) => {
  concert = answer;
  show();
}).catch(() => {});
const stream = new EventSource("/api/audience/events");
stream.addEventListener("snapshot", ({ data }) => {
  stream.close();
  evening = JSON.parse(data).live;
  show();
});
stream.addEventListener("error", () => stream.close());
