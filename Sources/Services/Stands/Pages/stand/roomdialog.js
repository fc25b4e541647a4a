// The room: who is here with which part and role, its name and passkey, its report.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { intervalName } from "/shared/intervals.js";
import { hearingPart, isHeard } from "./hearing.js";
import { playedWords } from "./played.js";
import { act, closeDialog, dialogShows, notice, openDialog, refreshDialog } from "./words.js";

const title = "Room";
const roles = { owner: "Owner", leader: "Leader", member: "Member" };
const every = 4_000; // ms between two looks at who is at a stand
let isWithoutMargins = false; // as it was ticked last: the dialog is made anew every few seconds
let present = null; // ids of the users with a stand that is connected; null if the server does not say

export function openRoomDialog(reader) {
  if (!reader.content) return notice("The room is not here yet: the server has not answered.");
  present = null;
  openDialog(title, ...contents(reader));
  watchPresence(reader);
}

/** Asks the server who is connected now: a participant of the session may have gone home. */
async function watchPresence(reader) {
  const { room } = reader;
  const isOpen = () => dialogShows(title) && reader.room === room;
  while (isOpen()) {
    const found = await ask(`/api/rooms/${room}/present?user=${reader.user}`, { patience: 3_000 }).catch(() => null);
    if (!isOpen()) return;
    const before = present && [...present].join();
    present = found?.users ? new Set(found.users) : null;
    if ((present && [...present].join()) !== before) refreshRoomDialog(reader);
    await new Promise((done) => setTimeout(done, every));
  }
}

export function refreshRoomDialog(reader) {
  if (!dialogShows(title) || !reader.content) return;
  // A field in use is not replaced; what is told about the room is.
  if (document.activeElement?.matches("#dialog-body input")) {
    document.querySelector("#dialog .room-now").replaceWith(roomNow(reader));
    return;
  }
  const isUnfolded = document.querySelector("#dialog .owning")?.open ?? false;
  refreshDialog(title, ...contents(reader));
  const owning = document.querySelector("#dialog .owning");
  if (owning) owning.open = isUnfolded;
}

function contents(reader) {
  const { content, user } = reader;
  const isOwner = content.role(user) === "owner";
  return [
    roomNow(reader),
    (content.isRunning && content.role(user) !== "member") || isHeard()
      ? hearingPart(`Stand in ${content.room.name}`, () => refreshRoomDialog(reader)) : null,
    isOwner ? owning(reader) : null,
    make("p", { class: "links" },
      make("a", { class: "button", href: `/rehearsal?room=${reader.room}`, target: "_blank", rel: "noopener",
        text: "Report of the sessions" }),
      ...printing(reader)),
    reader.reading ? make("p", { class: "hint", id: "room-print-key",
      text: `The PDF is in the key in which you read: ${intervalName(reader.reading)}.` }) : null,
  ];
}

/** What the room is now: its name, what was played, and its members. No field is in it. */
function roomNow(reader) {
  const { content, user } = reader;
  const isOwner = content.role(user) === "owner";
  const here = (member) => present?.has(member.user) ?? false;
  const members = content.members.elements.filter((member) => member.status === "joined" || isOwner)
    .sort((a, b) => Number(Boolean(here(b))) - Number(Boolean(here(a)))
      || Object.keys(roles).indexOf(a.role) - Object.keys(roles).indexOf(b.role) || a.name.localeCompare(b.name));
  const count = members.filter(here).length;
  const stands = present === null ? "" : `, ${count} at ${count === 1 ? "a stand" : "their stands"} now`;
  const played = content.isRunning && content.scoreOf(content.session) === reader.score?.id
    && playedWords(reader.score, content.session);
  return make("div", { class: "room-now" },
    make("p", { class: "hint",
      text: `${content.room.name} · ${members.length} ${members.length === 1 ? "member" : "members"}${stands}` +
        (content.room.isPublished ? "" : " · not published: only you see it"),
    }),
    played ? make("p", { class: "hint", id: "played", text: `Played: measures ${played}` }) : null,
    make("ul", { class: "members" },
      ...members.map((member) => row(reader, member, content.participation(member.user), here(member), isOwner))));
}

