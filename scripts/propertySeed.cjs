// Loaded by mocha before the unit tests: property tests take the same values each time, so that a
// change is to blame when one fails. `PROPERTY_SEED=random node scripts/unit.mjs` looks further.
const fc = require("fast-check");

const wanted = process.env.PROPERTY_SEED ?? "20261120";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });
