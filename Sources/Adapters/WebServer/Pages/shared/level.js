// The input's level in words and as a bar.

const quietest = -60; // dB of full scale at which the bar is empty

/** The share of the bar that is filled, 0 to 1; 0 if no level is known. */
export function meterShare(peakDb) {
  if (peakDb === null || peakDb === undefined || !Number.isFinite(peakDb)) return 0;
  return Math.min(1, Math.max(0, (peakDb - quietest) / -quietest));
}

/**
 * A sentence about the sound that arrives.
 * @param {{ peakDb: number | null, clipped?: number, silentSeconds?: number }} meters
 */
export function heardFrom({ peakDb, clipped, silentSeconds }) {
  if (silentSeconds > 3 || meterShare(peakDb) === 0) return "Silence.";
  if (clipped > 0 && peakDb > -1) return "Too loud: turn the input down.";
  const level = `${Math.round(peakDb)} dB`.replace("-", "−");
  return peakDb < -40 ? `Very soft, ${level}: turn the input up, or go nearer.` : `Sound arrives, ${level}.`;
}
