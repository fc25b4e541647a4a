// The try-out: a performance, a microphone or one's own recordings are followed before one's eyes.
import { loadEngine, loadModel, makeFrames, tooOld } from "./follower.js";
import { slideParts } from "./slideparts.js";

const find = (id) => document.getElementById(id);
const colours = { following: "#2a9d4a", coasting: "#d19a1d", lost: "#c8372d", waiting: "#888", finished: "#888" };
const sentences = { waiting: "Waiting for the music.", following: "Following.",
  coasting: "In doubt: it goes on in tempo.", lost: "Lost: it looks everywhere in the piece.",
  finished: "The piece is over." };

const microphoneFaults = {
  NotAllowedError: "The microphone is not allowed; allow it in the browser's settings.",
  NotFoundError: "There is no microphone.",
  NotReadableError: "Another program uses the microphone. Close it, and press the button again.",
};

let pieces = []; // { folder, name, performance, slides: { played, parts }[] }
let engine = null;
const models = new Map(); // folder → model
let running = null; // { context, node, model, points, slides, source, level, noise, buffer, stream }
let slideShown = null;

try {
  engine = await loadEngine("engine.wasm");
  if (typeof AudioWorkletNode !== "function") throw new Error(tooOld);
  ({ pieces } = await (await fetch("pieces.json")).json());
  find("piece").replaceChildren(...pieces.map(({ name }, index) => new Option(name, String(index))));
  for (const id of ["play", "listen"]) find(id).disabled = false;
  say("Choose a piece. The performance is another one than the engine knows.");
} catch (fault) {
  say(fault.message === tooOld ? tooOld : `${fault.message} Load the page again.`);
}

function say(sentence) {
  find("say").textContent = sentence;
}

async function chosenPiece() {
  const piece = pieces[Number(find("piece").value)];
  if (!models.has(piece.folder)) models.set(piece.folder, await loadModel(`models/${piece.folder}/`));
  return { piece, model: models.get(piece.folder) };
}

/** Makes the sound thread with a follower of the model; `slides` are what a listener in the hall reads meanwhile. */
async function open(model, slides = [], word = "Bar") {
  await close();
  const context = new AudioContext();
  await context.audioWorklet.addModule("follower-worklet.js");
  const node = new AudioWorkletNode(context, "follower", { numberOfInputs: 1, numberOfOutputs: 1,
    channelCount: 1, channelCountMode: "explicit", processorOptions: { engine, model } });
  running = { context, node, model, slides, points: [] };
  find("phone").hidden = slides.length === 0;
  find("word").textContent = word;
  node.port.onmessage = ({ data }) => take(data);
  node.onprocessorerror = () => say("The engine ended; press the button again.");
  node.connect(context.destination); // it says nothing, and is called only if it is connected
  find("stop").disabled = false;
  return running;
}

async function close() {
  const old = running;
  running = null;
  find("bar").textContent = "–";
  find("state").textContent = "Nothing is heard yet.";
  find("confidence").value = 0;
  find("stop").disabled = true;
  find("trouble").hidden = true;
  find("phone").hidden = true;
  showSlide(null);
  for (const track of old?.stream?.getTracks() ?? []) track.stop();
  await old?.context.close();
}

function take(report) {
  if (!running) return;
  running.points.push([report.live, report.reference, report.state]);
  if (report.measure !== null) find("bar").textContent = String(report.measure);
  find("state").textContent = sentences[report.state];
  document.querySelector(".here").dataset.state = report.state;
  find("confidence").value = report.confidence;
  if (report.state === "following") {
    showSlide(running.slides.filter(({ played }) => played <= report.played).at(-1) ?? null);
  }
}

/** Shows a slide as phones in the hall do. */
function showSlide(slide) {
  if (slide === slideShown) return;
  slideShown = slide;
  find("slide").replaceChildren(...(slide ? slideParts(slide, "No picture.") : []));
}

/** Plays samples from a second on; another piece of sound may be playing already. */
function playFrom(offset) {
  const { context, node, buffer } = running;
  running.source?.stop();
  const source = new AudioBufferSourceNode(context, { buffer, playbackRate: Number(find("speed").value) });
  running.level ??= new GainNode(context);
  source.connect(running.level);
  running.level.connect(node);
  running.level.connect(context.destination);
  source.start(0, offset);
  Object.assign(running, { source });
}

