// Everything there is to check, in the order of what it costs: npm test. `-- --only=types,lint,unit`
// keeps the stages named; `editor` stands for newest and oldest.
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { stages } = await import("./stages.mjs");

const { values } = parseArgs({ options: { only: { type: "string" } } });
const wanted = values.only
  ?.split(",")
  .flatMap((name) => (name === "editor" ? ["newest", "oldest"] : [name]));
const unknown = wanted?.filter((name) => !stages.some((stage) => stage.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`No stage is called ${unknown.join(", ")}.`);
  process.exit(1);
}

let passed = 0;
const failures = [];
for (const stage of stages) {
  if (wanted !== undefined && !wanted.includes(stage.name)) continue;
  console.log(`\n━━ ${stage.name}: ${stage.title}`);
  const start = Date.now();
  const counts = await stage.run().catch((error) => {
    console.error(error);
    return { passed: 0, failures: [error.message] };
  });
  passed += counts.passed;
  failures.push(...counts.failures.map((line) => `${stage.name}: ${line}`));
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(
    `━━ ${stage.name}: ${counts.failures.length === 0 ? "good" : "FAILED"} after ${seconds} s`,
  );
}
// Once more at the end, where it is found without reading all the rest.
for (const line of failures) console.log(`✘ ${line}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
