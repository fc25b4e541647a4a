// What browsers have and TypeScript 4.8 does not know, for the check of the pages' JavaScript.

// HTML is not checked: whoever wrote the page knows which element a selector finds and an event comes from.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface EventTarget {
  closest?(selectors: string): any;
  value?: any;
  checked?: any;
  files?: any;
}

// A page has no other elements than those of HTML and SVG; browsers write numbers as text.
interface Element extends HTMLOrSVGElement, ElementCSSInlineStyle {
  setAttribute(name: string, value: any): void;
}

interface Array<T> {
  findLast(holds: (value: T, index: number, all: T[]) => unknown): T | undefined;
  findLastIndex(holds: (value: T, index: number, all: T[]) => unknown): number;
  toReversed(): T[];
  toSorted(order?: (one: T, other: T) => number): T[];
  toSpliced(start: number, remove?: number, ...insert: any[]): T[];
  with(index: number, value: any): T[];
}

interface Navigator {
  connection?: { saveData: boolean };
  requestMIDIAccess?(): Promise<any>;
  userActivation?: { hasBeenActive: boolean; isActive: boolean };
  wakeLock?: { request(kind: "screen"): Promise<any> };
}

// AbortSignal.timeout and URL.canParse: what is declared as a variable takes only members that every function has.
interface Function {
  timeout?(milliseconds: number): AbortSignal;
  canParse?(address: string): boolean;
}

interface Window {
  webkitAudioContext?: typeof AudioContext;
  // What the head of the audience's page asked for before its modules had arrived: audience/early.js.
  batonStream?: any;
  batonConcert?: any;
}

declare const OffscreenCanvas: any;

// Service workers.
interface Event {
  // Of a listener that is added for several kinds of event at once.
  readonly pointerId?: number;
  readonly request?: Request;
  respondWith?(answer: Response | Promise<Response>): void;
  waitUntil?(work: Promise<any>): void;
}
declare const clients: any;
declare function skipWaiting(): Promise<void>;

// Worklets of Web Audio.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare const sampleRate: number;
declare const currentFrame: number;
declare const currentTime: number;
declare function registerProcessor(name: string, processor: new (options?: any) => AudioWorkletProcessor): void;