function addNoise() {
  const { context, node } = running;
  const seconds = 4;
  const noise = new AudioBuffer({ length: seconds * context.sampleRate, sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = (Math.random() * 2 - 1) * 0.2;
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
  running.noise = new GainNode(context, { gain: Number(find("noise").value) });
  source.connect(running.noise).connect(node);
  running.noise.connect(context.destination);
  source.start();
}

/** Decodes a file of sound; what the browser cannot read is a sentence. */
async function decode(context, bytes, name) {
  try {
    return await context.decodeAudioData(bytes);
  } catch {
    throw new Error(`This browser cannot read ${name}; choose an MP3, a WAV or an Ogg file.`);
  }
}

async function playBytes(model, bytes, name, slides, word) {
  const now = await open(model, slides, word);
  now.buffer = await decode(now.context, bytes, name);
  find("trouble").hidden = false;
  addNoise();
  playFrom(0);
}

let isStarting = false; // until then a further press does nothing, so that never two of them sound

/** Runs what a button starts; what fails is a sentence. */
function button(id, action) {
  find(id).addEventListener("click", async () => {
    if (isStarting) return;
    isStarting = true;
    try {
      await action();
    } catch (fault) {
      await close();
      say(microphoneFaults[fault.name] ?? fault.message);
    } finally {
      isStarting = false;
    }
  });
}

button("play", async () => {
  const { piece, model } = await chosenPiece();
  say("Loading the performance …");
  const answer = await fetch(piece.performance);
  if (!answer.ok) throw new Error(`The performance is not there (${answer.status}).`);
  await playBytes(model, await answer.arrayBuffer(), "the performance", piece.slides);
  say("Playing. Tap the picture to jump about in the music.");
});

button("listen", async () => {
  const { piece, model } = await chosenPiece();
  if (!navigator.mediaDevices) throw new Error("Browsers give a microphone only to pages over https, or on localhost.");
  const stream = await navigator.mediaDevices.getUserMedia({ audio:
    { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  const now = await open(model, piece.slides);
  now.stream = stream;
  stream.getAudioTracks()[0].addEventListener("ended", () => running === now
    && close().then(() => say("The microphone was taken away. Press the button again.")));
  now.context.createMediaStreamSource(stream).connect(now.node);
  say("Listening: play, or play a recording near the device. Nothing is sent or kept.");
});

button("stop", async () => {
  await close();
  say("Stopped.");
});

for (const id of ["own-reference", "own-performance"]) {
  find(id).addEventListener("change", () => {
    find("own-play").disabled = !find("own-reference").files[0] || !find("own-performance").files[0];
  });
}

button("own-play", async () => {
  say("Listening to the reference …");
  const rate = 44_100; // samples a second
  const [reference, performance] = ["own-reference", "own-performance"].map((id) => find(id).files[0]);
  const sound = await decode(new OfflineAudioContext(1, 1, rate), await reference.arrayBuffer(), reference.name);
  const frames = await makeFrames(engine, mono(sound), rate);
  const seconds = Math.max(Math.floor(sound.duration), 2);
  const model = { measures: Array.from({ length: seconds }, (_, index) => ({ printed: index, onset: index })),
    end: sound.duration, recordings: [{ frames }] };
  await playBytes(model, await performance.arrayBuffer(), performance.name, [], "Second");
  say("The performance is followed by the seconds of the reference.");
});

function mono(sound) {
  const mixed = new Float32Array(sound.length);
  for (let channel = 0; channel < sound.numberOfChannels; channel += 1) {
    const samples = sound.getChannelData(channel);
    for (let index = 0; index < mixed.length; index += 1) mixed[index] += samples[index] / sound.numberOfChannels;
  }
  return mixed;
}

find("noise").addEventListener("input", () => {
  if (running?.noise) running.noise.gain.value = Number(find("noise").value);
});
find("speed").addEventListener("input", () => {
  if (running?.source) running.source.playbackRate.value = Number(find("speed").value);
});

const canvas = /** @type {HTMLCanvasElement} */ (find("path"));
canvas.addEventListener("click", (event) => {
  if (!running?.buffer) return;
  const box = canvas.getBoundingClientRect();
  playFrom(Math.max(0, 1 - (event.clientY - box.top) / box.height) * running.buffer.duration);
});

function draw() {
  requestAnimationFrame(draw);
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth * scale, canvas.clientHeight * scale];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  if (!running) return;
  const { points, model } = running;
  const across = Math.max(60, (points.at(-1)?.[0] ?? 0) + 5);
  context.fillStyle = "#8884";
  for (const { onset, printed } of model.measures) {
    if (printed % 10 === 0) context.fillRect(0, height * (1 - onset / model.end), width, 1);
  }
  const size = 2 * scale;
  for (const [live, reference, state] of points) {
    if (reference === null) continue;
    context.fillStyle = colours[state];
    context.fillRect(width * live / across, height * (1 - reference / model.end) - size, size, size);
  }
}
draw();
