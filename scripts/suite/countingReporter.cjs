// Mocha's spec reporter, which also writes the number of passed tests, the failed and skipped ones, and the slowest to
// the file in SKILL_REGISTRY_TEST_COUNTS, since a run in the editor has no other reliable way to report them. Failures name the
// original sources.
const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");
const { mapStack } = require("./mapStack.cjs");

/** The number of slowest tests that a run names. */
const slowestTests = 5;

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (_, error) => mapStack(error));
    const file = process.env.SKILL_REGISTRY_TEST_COUNTS;
    if (file === undefined) return;
    const skipped = [];
    const slowest = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) =>
      skipped.push(titleOf(test) + reasonOf(test)),
    );
    runner.on(Runner.constants.EVENT_TEST_END, (test) => {
      slowest.push({ title: titleOf(test), seconds: (test.duration ?? 0) / 1000 });
      slowest.sort((one, other) => other.seconds - one.seconds).splice(slowestTests);
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const failures = this.failures.map(
        (test) => `${titleOf(test)}: ${firstLine(test.err?.message)}`,
      );
      const { passes: passed } = this.stats;
      writeFileSync(file, JSON.stringify({ passed, failures, skipped, slowest }));
    });
  }
}

/** Returns the note of a skipped test with its reason, from `skipBecause`; an empty text without one. */
function reasonOf(test) {
  for (let part = test; part !== undefined; part = part.parent) {
    if (part.skipReason !== undefined) return ` (${part.skipReason})`;
  }
  return "";
}

function titleOf(test) {
  return test.titlePath().join(" › ");
}

function firstLine(message = "") {
  return message.split("\n", 1)[0];
}

module.exports = CountingReporter;
