// Loaded by mocha before the unit tests.
const fc = require("fast-check");

// Property tests take the same values each time, so that a change is to blame when one fails.
// `PROPERTY_SEED=random node scripts/unit.mjs` looks further.
const wanted = process.env.PROPERTY_SEED ?? "20261120";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

/** How long a process may live on after its tests, in milliseconds: connections that lie idle end within it. */
const graceMs = 15_000;

exports.mochaHooks = {
  // A test that fails may leave a server open, which would keep this process, and what waits for it, for ever.
  afterAll() {
    setTimeout(() => {
      console.error(`Still open after the tests: ${process.getActiveResourcesInfo().join(", ")}`);
      process.exit();
    }, graceMs).unref();
  },
};
