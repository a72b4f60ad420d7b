// Loaded by mocha before the unit tests.
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const fc = require("fast-check");
const { assertClearTitles } = require("./clearTitles.cjs");

// Programs that tests start have their record here, not in the user's folder.
const machine = mkdtempSync(join(tmpdir(), "skill-registry-machine-"));
process.env.SKILL_REGISTRY_HOME = machine;
process.once("exit", () => rmSync(machine, { recursive: true, force: true }));

// Property tests use the same values each time, so that a failure is due to a change. `PROPERTY_SEED=random node
// scripts/unit.mjs` tries others.
const wanted = process.env.PROPERTY_SEED ?? "20261120";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

// Mocha listens for these events without failing a test, and a listener keeps Node.js from ending the process. Throwing
// here does both.
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** How long a process may live after its tests, in milliseconds: idle connections end within that time. */
const graceMs = 15_000;

exports.mochaHooks = { afterAll: [endInTime, assertClearTitles] };

/**
 * Ends the process after a while, since something left open would keep it alive forever. Editors keep what the sources
 * leave open.
 */
function endInTime() {
  setTimeout(() => {
    console.error(`Still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
    // Mocha replaces an exit code that was set before the process ends.
    process.once("exit", () => {
      process.exitCode = 1;
    });
    process.exit();
  }, graceMs).unref();
}