/** The part as PDF; where its pages are cropped, with or without their margins. */
function printing(reader) {
  const { room, part, score, reading } = reader;
  if (!score) return [];
  const address = `/api/rooms/${room}/parts/${part}/pdf?own=1&score=${score.id}`;
  const link = make("a", { class: "button", target: "_blank", rel: "noopener", id: "room-print",
    text: "This part with remarks (PDF)" });
  const box = make("input", { type: "checkbox", id: "room-print-margins", checked: isWithoutMargins });
  // The margins are those of the part as it is written.
  const isOffered = !reading && score.parts[part].pages.some((page) => page.crop);
  const aim = () => {
    isWithoutMargins = box.checked;
    link.href = address + (reading ? `&written=${reading}` : isOffered && box.checked ? "&margins=0" : "");
  };
  box.addEventListener("change", aim);
  aim();
  return isOffered
    ? [link, make("label", { class: "setting tick" }, box, "Without the margins, as on the stand")] : [link];
}

function row(reader, member, participation, isHere, isOwner) {
  const part = participation ? reader.evening.nameOfPart(participation) : "";
  const place = present === null ? "" : isHere ? "at a stand" : participation ? "stand gone" : "";
  const state = member.status === "expelled" ? "put out" : [roles[member.role], part, place].filter(Boolean)
    .join(" · ");
  const actions = [];
  if (isOwner && member.user !== reader.user) {
    const run = (text, what, traits = {}) => act(text, () => reader.act(what), { class: "small", ...traits });
    if (member.status === "expelled") actions.push(run("Let back in", { readmit: member.user }));
    else {
      actions.push(member.role === "leader" ? run("Make member", { role: { user: member.user, role: "member" } })
        : run("Make leader", { role: { user: member.user, role: "leader" } }));
      actions.push(twice("Hand over", "Hand the room over?", () => reader.act({ handOver: member.user })),
        twice("Put out", "Really put out?", () => reader.act({ expel: member.user }), "danger small"));
    }
  }
  return make("li", { "data-user": member.user, class: isHere ? "present" : null },
    make("span", { class: "lines" }, make("span", { class: "title", text: member.name }),
      make("span", { class: "by", text: state })), make("span", { class: "actions" }, ...actions));
}

/** A button that asks once before it acts. */
function twice(text, question, run, kind = "small") {
  let asks = false;
  const button = make("button", { type: "button", class: kind, text });
  button.addEventListener("click", () => {
    if (asks) return run();
    asks = true;
    button.textContent = question;
    setTimeout(() => {
      asks = false;
      button.textContent = text;
    }, 4_000);
  });
  return button;
}

function owning(reader) {
  const { room } = reader.content;
  const name = make("input", { maxlength: 200, value: room.name });
  const key = make("input", { maxlength: 128, autocomplete: "off", placeholder: "Empty: nobody needs one" });
  return make("details", { class: "owning" }, make("summary", { text: "Name, passkey, publishing" }),
    make("label", { text: "Name" }, name),
    act("Rename", () => reader.act({ rename: name.value.trim() }), { class: "small" }),
    make("label", { text: "New passkey" }, key), act("Set passkey", async () => {
      await reader.device.vouch();
      await ask(`/api/rooms/${reader.room}/passkey`,
        { method: "PUT", json: { passkey: key.value === "" ? null : key.value }, patience: 12_000 });
      notice(key.value === "" ? "Nobody needs a passkey now." : "The new passkey holds from now on.");
    }, { class: "small" }),
    act(room.isPublished ? "Unpublish the room" : "Publish the room",
      () => reader.act({ publish: !room.isPublished }), { class: "small" }),
    twice("Delete the room", "Really delete the room?", async () => {
      try {
        await reader.device.vouch();
        await ask(`/api/rooms/${reader.room}`, { method: "DELETE" });
        closeDialog();
        reader.leave();
      } catch (refusal) {
        notice(refusal.message);
      }
    }, "danger small"));
}
