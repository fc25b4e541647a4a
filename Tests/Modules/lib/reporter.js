// Says each claim that does not hold, and in the last line how many did: `N passed, N failed`.
import path from "node:path";

/** Node reports a file as a test too: of those only one that failed by itself counts. */
function isFile({ name }) {
  return name.endsWith(".test.js");
}

export default async function* report(events) {
  let passed = 0, failed = 0;
  for await (const { type, data } of events) {
    if (type === "test:stderr") yield data.message;
    if (type === "test:pass" && !isFile(data)) passed += 1;
    if (type !== "test:fail" || data.details.error.failureType === "subtestsFailed") continue;
    failed += 1;
    const { cause = data.details.error } = data.details.error;
    yield `FAILED  ${path.basename(data.file ?? "")}: ${data.name}\n${cause?.stack ?? cause}\n`;
  }
  yield `${passed} passed, ${failed} failed\n`;
}
