// Runs all checks, one more at a time than the machine has processors: npm test. `-- --only=types,lint,unit` keeps the
// stages with these names or prefixes, and those that they need; `editor` stands for newest and oldest. `-- --changed`
// keeps checks of every file and, of the tests without a window, those that reach a change since main; `--list` prints
// the tests of each changed file and runs nothing. `-- --windows` runs the editor tests that npm test leaves out, and
// `-- --all` everything, all editor tests in both VS Codes. `-- --places=4` runs four stages at a time, and `-- --tools`
// fails if a tool of scripts/suite/tools.json is missing.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { changedTests, testsOfChangedFiles } = await import("./suite/changedTests.mjs");
const { memoryFolder } = await import("./suite/memoryFolder.mjs");
const { missingTool, skippedLines } = await import("./suite/tools.mjs");
const { runStages } = await import("./suite/runStages.mjs");
const { stagesOf } = await import("./suite/stages.mjs");
const { stageTable } = await import("./suite/stageTable.mjs");

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    changed: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    windows: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    tools: { type: "boolean", default: false },
    places: { type: "string" },
  },
});
if (values.list) {
  for (const { file, tests } of await testsOfChangedFiles()) {
    console.log([file, ...(tests.length === 0 ? ["no test"] : tests)].join("\n  "));
  }
  process.exit();
}
// Stages also wait, for a window above all; several windows need the processors for themselves.
const places = Number(values.places ?? availableParallelism() + (values.windows ? 0 : 1));
const selection = {
  all: values.all,
  windows: values.windows,
  ...(values.changed ? { tests: await changedTests() } : {}),
};
const stages = wantedOf(await stagesOf(selection), values.only);
const start = Date.now();
const folder = process.env.TMPDIR === undefined ? memoryFolder() : undefined;
if (folder !== undefined) process.env.TMPDIR = folder;
const results = await runStages(stages, { places, selection });

const of = (key) =>
  stages.flatMap(({ name }) => results.get(name)[key].map((line) => `${name}: ${line}`));
const skipped = of("skipped");
const failures = of("failures");
if (values.tools) {
  const missing = new Set(skipped.map(missingTool).filter((name) => name !== undefined));
  for (const name of missing) failures.push(`${name} is missing: install it, or leave out --tools`);
}
const taken = stages.map(({ name }) => ({
  ...results.get(name),
  name,
  tests: results.get(name).passed,
}));
const passed = taken.reduce((sum, { tests }) => sum + tests, 0);
const slowest = taken
  .flatMap(({ name, slowest }) => slowest.map((test) => ({ ...test, stage: name })))
  .sort((one, other) => other.seconds - one.seconds);
// Repeated at the end, where it is found without reading everything.
console.log(`\n${stageTable(taken, (Date.now() - start) / 1000).join("\n")}\n`);
for (const { title, seconds, stage } of slowest.slice(0, 5)) {
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${stage}: ${title}`);
}
for (const line of skippedLines(skipped)) console.log(line);
for (const line of failures) console.log(`✘ ${line}`);
const skips = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
console.log(`\n${passed} passed, ${failures.length} failed${skips}`);
process.exitCode = failures.length === 0 ? 0 : 1;

function wantedOf(all, only) {
  if (only === undefined) return all;
  const names = only
    .split(",")
    .flatMap((name) => (name === "editor" ? ["newest", "oldest"] : name));
  const isNamed = (stage, name) => stage.name === name || stage.name.startsWith(`${name}-`);
  const unknown = names.filter((name) => !all.some((stage) => isNamed(stage, name)));
  if (unknown.length > 0) {
    console.error(`No stage is called ${unknown.join(", ")}.`);
    process.exit(1);
  }
  const wanted = new Set(all.filter((stage) => names.some((name) => isNamed(stage, name))));
  // Iterating over a set includes elements added meanwhile.
  for (const { needs = [] } of wanted) {
    for (const name of needs) wanted.add(all.find((stage) => stage.name === name));
  }
  return all.filter((stage) => wanted.has(stage));
}
