import assert from "node:assert/strict";

/** Fails where what was found is not what is expected; both as JSON, so that undefined counts as null. */
export function equal(found, expected, claim) {
  assert.deepEqual(JSON.parse(JSON.stringify(found ?? null)), expected, claim);
}

export function near(found, expected, most, claim = "") {
  assert.ok(Math.abs(found - expected) <= most, `${claim} ${found} is not within ${most} of ${expected}`);
}

export function isTrue(condition, claim) {
  assert.ok(condition, claim);
}
