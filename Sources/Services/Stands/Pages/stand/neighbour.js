// Two stands of one player that are one sheet: each tells the other of the pages its player turns.

export class Neighbour {
  #channel = null;

  /** Calls `turned(page)` after a turn at the other stand. */
  constructor(reader, turned) {
    this.reader = reader;
    if (!("BroadcastChannel" in self)) return;
    this.#channel = new BroadcastChannel("baton-stand");
    this.#channel.onmessage = ({ data }) => this.#isMine(data) && turned(data.page);
  }

  tell(page) {
    const { look, user, room, score, part } = this.reader;
    if (look.value.pair) this.#channel?.postMessage({ user, room, score: score.id, part, page });
  }

  #isMine({ user, room, score, part }) {
    const { reader } = this;
    return reader.isOpen && reader.look.value.pair && user === reader.user && room === reader.room
      && score === reader.score?.id && part === reader.part;
  }
}
