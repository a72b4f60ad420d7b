// Mocha's spec reporter, which also writes the number of passed tests, and the failed and skipped ones, to the file in
// SKILL_REGISTRY_TEST_COUNTS, since a run in the editor has no other reliable way to report them. Failures name the
// original sources.
const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");
const { mapStack } = require("./mapStack.cjs");

class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (_, error) => mapStack(error));
    const file = process.env.SKILL_REGISTRY_TEST_COUNTS;
    if (file === undefined) return;
    const skipped = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => skipped.push(titleOf(test)));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const failures = this.failures.map(
        (test) => `${titleOf(test)}: ${firstLine(test.err?.message)}`,
      );
      writeFileSync(file, JSON.stringify({ passed: this.stats.passes, failures, skipped }));
    });
  }
}

function titleOf(test) {
  return test.titlePath().join(" › ");
}

function firstLine(message = "") {
  return message.split("\n", 1)[0];
}

module.exports = CountingReporter;
