// The time of day, for people and for stamps that are kept. It can be set back or on at any moment: what measures a
// duration or an order uses performance.now().

/** Milliseconds since 1970 by this device's clock. */
export const wallClock = () => Date.now(); // eslint-disable-line no-restricted-syntax
