// The microphone of this device, as blocks of samples with a count of samples as their clock.

/** Why there is no sound: `reason` is one of the keys of `sentences`; the message says what to do. */
export class MicrophoneProblem extends Error {
  constructor(reason, sentence = sentences[reason]) {
    super(sentence);
    this.reason = reason;
  }
}

const sentences = {
  insecure: "Browsers give the microphone only to pages that come over https, or from this same machine. Ask for the "
    + "https address of this server.",
  unsupported: "This browser cannot hear a microphone for a page. Use a current Chrome, Edge, Firefox or Safari.",
  denied: "The microphone is not allowed for this page. Allow it beside the address of the page, then start again.",
  forbidden: "This server does not let this page use the microphone.",
  "no-device": "This device has no microphone. Plug one in, then start again.",
  busy: "Another program uses the microphone, or it does not start. Close that program, then start again.",
  lost: "The microphone was unplugged or taken away. Connect it, then start again.",
  failed: "The microphone could not be started. Reload the page and try again.",
};

const haltedSentence = "This device has stopped the microphone, as for a call or in the background. It goes on when "
  + "the page is in front again.";

const reasonsByName = {
  NotAllowedError: "denied", SecurityError: "forbidden", NotFoundError: "no-device", OverconstrainedError: "no-device",
  NotReadableError: "busy", AbortError: "busy",
};

// Processing made for speech bends music. It is asked to be off, and what is really set is read back.
const processing = [
  ["echoCancellation", "echo cancellation"], ["noiseSuppression", "noise suppression"],
  ["autoGainControl", "automatic gain"],
];

const changedSentence = "The microphone was taken away. Another one of this device listens in its place.";

/** The problem that is known before anybody is asked, as a MicrophoneProblem; null if there is none. */
export function knownProblem() {
  if (!globalThis.isSecureContext) return new MicrophoneProblem("insecure");
  const isAble = navigator.mediaDevices?.getUserMedia && globalThis.AudioWorkletNode;
  return isAble ? null : new MicrophoneProblem("unsupported");
}

/** The microphones, as `{ id, name }`; their names are empty until the microphone was allowed once. */
export async function listMicrophones() {
  const devices = await navigator.mediaDevices?.enumerateDevices?.() ?? [];
  const microphones = devices.filter(({ kind }) => kind === "audioinput");
  return microphones.map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

/**
 * Opens the microphone, from a click or key. Throws a MicrophoneProblem.
 * `block({ sequence, firstSample, frame, samples })` gets each block: its number from 0, the samples before it,
 * and an Int16Array of one channel at the rate of the microphone; a gap in the count is sound that was not captured.
 * `frame` is the place of the first sample in the clock of the context, for sounds that are played in it.
 * `level({ peak, power })` says how loud each block is, in decibels of full scale; `ended(problem)` that it is over;
 * `halted(sentence)` that the device gives no sound for a while, or another microphone has taken over, as when a
 * headset is switched off; with an empty text that it sounds again. The rate stays as it was.
 * Gives `{ rate, settings, warnings, context, stop() }`: `settings` as the browser has them, `warnings` are sentences.
 * @param {{ block: (block: any) => void, level?: (level: any) => void, ended: (problem: any) => void,
 *   halted?: (sentence: string) => void, device?: string, blockMilliseconds?: number }} how
 */
export async function openMicrophone({ block, level, ended, halted, device, blockMilliseconds = 100 }) {
  const known = knownProblem();
  if (known) throw known;
  let stream = await capture(device);
  let [track] = stream.getAudioTracks();
  const settings = track.getSettings();
  const name = track.label;
  let context = null;
  let source = null;
  let node = null;
  let isOver = false;
  const stop = async () => {
    if (isOver) return;
    isOver = true;
    node?.port.postMessage("stop");
    for (const each of stream.getTracks()) each.stop();
    // The last block comes as a message before the context is closed.
    await new Promise((done) => setTimeout(done, 50));
    await context?.close().catch(() => {});
  };
  try {
    context = makeContext(settings.sampleRate);
    await context.audioWorklet.addModule("/shared/microphone-worklet.js");
    node = new AudioWorkletNode(context, "block-collector", {
      numberOfInputs: 1, numberOfOutputs: 0, channelCountMode: "max", processorOptions: { blockMilliseconds },
    });
    node.port.onmessage = ({ data }) => {
      block?.(data);
      level?.(loudness(data.samples));
    };
    source = context.createMediaStreamSource(stream);
    source.connect(node);
    await context.resume();
  } catch {
    await stop();
    throw new MicrophoneProblem("failed");
  }
  // The context hears another microphone at its own rate, whatever the rate of that one is.
  const replace = async () => {
    if (isOver) return;
    try {
      const next = await capture();
      if (isOver) return void next.getTracks().forEach((each) => each.stop());
      source.disconnect();
      [stream, [track], source] = [next, next.getAudioTracks(), context.createMediaStreamSource(next)];
      source.connect(node);
      watch();
      halted?.(changedSentence);
    } catch {
      await stop();
      ended?.(new MicrophoneProblem("lost"));
    }
  };
  // A phone interrupts the sound for a call or when the page is left; it goes on when the page is back.
  const wake = () => !isOver && document.visibilityState === "visible" && context.state !== "running"
    && context.resume().catch(() => {});
  let isHalted = false;
  const tell = () => {
    const isNow = !isOver && (context.state !== "running" || track.muted);
    if (isNow !== isHalted) halted?.(isNow ? haltedSentence : "");
    isHalted = isNow;
    wake();
  };
  const watch = () => {
    track.addEventListener("ended", replace);
    for (const change of ["mute", "unmute"]) track.addEventListener(change, tell);
  };
  watch();
  context.addEventListener("statechange", tell);
  document.addEventListener("visibilitychange", wake);
  return { rate: context.sampleRate, settings, warnings: warningsOf(settings), name, context, stop };
}

async function capture(device) {
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  if (device) audio.deviceId = { exact: device };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio, video: false });
  } catch (error) {
    throw new MicrophoneProblem(reasonsByName[error?.name] ?? "failed");
  }
}

/** A context at the microphone's own rate, so that nothing is resampled; some browsers do not tell it, or refuse it. */
function makeContext(sampleRate) {
  try {
    return new AudioContext(sampleRate ? { sampleRate } : {});
  } catch {
    return new AudioContext();
  }
}

/** Sentences about the processing that the browser does although it was asked not to; a setting that it does not name
    is unknown. */
export function warningsOf(settings) {
  const on = processing.filter(([key]) => settings[key] === true).map(([, name]) => name);
  const unknown = processing.filter(([key]) => settings[key] === undefined).map(([, name]) => name);
  const warnings = [];
  if (on.length > 0) {
    warnings.push(`This browser keeps ${on.join(" and ")} on, which bends music. Switch it off in the settings of the `
      + "device.");
  }
  if (unknown.length > 0) warnings.push(`This browser does not say whether ${unknown.join(" and ")} is off.`);
  return warnings;
}

/** The loudness of a block in decibels of full scale, as `{ peak, power }`; -100 at the least. */
export function loudness(samples) {
  let peak = 0;
  let sum = 0;
  for (const sample of samples) {
    peak = Math.max(peak, Math.abs(sample));
    sum += sample * sample;
  }
  const decibels = (share) => Math.max(-100, 20 * Math.log10(share));
  return { peak: decibels(peak / 32768), power: decibels(Math.sqrt(sum / Math.max(1, samples.length)) / 32768) };
}
