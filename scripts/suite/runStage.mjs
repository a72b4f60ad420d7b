// Runs one stage of `npm test` in a separate process and sends its counts to runStages, which started it: node
// scripts/suite/runStage.mjs NAME SELECTION, where SELECTION is stagesOf's as JSON. Stays alive until runStages has
// read its CPU time, or has ended itself.
import { stagesOf } from "./stages.mjs";

const [name, selection] = process.argv.slice(2);
for (const end of ["message", "disconnect"]) process.once(end, () => process.exit());
const stages = await stagesOf(JSON.parse(selection));
const counts = await stages
  .find((stage) => stage.name === name)
  .run()
  .catch((error) => {
    console.error(error);
    return { passed: 0, failures: [error.message], skipped: [], slowest: [] };
  });
process.send(counts);
