"""A microphone that plays a sound when it is told to: the page opens the browser's fake device and hears this instead.

So the sound begins when the page is ready, however busy the machine is. `HOOK` is run before the page opens the
microphone; `window.began` is then the instant of the sound's first sample in the audio clock.
"""

import base64

HOOK = """
window.microphoneContext = null; window.began = null;
const openedSource = AudioContext.prototype.createMediaStreamSource;
AudioContext.prototype.createMediaStreamSource = function (stream) {
  openedSource.call(this, stream);
  window.microphoneContext = this;
  window.microphoneInput = this.createGain();
  // Something that always sounds, however softly: a device gives samples from the first moment on.
  const device = new ConstantSourceNode(this, { offset: 0 });
  device.connect(window.microphoneInput);
  device.start();
  return window.microphoneInput;
};
window.playMicrophone = async (text) => {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const context = window.microphoneContext;
  const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes.buffer) });
  source.connect(window.microphoneInput);
  window.began = context.currentTime + 0.2;
  source.start(window.began);
};
"""


def play(case, wave):
    """Lets the page of a test hear a WAV file from now on."""
    text = base64.b64encode(wave.read_bytes()).decode()
    case.later("await window.playMicrophone(given[0]);", text)


def heard_seconds(case):
    """Seconds of the file that were heard; negative before it begins."""
    return case.script("return window.began === null ? -1 : window.microphoneContext.currentTime - window.began")
