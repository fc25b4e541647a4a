// The first steps: an administrator, a sound device with its level, a piece to follow, and secure pages.
import { ask } from "/shared/api.js";
import { find, make, mark, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { EventStream } from "/shared/stream.js";
import { heardFrom, meterShare } from "/shared/level.js";
import { askInTurn } from "/shared/signin.js";
import { namesHost, onlyHere, readablePrint, secureOrigin, trusts } from "/shared/secure.js";

const tried = 8; // the number of pieces with which Baton is tried out at most

let heard = { source: null, channel: null, isFixed: true }; // the device and its input, as the server last said

const done = { account: false, sound: false, piece: false, secure: false };
let isListening = false;

function say(step, sentence, isBad = false) {
  const line = find(`${step}-say`);
  line.textContent = sentence;
  mark(line, "data-bad", isBad || null);
}

function setDone(step, isDone) {
  done[step] = isDone;
  find(`${step}-done`).hidden = !isDone;
  write(find("ready"), done.account && done.sound && done.piece
    ? "All is ready. Play a recording of one of the pieces near the microphone, and watch the console." : "");
}

// 1. Who may sign in

async function showAccount() {
  let person = null;
  try {
    person = await ask("/api/me");
  } catch {
    person = null;
  }
  if (person) {
    find("account-form").hidden = true;
    find("account-in").hidden = true;
    say("account", person.signIn === false ? "This server needs no sign-in." : `Signed in as ${person.name}.`);
    setDone("account", true);
    if (["technician", "administrator"].includes(person.role)) return goOn();
    return say("account", "A technician or an administrator goes on from here.", true);
  }
  try {
    const { isNeeded } = await ask("/api/first-account");
    find("account-form").hidden = !isNeeded;
    find("account-in").hidden = isNeeded;
    say("account", isNeeded ? "" : "There is an account already.");
  } catch (refusal) {
    say("account", refusal.message, true);
  }
}

find("show").addEventListener("change", (event) => {
  find("password").type = event.target.checked ? "text" : "password";
});

find("account-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password] = [find("name").value.trim(), find("password").value];
  if (name === "" || password === "") return say("account", "Write both name and passphrase.", true);
  find("make").disabled = true;
  say("account", "");
  try {
    await ask("/api/first-account",
      { method: "POST", json: { name, password, code: find("code").value }, patience: 15_000 });
    await askInTurn("/api/login", { name, password }, (sentence) => say("account", sentence));
    await showAccount();
    find("sound-title").scrollIntoView({ block: "nearest" });
  } catch (refusal) {
    say("account", refusal.message, true);
  } finally {
    find("make").disabled = false;
  }
});

async function goOn() {
  for (const step of ["sound", "piece", "secure"]) {
    find(`${step}-part`).hidden = false;
    say(step, "");
  }
  if (!isListening) listen();
  await Promise.all([showSound(), showPieces(), showSecure()]);
}

// 2. Sound

function listen() {
  isListening = true;
  const events = new EventStream(() => "/api/events", {
    heard(name, value) {
      const meters = name === "snapshot" ? value.meters : name === "meters" ? value : null;
      if (meters) showLevel(meters);
    },
  }, { greeting: "snapshot", silentAfter: 6_000, retryAfter: () => 1_000 });
  events.start();
}

function showLevel(meters) {
  const peak = meters.inputLost ? null : meters.peakDb;
  find("meter-bar").style.transform = `scaleX(${meterShare(peak)})`;
  mark(find("meter"), "aria-valuenow", String(Math.round(Math.max(-60, peak ?? -60))));
  write(find("level"), meters.inputLost ? "No sound arrives." : heardFrom(meters));
  if (!meters.inputLost && meterShare(peak) > 0.25) setDone("sound", true);
  if (meters.inputLost) setDone("sound", false);
  showInputs(meters.inputLost ? [] : meters.channelPeaksDb ?? []);
}

