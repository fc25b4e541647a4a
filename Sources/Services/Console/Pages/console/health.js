// The machine's health: sound in, processing time, packets out, connected clients, whether the sound is recorded.
import { find, make, mark, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { videoTrouble } from "/shared/screenpicture.js";
import { decibels, isNumber, megabytes } from "./format.js";
import { leads } from "./leading.js";

const lowest = -72;
const share = (db) => Math.max(0, Math.min(1, 1 - db / lowest));

const staysAfterRise = 60_000; // ms, as a fault that is over stays in the list

// id, title, text, and whether it is bad. `rose` tells of a count whether it rose lately.
/** @type {[string, string, Function, Function?][]} */
const readings = [
  ["hop", "Hop time", (m) => `${ms(m.hopP99Ms)} · worst ${ms(m.hopWorstMs)}`, (m) => m.hopP99Ms > 10],
  ["overruns", "Overruns", (m) => m.overruns ?? 0, (m, { rose }) => rose("overruns")],
  ["xruns", "Dropouts", (m) => m.xruns ?? 0, (m, { rose }) => rose("xruns")],
  ["latency", "Latency", (m) => ms(m.captureToReportMs), (m) => m.captureToReportMs > 80],
  ["packets", "Packets",
    (m, { isOff }) => isOff ? "Switched off"
      : `${isNumber(m.packetsPerSecond) ? m.packetsPerSecond.toFixed(1) : "–"} /s` +
        (m.packetsFailed ? ` · ${m.packetsFailed} failed` : ""),
    // If nothing is live, there is nothing to send; a backup never sends.
    (m, { isSending, isOff, rose }) => rose("packetsFailed") || m.packetsPerSecond === 0 && isSending && !isOff],
  ["clients", "Clients",
    (m) => `${m.clients?.audience ?? 0} pages · ${m.clients?.console ?? 0} desk · ${m.clients?.osc ?? 0} OSC`],
  ["disk", "Disk", (m) => `${m.diskFreeGb ?? "–"} GB · log ${megabytes(m.logBytes)}`, (m) => m.diskFreeGb < 2],
];
const counted = "Open pages of listeners, consoles, and OSC subscribers. Apps that receive the packets are not "
  + "counted: they send nothing.";
const ms = (value) => (isNumber(value) ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : "–");

/** @param {import("./desk.js").Desk} desk */
export function showHealth(desk) {
  const table = makeReadings(find("readings"));
  showMeters(desk, table);
  showServers(desk, table);
  showRecording(desk, table);
  showScreens(desk, table);
  desk.on("targets", (targets) => {
    const { words, isBad } = targetsReading(targets);
    table.put("targets", words, isBad);
  });
}

/** The OSC and MQTT targets in words: how many fail, answer, or take messages without an answer. */
export function targetsReading(all) {
  // The packets to phones have a reading of their own.
  const targets = all.filter(({ kind }) => kind !== "multicast");
  const count = (isCounted) => targets.filter(isCounted).length;
  const [failing, answering] = [count(({ ok }) => !ok), count(({ ok, answers }) => ok && answers)];
  const silent = targets.length - failing - answering;
  const words = [failing && `${failing} failing`, answering && `${answering} answering`,
    silent && `${silent} unconfirmed`].filter(Boolean);
  return { words: words.join(" · ") || "None set up", isBad: failing > 0 };
}

/**
 * Tells which counts of the meters rose within the last minute, while this page was open: a single dropout does not
 * mark the readings of a whole show. The counts stay.
 */
export class CountRises {
  #newest = new Map(); // name → { count, roseAt }, roseAt in ms

  take(meters, now) {
    for (const name of ["overruns", "xruns", "packetsFailed", "clipped"]) {
      const count = meters[name] ?? 0;
      const before = this.#newest.get(name);
      const roseAt = before && count > before.count ? now : before?.roseAt ?? -Infinity;
      this.#newest.set(name, { count, roseAt });
    }
  }

  isRecent(name, now) {
    return now - (this.#newest.get(name)?.roseAt ?? -Infinity) < staysAfterRise;
  }
}

/** Adds the readings to the list; gives back { cell(id), put(id, words, bad) }. */
function makeReadings(list) {
  const cells = new Map();
  for (const [id, title] of [...readings, ["server", "Server"], ["backup", "Backup"], ["content", "Slides, rooms"],
    ["targets", "Targets"], ["recording", "Recording"], ["screens", "Titles"]]) {
    const value = make("dd");
    cells.set(id, value);
    list.append(make("div", { "data-reading": id, title: id === "clients" ? counted : null },
      make("dt", { text: title }), value));
  }
  return {
    cell: (id) => cells.get(id),
    put(id, words, bad) {
      write(cells.get(id), words);
      mark(cells.get(id).parentElement, "data-bad", Boolean(bad));
    },
  };
}

/** True if packets go to the audience: this server has the show, and something is live. */
const sends = (desk) => leads(desk.get("show"))
  && (desk.get("position")?.audience?.view ?? "ended") !== "ended";

/**
 * The level, the time of day, and the readings of the machine.
 * @param {import("./desk.js").Desk} desk
 */
function showMeters(desk, { put }) {
  const [canvas, text, clock] = ["level", "level-text", "clock"].map(find);
  const level = makeLevel(canvas);
  const rises = new CountRises();
  const rose = (name) => rises.isRecent(name, performance.now());
  let isSending = null;
  function showReadings() {
    const meters = desk.get("meters");
    isSending = sends(desk);
    // A server that was started without packets has no such target.
    const isOff = desk.get("targets")?.every(({ kind }) => kind !== "multicast") ?? false;
    const facts = { isSending, isOff, rose };
    if (meters) for (const [id, , words, bad] of readings) put(id, words(meters, facts), bad?.(meters, facts));
  }
  const isChanged = () => sends(desk) !== isSending && showReadings();
  desk.on("position", isChanged);
  desk.on("show", isChanged);
  desk.on("meters", (meters) => {
    level.take(meters);
    rises.take(meters, performance.now());
    write(clock, meters.clock ?? "--:--:--");
    const gone = meters.inputLost;
    const quiet = meters.silentSeconds >= 5;
    const tablet = desk.get("microphones")?.offers.find(({ isChosen }) => isChosen);
    write(text, gone ? tablet ? "No sound from the tablet" : "No input: device gone"
      : quiet ? `Silent for ${Math.round(meters.silentSeconds)} s`
        : `${tablet ? "Tablet · " : ""}Peak ${decibels(meters.peakDb)} · floor ${decibels(meters.noiseFloorDb)}` +
          (meters.clipped ? ` · clipped ${meters.clipped}` : ""));
    mark(text, "data-bad", Boolean(gone || quiet || rose("clipped")));
    showReadings();
  });
}

/** The picture of the input's level: mean, peak, the peak of the last 1.5 s, and the noise floor. */
function makeLevel(canvas) {
  const context = canvas.getContext("2d");
  let held = lowest;
  let heldAt = 0;
  let latest = null;
  let asked = false;

  function paint() {
    asked = false;
    const scale = devicePixelRatio || 1;
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    if (wide === 0 || !latest) return;
    if (canvas.width !== Math.round(wide * scale)) {
      canvas.width = Math.round(wide * scale);
      canvas.height = Math.round(high * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = "#1a2027";
    context.fillRect(0, 0, wide, high);
    const { peakDb = lowest, rmsDb = lowest, noiseFloorDb } = latest;
    // Brighter towards full; the last 6 dB striped as a warning that needs no colour.
    context.fillStyle = "#2f6e58";
    context.fillRect(0, 0, share(rmsDb) * wide, high);
    context.fillStyle = "#4cc79a";
    context.fillRect(0, high * 0.3, share(Math.min(peakDb, -6)) * wide, high * 0.4);
    if (peakDb > -6) {
      context.fillStyle = "#f0b941";
      context.fillRect(share(-6) * wide, 0, (share(peakDb) - share(-6)) * wide, high);
    }
    context.fillStyle = "#eef1f4";
    context.fillRect(share(held) * wide - 2, 0, 2, high);
    if (isNumber(noiseFloorDb)) {
      context.fillStyle = "#b4bec9";
      context.fillRect(share(noiseFloorDb) * wide, 0, 1.5, high);
    }
    context.fillStyle = "#090b0d";
    for (const db of [-48, -24, -12, -6]) context.fillRect(share(db) * wide, 0, 1, high);
  }

  return {
    take(meters) {
      latest = meters;
      const now = performance.now();
      if (meters.peakDb >= held || now - heldAt > 1500) {
        held = meters.peakDb;
        heldAt = now;
      }
      if (asked) return;
      asked = true;
      requestAnimationFrame(paint);
    },
  };
}

/**
 * The roles of the two servers, and whether the other one has the same content.
 * @param {import("./desk.js").Desk} desk
 */
function showServers(desk, { put }) {
  desk.on("show", (show) => {
    const { role, backup, term } = show.server ?? {};
    put("server", `${role ?? "–"} · term ${term ?? "–"}`, false);
    if (role === "backup") {
      put("backup", !backup?.connected ? "main server silent" : backup.sameShow === false
        ? "main has another show" : "main server heard",
        !backup?.connected || backup.sameShow === false);
    } else if (backup === undefined || backup === null) {
      put("backup", role === "main" ? "gone" : "none", role === "main");
    } else {
      const trouble = !backup.connected ? "gone" : backup.sameShow === false ? "another show" : null;
      put("backup", trouble ?? `follows, ${backup.lagMs ?? "–"} ms behind`, trouble);
    }
  });
  put("content", "here alone", false);
  desk.on("backup", (pair) => {
    if (pair.content) put("content", pair.content.sentence, !pair.content.isCurrent);
  });
}

/** @param {import("./desk.js").Desk} desk */
function showRecording(desk, { cell }) {
  const recordings = make("a", { href: "/recordings", target: "_blank", rel: "noopener" });
  cell("recording").append(recordings);
  desk.on("recording", (now) => {
    const words = now.state === "recording" ? `● ${duration(now.seconds)}`
      : now.state === "waiting" ? "waiting for sound" : now.state;
    write(recordings, now.lostSeconds > 0 ? `${words} · ${now.lostSeconds.toFixed(1)} s lost` : words);
    const reading = cell("recording").parentElement;
    mark(reading, "title", `${now.sentence} Click for the list of recordings.`);
    mark(reading, "data-bad", now.state === "stopped" || now.lostSeconds > 0);
  });
}

/**
 * The screens with titles. Most concerts have neither titles nor screens.
 * @param {import("./desk.js").Desk} desk
 */
function showScreens(desk, { cell }) {
  const titles = make("a", { href: "/titles", target: "_blank", rel: "noopener" });
  cell("screens").append(titles);
  const reading = cell("screens").parentElement;
  reading.hidden = true;
  const show = () => {
    const screens = desk.get("screens") ?? [];
    const { count = 0, needsOperator = false } = desk.get("titles") ?? {};
    reading.hidden = count === 0 && screens.length === 0;
    const missing = screens.filter((screen) => !screen.isHere);
    // Anybody can open a page under any name; only those of the house are named here.
    const named = missing.filter((screen) => !screen.isNew).map((screen) => screen.name);
    if (named.length < missing.length) named.push(`${missing.length - named.length} new`);
    const words = screens.length === 0 ? "no screen" : missing.length > 0
      ? `${named.join(", ")} silent` : `${screens.length} on`;
    const troubled = screens.find((screen) => screen.isHere && videoTrouble[screen.video]);
    write(titles, needsOperator ? `${words} · by hand now`
      : troubled ? `${words} · ${troubled.name}: ${videoTrouble[troubled.video][0]}` : words);
    mark(reading, "title", screens.map((screen) => `${screen.name}: ${screen.width} × ${screen.height}, ${
      screen.shows || "shows nothing"}${videoTrouble[screen.video] ? `. ${videoTrouble[screen.video][1]}` : ""}`)
      .join("\n"));
    mark(reading, "data-bad", missing.length > 0 || needsOperator || Boolean(troubled));
  };
  desk.on("screens", show);
  desk.on("titles", show);
}
