// Dates, counts and sources as people read them. All of it is pure.
import { wallClock } from "/shared/wallclock.js";

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December"];

/** "2026-11-23" as "23 November 2026"; a year or a month alone stay what they are. */
export function dayText(date) {
  const [year, month, day] = (date ?? "").split("-").map(Number);
  if (!year) return "No date";
  if (!month) return String(year);
  return day ? `${day} ${months[month - 1]} ${year}` : `${months[month - 1]} ${year}`;
}

/** The heading under which a date stands in the timeline. */
export function monthText(date) {
  const [year, month] = (date ?? "").split("-").map(Number);
  if (!year) return "Without a date";
  return month ? `${months[month - 1]} ${year}` : String(year);
}

/** This day in the machine's own time, as "2026-11-23". */
export function today(now = new Date(wallClock())) {
  const pair = (value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${pair(now.getMonth() + 1)}-${pair(now.getDate())}`;
}

export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The place of a concert: "Carnegie Hall, New York". */
export const placeText = ({ venue, city }) => [venue, city].filter(Boolean).join(", ");

/** The labels of an entry's fields. */
export const labels = { title: "Concert", date: "Date", start: "Beginning", end: "End", venue: "Hall", city: "Town",
  country: "Country", ensemble: "Ensemble", works: "Works", comment: "Comment", rating: "Stars", stage: "Stage",
  isSupportAct: "Support act", isPrivate: "Private", recordings: "Recordings" };

export const longestComment = 10_000; // characters

/** A sentence about a comment that cannot be kept; null if it can. */
export const commentTrouble = (text) => (text.length <= longestComment ? null
  : `The comment has ${text.length.toLocaleString("en")} characters; ${longestComment.toLocaleString("en")} are `
    + "possible. Shorten it.");

const longestName = 300; // bytes, as the server counts; a letter with an accent has two

/** A sentence about a name that cannot be kept; null if it can. `what` is the field's label. */
export const nameTrouble = (what, name) => (new TextEncoder().encode(name).length <= longestName ? null
  : `${what}: “${name.slice(0, 30)} …” is too long. A name has ${longestName} letters at most, and each accent counts `
    + "as one more. Shorten it.");

/** Text as it is compared: without case and accents. */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** True if a concert has all words of a text in what is known of it. */
export function isAbout(concert, words) {
  const text = folded([concert.title, concert.date, concert.ensemble, concert.venue, concert.city, concert.event,
    concert.comment, ...(concert.conductors ?? []), ...(concert.works ?? []).map(workText)].filter(Boolean).join(" "));
  return folded(words).split(/\s+/).filter(Boolean).every((word) => text.includes(word));
}

/** The origins of a fact, each as a word with its meaning. */
export const sources = {
  heard: "heard: written by Baton while it listened",
  typed: "typed by a person",
  imported: "imported from another archive",
};

export const stars = (value) => (value ? `${"★".repeat(value)}${"☆".repeat(5 - value)}` : "");

/** "20:15" of an ISO date with time; empty if there is no time. */
export const clockText = (moment) => /T(\d\d:\d\d)/.exec(moment ?? "")?.[1] ?? "";

/** "Bernstein, Leonard" as people say it: "Leonard Bernstein". */
export const personText = (name) => name.replace(/^([^,]+), ([^,]+)$/, "$2 $1");

/** A work's name with its composer. */
export const workText = ({ composer, title }) => [composer, title].filter(Boolean).join(", ");
