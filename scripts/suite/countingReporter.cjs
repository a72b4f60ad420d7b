// Mocha's spec reporter, which also writes how many tests passed, which failed and why, and which were
// skipped, to the file named by SKILL_REGISTRY_TEST_COUNTS: a run in the editor has no other reliable
// way to tell. Where a test failed it says by the sources.
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
