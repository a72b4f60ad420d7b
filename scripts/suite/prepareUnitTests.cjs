// Loaded by mocha before the unit tests.
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const fc = require("fast-check");
const { assertClearTitles } = require("./clearTitles.cjs");

// Programs that tests start keep their record here, and not with whoever runs the tests.
const machine = mkdtempSync(join(tmpdir(), "skill-registry-machine-"));
process.env.SKILL_REGISTRY_HOME = machine;
process.once("exit", () => rmSync(machine, { recursive: true, force: true }));

// Property tests take the same values each time, so that a change is to blame when one fails.
// `PROPERTY_SEED=random node scripts/unit.mjs` looks further.
const wanted = process.env.PROPERTY_SEED ?? "20261120";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

// Mocha listens for these and fails no test, and where anything listens, Node.js ends no process: what is thrown does both.
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** How long a process may live on after its tests, in milliseconds: connections that lie idle end within it. */
const graceMs = 15_000;

exports.mochaHooks = { afterAll: [endInTime, assertClearTitles] };

/** What is left open would keep this process, and what waits for it, for ever; and editors keep what the sources leave. */
function endInTime() {
  setTimeout(() => {
    console.error(`Still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
    // Mocha puts its own code in place of any that was set before the process ends.
    process.once("exit", () => {
      process.exitCode = 1;
    });
    process.exit();
  }, graceMs).unref();
}
