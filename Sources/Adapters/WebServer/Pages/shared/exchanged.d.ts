// What server and pages exchange, for the check of the pages' JavaScript; it is not loaded by any page.
// docs/console-api.md, prepare-api.md, rooms-api.md, remarks-api.md and tab-json.md say what each field means.

// -- the show: docs/console-api.md

export interface Candidate { place: string; measure: number; section: string | null; probability: number }

export interface Position {
  piece: number;
  pieceName: string;
  measure: number | null; // as it is printed
  played: number | null; // from 0
  playedCount: number;
  fraction: number; // of the measure
  section: string | null;
  tempo: number; // 1 is that of the reference recording
  holder: { kind: "follower" | "technician" | "conductor" | "presenter"; name: string };
  epoch: string; // TERM.CHANGE
  mode: string;
  sinceMs: number;
  sentAt: number; // ms since 1970
  audience: { view: string; why: string | null; piece: number | null; measure: number | null };
  proving: { measure: number; inMs: number | null } | null;
}

export interface Follower {
  piece: number;
  measure: number | null;
  played: number | null;
  fraction: number;
  state: string;
  confidence: number | null; // 0 to 1
  silent: boolean;
  tempo: number;
  transposition: number; // semitones
  tuningCents: number;
  candidates: Candidate[];
}

export interface Show {
  title: string;
  kind: "concert" | "rehearsal" | "try-out";
  date: string | null;
  place: string | null;
  people: string; // a line for each, such as “Anna Berg, violin”
  goesOn: boolean;
  server: {
    role: "main" | "backup" | "asking" | "alone";
    term: number;
    version: string;
    backup: { connected: boolean; lagMs: number; version: string; sameShow: boolean; address: string | null } | null;
  };
  locked: boolean;
  panic: "none" | "safe" | "stop";
  rehearsal: boolean;
  black: boolean;
  frozen: boolean;
  paused: boolean;
  held: boolean;
  intermission: boolean;
  autoAdvance: boolean;
  evening: "not-yet" | "armed" | "under-way" | "intermission" | "over";
  armEachPiece: boolean;
  started: string;
}

export interface Meters {
  peakDb: number;
  rmsDb: number;
  noiseFloorDb: number;
  silenceDb: number | null;
  channelPeaksDb: number[];
  clipped: number;
  silentSeconds: number;
  inputLost: boolean;
  xruns: number;
  hopP99Ms: number;
  hopWorstMs: number;
  overruns: number;
  packetsPerSecond: number;
  packetsSent: number;
  packetsFailed: number;
  clients: { console: number; audience: number; osc: number };
  captureToReportMs: number;
  reportToPacketMs: number;
  reportAgeMs: number;
  clock: string;
  diskFreeGb: number;
  logBytes: number;
  confidence: number | null;
}

export interface Cue {
  id: string;
  place: string;
  played: number;
  name: string;
  kind: "note" | "slide" | "message" | "osc" | "mqtt" | "midi";
  auto: boolean;
  earlinessMs: number;
  notes: string;
  fired: boolean;
  failed: boolean;
  detail: string;
  trouble: string | null;
}

export interface Cues {
  piece: number;
  standby: string | null;
  next: { id: string; inMeasures: number; inSeconds: number | null } | null;
  list: Cue[];
}

export interface Titles {
  piece: number;
  folder: string | null;
  count: number;
  revision: string;
  number: number | null; // from 1
  hidden: boolean;
  blank: "none" | "black" | "white";
  followsMusic: boolean;
  needsOperator: boolean;
  onPhones: boolean;
  skipped: number[]; // left out tonight
}

export interface TitleScreen {
  name: string;
  width: number;
  height: number;
  shows: string;
  blank: string;
  languages: string[];
  isNew: boolean;
  isHere: boolean;
  age: number; // s since its last heartbeat
  picture: {
    lines: string[];
    isTop: boolean;
    letters: number; // thousandths of the screen's height
    ground: string;
    slide: string | null;
    missing: string[];
  } | null;
  video: "loading" | "playing" | "paused" | "ended" | "muted" | "failed" | null;
}

export interface Programme {
  pieces: {
    index: number;
    name: string;
    folder: string;
    measures: number;
    state: "played" | "now" | "next" | "later" | "skipped";
    sections: { label: string; place: string; played: number }[];
    durationSeconds: number;
  }[];
  empty: boolean;
  intermissions: number[];
  encores?: number; // pieces at the end that nobody is told of before they are played
}

export interface Message { title: string; body: string; style: string; buttonText: string }

export interface Check {
  running: boolean;
  progress: number; // 0 to 1
  items: { id: string; title: string; state: string; sentence: string }[];
  endedAt?: number; // ms since 1970
}

