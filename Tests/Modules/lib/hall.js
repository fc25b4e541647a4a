// A server for the tests of what people edit: it takes what the pages send, or refuses it as it is told, and notes it.
import { newID } from "/shared/ids.js";

const isChange = ({ method = "GET" }) => method !== "GET" && method !== "HEAD";
const answered = (status, value) => new Response(JSON.stringify(value), { status });

export const people = { ines: { id: "11111111-1111-4111-8111-111111111111", name: "Ines" },
  anna: { id: "22222222-2222-4222-8222-222222222222", name: "Anna" } };
export const room = "33333333-3333-4333-8333-333333333333";
export const score = "44444444-4444-4444-8444-444444444444";

class Hall {
  /** Forgets everything; Ines is signed in, and nothing is in the way. */
  begin() {
    for (const stream of this.streams ?? []) stream.error(new TypeError("cut"));
    Object.assign(this, { me: people.ines, trouble: null, taken: [], streams: [], revision: 1, isCut: false });
  }

  /** The network is gone, with the streams. */
  cut() {
    this.isCut = true;
    for (const stream of this.streams.splice(0)) stream.error(new TypeError("cut"));
  }

  /** Whatever was in the way is over, except for `trouble`, and the device hears of it. */
  mend(trouble = null) {
    [this.isCut, this.trouble] = [false, trouble];
    dispatchEvent(new Event("online"));
  }

  /** What is sent is noted as [who was signed in, the text]. */
  #take(text) {
    this.revision += 1;
    this.taken.push([this.me.name, text]);
    return this.revision;
  }

  fetch(address, how = {}) {
    const path = String(address).replace("http://hall.example", "");
    if (this.isCut) return Promise.reject(new TypeError("cut"));
    // As real requests do, this one lets others go first.
    return new Promise((done) => setTimeout(() => done(this.#answer(path, how))));
  }

  #answer(path, how) {
    if (this.isCut) return Response.error();
    if (!this.me) return answered(401, { error: "Sign in.", code: "sign-in" });
    const by = decodeURIComponent(how.headers?.["X-Baton-By"] ?? "");
    const named = new URL(path, "http://hall.example").searchParams.get("user");
    if ((by && ![this.me.id, this.me.name].includes(by)) || (named && named !== this.me.id)) {
      return answered(403, { error: `${this.me.name} is signed in now.`, code: "other-person" });
    }
    if (path.includes("/stream")) return this.#stream(path);
    const body = how.body ? JSON.parse(how.body) : null;
    const trouble = isChange(how) && this.trouble?.(how.body ?? "", path);
    return trouble || answered(200, this.#result(path, how, body));
  }

  #stream(path) {
    const snapshot = { v: 1, seen: `${this.revision}.0`, snapshot: {
      room: { id: room, score, name: "Room", owner: people.ines.id, isPublished: true },
      members: [], participations: [], layers: [], remarks: [], ownLayers: [], ownRemarks: [], session: null } };
    return new Response(new ReadableStream({ start: (stream) => {
      this.streams.push(stream);
      if (path.includes("/rooms/")) stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(snapshot)}\n\n`));
    } }));
  }

  #result(path, how, body) {
    const { revision, me } = this;
    switch (`${how.method ?? "GET"} ${path.split("?")[0].replace(/(own-|event-|tabs\/)[^/]+/, "$1N")}`) {
      case "GET /api/edit/concerts/7": return { revision, served: false, nodes: [
        { id: "concert", kind: "concert", parent: null, fields: { title: "Before" }, revisions: { title: 1 } }] };
      case "POST /api/edit/concerts/7/edits": return { revision: this.#take(body.changes[0].to) };
      case "GET /api/titles": return [{ folder: "ode", piece: 0, name: "Ode", revision: `${revision}` }];
      case "GET /api/titles/@ode": return { revision: `${revision}`, languages: ["en"], titles: [titleOf("Before")] };
      case "POST /api/titles/@ode/edits": return { inserted: body.insert.map(() => ({ played: null, measure: null })),
        revision: `${this.#take(body.insert[0].texts.en)}` };
      case "GET /api/prepare/pieces/p1": return { id: "p1", name: "Before", revision, beatsPerBar: 4, main: null,
        recordings: [], end: null, marks: [], bars: [] };
      case "POST /api/prepare/pieces/p1/edits": return { revision: this.#take(body.edits[0].name.name), skipped: [] };
      case "GET /api/diary/mine": return { account: me.id, concerts: [], gone: [] };
      case "PUT /api/diary/mine/own-N": return { revision: this.#take(body.concert.title) };
      case "PUT /api/diary/events/event-N": return { revision: this.#take(body.description) };
      case "GET /api/practice/tabs": return { account: me.id, person: me.name, removed: [], tabs: [] };
      case "PUT /api/practice/tabs/N": return { id: path.split(/[/?]/)[4], isCopy: false,
        version: this.#take(body.title) };
      case `GET /api/scores/${score}/remarks`: return { revision, remarks: [], revisions: [], erased: [], hidden: [],
        bookmarks: [], isAll: true, check: [0, 0], layers: [] };
      case `POST /api/scores/${score}/remarks`: return body.map(({ id, edit }) =>
        ({ receipt: id, revision: this.#take(edit.shape.text) }));
      case `POST /api/rooms/${room}/send`: return body.map(({ id, rename }) =>
        ({ v: 1, receipt: id, revision: this.#take(rename) }));
      case "GET /api/stand/home": return { user: me };
      default: return {};
    }
  }
}

export const titleOf = (text) => ({ texts: { en: text }, place: null, played: null, measure: null, lead: 0, fadeIn: 0,
  fadeOut: 0, doubleCut: null, position: null, note: "" });
export const actOf = (act) => ({ id: newID(), ...act });
export const hall = new Hall();
globalThis.fetch = (...asked) => hall.fetch(...asked);