/** A meter for each input of a device that has several; a tap chooses the input. */
function showInputs(peaks) {
  const list = find("inputs");
  list.hidden = peaks.length < 2;
  if (list.hidden) return;
  const buttons = list.querySelectorAll("button");
  if (buttons.length !== peaks.length + 1) {
    const input = (channel, name, ...more) => make("button", { type: "button", class: "input",
      onclick: () => choose(heard.source, channel) }, make("span", { text: name }), ...more);
    list.replaceChildren(list.querySelector("legend"), input(null, "All inputs together"),
      ...peaks.map((_, index) => input(index + 1, `Input ${index + 1}`,
        make("span", { class: "meter" }, make("span", { class: "bar" })), make("span", { class: "hint" }))));
    return showInputs(peaks);
  }
  for (const [index, button] of buttons.entries()) {
    mark(button, "aria-pressed", String((heard.channel ?? 0) === index));
    button.disabled = heard.isFixed;
    if (index === 0) continue;
    const peak = peaks[index - 1];
    button.querySelector(".bar").style.transform = `scaleX(${meterShare(peak)})`;
    write(button.querySelector(".hint"),
      meterShare(peak) === 0 ? "silent" : `${Math.round(peak)} dB`.replace("-", "−"));
  }
}

async function showSound() {
  let sound;
  try {
    sound = await ask("/api/sound", { patience: 20_000 });
  } catch (refusal) {
    return say("sound", refusal.message, true);
  }
  heard = { source: sound.source, channel: sound.channel, isFixed: sound.fixedBecause !== null };
  say("sound", sound.problem ?? sound.fixedBecause ?? "", sound.problem !== null);
  const list = find("devices");
  list.hidden = sound.fixedBecause !== null;
  find("look").hidden = list.hidden;
  list.replaceChildren(list.querySelector("legend"), ...sound.devices.map((device) => make("label",
    { class: "device" },
    make("input", { type: "radio", name: "device", value: device.name, checked: device.name === sound.source,
      onchange: () => choose(device.name) }),
    make("span", { text: device.name }),
    make("span", { class: "hint", text: device.problem && device.name !== sound.source
      ? device.problem : device.description }))));
  if (!list.hidden && sound.devices.length === 0) {
    say("sound", "No sound device was found. Plug in a microphone or a sound card, and look again.", true);
  }
}

async function choose(device, channel = null) {
  say("sound", `Changing to ${device}${channel === null ? "" : `, input ${channel}`} …`);
  setDone("sound", false);
  try {
    await ask("/api/sound", { method: "PUT", json: { device, channel }, patience: 20_000 });
    await showSound();
  } catch (refusal) {
    await showSound();
    say("sound", refusal.message, true);
  }
}

find("look").addEventListener("click", showSound);

// 3. A piece

async function showPieces() {
  let programme;
  try {
    programme = await ask("/api/programme", { patience: 15_000 });
  } catch (refusal) {
    return say("piece", refusal.message, true);
  }
  const { pieces, prepared } = programme;
  find("pieces").replaceChildren(...(pieces.length ? pieces : prepared).map((piece) => make("li",
    { text: `${piece.name} (${duration(piece.durationSeconds)})` })));
  setDone("piece", pieces.length > 0);
  find("try").hidden = pieces.length > 0 || prepared.length === 0;
  find("try").onclick = () => tryOut(programme);
  if (pieces.length > 0) say("piece", "Tonight’s programme:");
  else if (prepared.length > 0) say("piece", "These pieces are prepared:");
  else say("piece", "No piece is prepared yet.");
  write(find("try-hint"), pieces.length > 0 ? "The console changes the programme: panel “Programme”."
    : prepared.length > 0 ? "They are tried in a rehearsal: in any order, without cues, and the audience sees nothing. "
      + "The console changes the programme and ends the rehearsal." : "");
}

async function tryOut({ prepared, revision }) {
  find("try").disabled = true;
  say("piece", "The pieces are being loaded …");
  try {
    await ask("/api/programme", { method: "PUT", patience: 60_000,
      json: { kind: "try-out", title: "First try", revision, intermissions: [],
        pieces: prepared.slice(0, tried).map((piece) => piece.folder) } });
    // In a rehearsal any of them is found in any order, no cue fires, and nothing reaches the audience.
    await ask("/api/command", { method: "POST", json: { command: "rehearsal", arguments: ["on"], device: "start" } });
    await showPieces();
  } catch (refusal) {
    say("piece", refusal.message, true);
  } finally {
    find("try").disabled = false;
  }
}

