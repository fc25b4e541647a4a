// 'Start rehearsal': the room is published, its session begins, its leader takes part and turns for all. One tap.
import { newID } from "/shared/ids.js";
import { filedPage } from "./layout.js";
import { notice } from "./words.js";

/** True if this player may start the rehearsal now; tonight's programme follows by itself. */
export const mayStart = (reader) => reader.leads && !reader.content.isRunning && !reader.content.isEvening
  && reader.wire?.state === "joined";

export function startRehearsal(reader) {
  if (!mayStart(reader)) return;
  const { content, score, part, turning } = reader;
  const acts = [];
  if (!content.room.isPublished && content.role(reader.user) === "owner") acts.push({ publish: true });
  const session = newID();
  acts.push({ begin: { session, layer: newID() } });
  if (score) {
    const named = score.id === content.room.score ? {} : { score: score.id };
    acts.push({ enter: { participation: newID(), part, ...named } },
      reader.evening.named({ turn: [part, filedPage(score.parts[part], Math.max(turning.view.page, 0))] }));
  }
  reader.turnAllIn(session);
  reader.wire.makeAll(acts);
  reader.chrome.show(false);
  notice("The rehearsal has begun: everybody may enter, and your turns turn all stands.");
}
