// Every kind of document that is kept on the device until the server has it: how its page's modules open it.
import "./indexeddb.js";
import { newID } from "/shared/ids.js";
import { actOf, people, room, score, titleOf } from "./hall.js";

// The little that the stand's modules make of the page while they load.
const element = () => Object.assign(new EventTarget(), { append() {}, setAttribute() {}, getAttribute: () => null,
  removeAttribute() {}, classList: { add() {}, toggle() {} }, getContext: () => ({}) });
globalThis.navigator ??= /** @type {any} */ ({});
Object.assign(document, { createElement: element, body: element(), getElementById: element });

const { Book } = await import("/edit/book.js");
const { TitleBook } = await import("/edit/titlebook.js");
const { Piece } = await import("/prepare/piece.js");
const { keepOwn, ownConcert, remember } = await import("/diary/own.js");
const { DiaryOutbox, post } = await import("/diary/outbox.js");
const { Store } = await import("/practice/store.js");
const { Sync } = await import("/practice/sync.js");
const { Device } = await import("/stand/device.js");
const { RoomWire } = await import("/stand/roomwire.js");
const { ScoreWire } = await import("/stand/remarks/scorewire.js");
const { things } = await import("/stand/store.js");

const put = (key, value) => localStorage.setItem(key, JSON.stringify(value));
const list = (key) => JSON.parse(localStorage.getItem(key) ?? "[]");
const nothing = () => {};

function deviceOf(me) {
  const device = new Device();
  device.admit(me);
  return device;
}

async function openDiary(me) {
  remember(me.id);
  const told = { state: [] };
  const outbox = new DiaryOutbox((sent, ...said) => (told.state = sent.refusals.length > 0 ? ["refused"] : said));
  await outbox.flush();
  return { outbox, told };
}

const tabOf = (number) => `55555555-5555-4555-8555-55555555555${number}`;
const newTab = (title, number, me) => ({ id: tabOf(number), tab: { title, tracks: [], bars: [] }, version: 0,
  changed: 1, isDirty: true, isRemoved: false, isShared: false, owner: null, account: me.id });

/**
 * `open(me)` gives the document as it is on a person's page: `change(text, number)`, where windows that share what
 * they keep change the document of their own number; `waits()`; `state()`, [state, sentence] where the page shows it;
 * `die()`, as a page that the browser ends. `older(me)` puts there what an earlier version kept, with the text "Old".
 */
export const kinds = {
  "the texts of a concert": {
    async open(me) {
      let said = [];
      const book = new Book(7, { state: (...now) => (said = now), refused: nothing, conflict: nothing }, me.name);
      await book.open().catch(nothing);
      return { change: (text) => book.set("concert", "title", text, "title"), waits: () => book.hasUnsent,
        state: () => said, die: () => book.close() };
    },
    older: (me) => put(`baton.edit.unsent.7.page.${me.name}`, { beat: 0, by: me.name, entries: [
      { base: 1, label: "title", changes: [{ set: "concert", field: "title", to: "Old" }] }] }),
  },
  titles: {
    async open(me) {
      const book = new TitleBook("ode", me.name, nothing);
      await book.open();
      return { change: (text) => book.set(book.rows[0].id, { texts: { en: text } }), waits: () => book.hasUnsent,
        state: () => [book.state.name, book.state.sentence], die: () => book.close() };
    },
    older: (me) => put(`baton.edit.titles.${me.name}.ode.page`, { beat: 0, by: me.name, folder: "ode",
      server: [{ id: "a", title: titleOf("Before") }], rows: [{ id: "a", title: titleOf("Old") }] }),
  },
  "a piece that is prepared": {
    async open(me) {
      let said = [];
      const piece = new Piece("p1", me.name, { say: nothing, state: (...now) => (said = now) });
      await piece.open();
      return { change: (text) => piece.edit("rename", { name: { name: text } }), waits: () => piece.hasUnsent,
        state: () => said, die: () => piece.close() };
    },
    older: (me) => put(`baton.prepare.unsent.p1.${me.name}`,
      [{ id: newID(), label: "rename", edits: [{ name: { name: "Old" } }] }]),
  },
  "one's own concerts": {
    isShared: true,
    async open(me) {
      const { outbox, told } = await openDiary(me);
      return { change(text, number = 1) {
        const id = `own-${number}`;
        const isKept = keepOwn({ ...ownConcert(id), id, title: text, works: [] }) !== null;
        outbox.flush();
        return isKept;
      }, waits: () => list("baton-diary-own").some(({ waits }) => waits), state: () => told.state, die: nothing };
    },
    older: (me) => put("baton-diary-own", [{ id: "own-1", title: "Old", works: [], base: null, waits: true,
      trouble: null, changedAt: 1, account: me.id }]),
  },
  "events of the house": {
    isShared: true,
    async open(me) {
      const { outbox, told } = await openDiary(me);
      return { change(text, number = 1) {
        const id = `event-${number}`;
        const isKept = post({ id, what: text, method: "PUT", path: `/api/diary/events/${id}`,
          body: { description: text } });
        outbox.flush();
        return isKept;
      }, waits: () => list("baton-diary-outbox").length > 0, state: () => told.state, die: nothing };
    },
    older: (me) => put("baton-diary-outbox", [{ id: "event-1", what: "Old", method: "PUT", trouble: null,
      path: "/api/diary/events/event-1", body: { description: "Old" }, account: me.id }]),
  },
  tabs: {
    isShared: true,
    async open(me) {
      const store = await Store.open();
      let said = [];
      const sync = new Sync(store, ({ state, why }) => (said = state === "away" ? ["waiting", why] : []));
      await sync.run();
      const run = () => sync.run();
      addEventListener("online", run); // as the page does
      let isDirty = (await store.all()).some((each) => each.isDirty);
      return { async change(text, number = 1) {
        try {
          await store.update(tabOf(number), (now) => ({ ...newTab(text, number, me), version: now?.version ?? 0,
            changed: (now?.changed ?? 0) + 1 }));
        } catch {
          return false;
        }
        isDirty = true;
        sync.run();
        return true;
      }, look: async () => (isDirty = (await store.all()).some((each) => each.isDirty)), waits: () => isDirty,
      state: () => said, die: () => removeEventListener("online", run) };
    },
    older: async (me) => (await Store.open()).write(newTab("Old", 1, me)),
  },
  "remarks in a score": {
    async open(me) {
      const wire = new ScoreWire(deviceOf(me), score, { changed: nothing, refused: nothing });
      await wire.start();
      return { change: (text) => wire.make({ edit: { remark: newID(), shape: { text } } }),
        waits: () => wire.undelivered.length > 0, state: () => [wire.waits.state, wire.waits.sentence],
        die: () => wire.stop() };
    },
    older: (me) => things.put(`remarkbox:${me.id}:${score}`, [actOf({ edit: { remark: newID(),
      shape: { text: "Old" } } })]),
  },
  "a room": {
    async open(me) {
      const reader = { user: me.id, stand: newID(), device: deviceOf(me), score: null, chrome: { paint: nothing },
        live: { silent: nothing }, listener: { signedOut: nothing }, took: nothing, heard: nothing, leave: nothing,
        prefer: nothing, followOpen: nothing };
      const wire = new RoomWire(reader, room);
      await wire.load();
      wire.start();
      return { change: (text) => wire.make({ rename: text }), waits: () => wire.copy.undelivered.length > 0,
        die: () => wire.stop() };
    },
    older: (me) => things.put(`outbox:${me.id}:${room}`, [actOf({ rename: "Old" })]),
  },
};

export { people };