// 4. Secure pages

let certificate = null; // what the server says about its certificate

async function showSecure() {
  try {
    certificate = await ask("/api/secure");
  } catch (refusal) {
    return say("secure", refusal.message, true);
  }
  const { kind, problem, leftOut } = certificate;
  const sentences = {
    proxy: "A proxy in front of this server encrypts the pages.",
    given: "The certificate is named in the settings; nothing has to be installed on devices.",
    own: leftOut.length > 0 ? `The authority may not name ${leftOut.join(", ")}. Make a new one, or do without.` : "",
    none: certificate.isLoopback
      ? "Only this machine reaches the server now. For phones, set http: in the settings (docs/install.md)." : "",
  };
  say("secure", problem ?? sentences[kind], Boolean(problem) || leftOut.length > 0);
  find("secure-hint").hidden = kind !== "none";
  const change = find("change");
  change.hidden = !certificate.canMake;
  // Until there is a certificate the button to make it is all that this step has.
  change.open = kind === "none";
  find("change-title").hidden = kind === "none";
  find("new-label").hidden = kind !== "own";
  write(find("make-certificate"), kind === "own" ? "Make it anew" : "Make the certificate");
  find("codes").hidden = kind !== "own" && kind !== "given";
  if (find("codes").hidden) return;
  const hosts = certificate.names.filter((name) => !name.startsWith("*") && !onlyHere.test(name));
  const select = find("host");
  find("host-label").hidden = hosts.length < 2;
  const chosen = select.value || (namesHost(certificate, location.hostname) && !onlyHere.test(location.hostname)
    ? location.hostname : hosts.find((name) => /^[\d.]+$/.test(name)) ?? hosts[0]);
  select.replaceChildren(...hosts.map((name) => make("option", { value: name, text: name })));
  select.value = chosen;
  const end = new Date(certificate.ends).toLocaleDateString("en-GB", { dateStyle: "long" });
  write(find("certificate"), `Valid until ${end}${kind === "own" ? "; renewed by itself" : ""}.`);
  const print = readablePrint(certificate);
  write(find("print"), print === "" ? "" : `Fingerprint of the authority: ${print}`);
  setDone("secure", certificate.daysLeft >= 0);
  showCodes();
}

function showCodes() {
  const host = find("host").value || location.hostname;
  const here = { hostname: host, port: location.port };
  const addresses = { install: `http://${host}${location.port ? `:${location.port}` : ""}/secure`,
    secure: `${secureOrigin(certificate, here)}/` };
  for (const [name, address] of Object.entries(addresses)) {
    mark(find(`${name}-code`), "src", `/api/qr.svg?text=${encodeURIComponent(address)}`);
    mark(find(`${name}-link`), "href", address);
    write(find(`${name}-link`), address.replace(/\/$/, ""));
  }
  find("install-code").closest("figure").hidden = certificate.kind !== "own";
  sayTrust();
}

async function sayTrust() {
  const origin = secureOrigin(certificate);
  const isTrusted = origin !== null && await trusts(origin);
  mark(find("trusted"), "data-trusted", String(isTrusted));
  write(find("trusted"), isTrusted ? "This device trusts the server." : "This device does not trust the server yet.");
}

find("host").addEventListener("change", showCodes);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && certificate && !find("codes").hidden) sayTrust();
});

find("secure-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  find("make-certificate").disabled = true;
  say("secure", "The certificate is being made …");
  const names = find("names").value.trim();
  try {
    await ask("/api/secure", { method: "POST", patience: 30_000, json: { newAuthority: find("new-authority").checked,
      ...(names === "" ? {} : { names: names.split(/[\s,;]+/) }) } });
    find("new-authority").checked = false;
    await showSecure();
  } catch (refusal) {
    say("secure", refusal.message, true);
  } finally {
    find("make-certificate").disabled = false;
  }
});

showAccount();
