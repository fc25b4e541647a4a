// Numbers as people read them.

/** Seconds as “0:42”, “12:05”, “1:02:00”; “–” where they are unknown. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.max(0, Math.round(seconds));
  const pair = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(whole % 60)}` : `${minutes}:${pair(whole % 60)}`;
}