export interface Recording {
  state: "recording" | "waiting" | "stopped" | "off";
  sentence: string;
  name: string | null;
  seconds: number;
  lostSeconds: number;
  hoursOfSpace: number | null;
  keptDays: number | null;
}

export interface Notice { kind?: "refused" | "misfire" | "info" | "lasting"; sentence: string; code?: string; control?: string }

export interface TimeCode {
  on: boolean; running: boolean; code: string | null; rate: string; speed: number; distanceMs: number | null;
  outputs: { name: string; trouble: string | null }[];
}

/** The sections of the console's stream; `link`, `rights`, and a notice's `control` are the page's own. */
export interface Sections {
  show: Show;
  position: Position;
  follower: Follower;
  meters: Meters;
  history: { confidence: [ms: number, confidence: number | null, mode: string][] };
  cues: Cues;
  titles: Titles;
  floor: any; // docs/speakers.md
  screens: TitleScreen[];
  programme: Programme;
  message: { current: Message | null; templates: Message[]; content: Message[] };
  help: { candidates: Candidate[] } | null;
  faults: Fault[];
  targets: { kind: string; name: string; ok: boolean; answers: boolean; detail: string; address?: string;
    isAdded?: boolean }[];
  check: Check;
  backup: any;
  microphones: any;
  timecode: TimeCode;
  recording: Recording;
  notice: Notice;
  link: any;
  rights: { looksOnly: boolean };
}

export interface Fault { id: string; sentence: string; since: string; count: number; over: boolean }

// -- a piece in preparation: docs/prepare-api.md

export interface DraftBar {
  id: string;
  seconds: number;
  printed: number;
  doubt: number; // 0 to 1
  reasons: string[];
  origin: string;
  checked: boolean;
}

export interface PieceOverview {
  model: { folder: string; name: string; seconds: number; bars: number; recordings: number; isOnProgramme: boolean;
    piece: string | null };
  references: string[];
  sections: { label: string; bar: string }[];
  titles: number;
  cues: number;
  scores: { id: string; title: string; parts: number; markedParts: number }[];
  slides: { concert: number; title: string; node: string; count: number; isServed: boolean }[];
}

export interface DraftMark { id: string; bar: string; kind: string; text: string }

export interface Draft {
  id: string;
  name: string;
  revision: number;
  beatsPerBar: number | null;
  main: string | null;
  recordings: any[];
  bars: DraftBar[]; // in the order of time
  end: number | null;
  marks: DraftMark[];
  score: { name: string; bars: number; sentences: string[] } | null;
  proposals: { id: string; sentence: string; from: number; to: number; route: any }[];
  prepared: { folder: string; revision: number; at: any } | null;
  forecast: any;
  triesTrouble: boolean;
  job: any;
}

/** An object with one key, which says what is changed. */
export type DraftEdit = Record<string, any>;

export interface DraftBatch { id: string; label: string; edits: DraftEdit[] }

/** What is announced after each change; without edits the piece is to be loaded again. */
export interface DraftChange { revision: number; id?: string; edits: DraftEdit[] | null }

// -- scores, remarks and rooms: docs/rooms-api.md, docs/remarks-api.md

/** Left, top, right, bottom as shares of a page. */
export type Box = number[];

export interface Place { movement: number; page: number; first: number; last: number; box?: Box | null }

export interface Remark {
  id: string;
  layer: string;
  author: string;
  score?: string;
  part: number;
  page: number;
  paper?: number[];
  anchor: number[]; // ten-thousandths of the page
  shape: { line?: number[]; highlight?: number[]; text?: string; stamp?: string };
  ink: { colour: string; width: number };
}

export interface Member { id: string; user: string; name: string; role: string; status: string }

export interface Participation {
  id: string;
  session: string;
  user: string;
  part: number;
  score?: string;
  entered: number;
  left?: number;
}

export interface RoomSnapshot {
  room: { id: string; score: string; name: string; owner: string; isPublished: boolean };
  members: Member[];
  session?: { id: string; began: number; ended?: number; performances: any[] };
  participations: Participation[];
  layers: { id: string; session: string }[];
  remarks: Remark[];
  ownLayers: { id: string; session: string; user: string }[];
  ownRemarks: Remark[];
  turn?: number[];
  pinpoint?: any;
}

/** An event of a room: the act is one further field, such as `place` or `turn`. */
export interface RoomEvent { v: number; seq: number; after: number; id: string; at: number; by?: string; own?: boolean }

// -- tabs: docs/tab-json.md

export interface Note { string: number; fret: number; tie?: boolean; techniques?: Record<string, any> }

export interface Beat {
  value?: string;
  dots?: number;
  tuplet?: number[];
  notes?: Note[];
  text?: string;
  chord?: string;
  lyrics?: string[];
  dynamic?: string;
  techniques?: Record<string, any>;
}
