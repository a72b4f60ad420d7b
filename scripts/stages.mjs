import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildExtension } from "../esbuild.mjs";
import { out, root } from "../test/host/paths.mjs";
import { forbiddenImports } from "./checkImports.mjs";
import { checkStart } from "./checkStart.mjs";
import { packageExtension } from "./packageExtension.mjs";
import { readCounts } from "./readCounts.mjs";
import { runEditorTests } from "./runEditorTests.mjs";
import { runProgram } from "./runProgram.mjs";
import { runUnitTests } from "./unit.mjs";

/**
 * The stages of `npm test`, in order. Each resolves to `{ passed, failures }`, how many tests passed
 * and a line for each that did not; one that runs no tests is one failure when it does not succeed.
 */
export const stages = [
  {
    name: "types",
    title: "TypeScript accepts every file",
    run: () =>
      check(runProgram(join(root, "node_modules/typescript/bin/tsc"), ["--noEmit"], { cwd: root })),
  },
  {
    name: "lint",
    title: "Biome has nothing to say",
    run: () =>
      check(
        runProgram(join(root, "node_modules/@biomejs/biome/bin/biome"), ["ci", "."], { cwd: root }),
      ),
  },
  {
    name: "imports",
    title: "every import is in the table of ARCHITECTURE.md",
    run: () => check(keepToTheTable()),
  },
  {
    name: "build",
    title: "the extension is bundled",
    run: () => check(buildExtension().then(() => true)),
  },
  {
    name: "unit",
    title: "unit tests in this Node.js",
    run: runCountedUnitTests,
  },
  {
    name: "start",
    title: "npm start opens a window and leaves nothing behind",
    run: () => check(checkStart()),
  },
  {
    name: "demo",
    title: "npm run demo sees every step of the main job",
    run: () => check(runProgram(join(root, "scripts/demo.mjs"), [], { cwd: root })),
  },
  {
    name: "killed",
    title: "a window whose extension host is killed in the middle of calls keeps its record",
    run: () => check(runProgram(join(root, "scripts/checkKilledHost.mjs"), [], { cwd: root })),
  },
  {
    name: "newest",
    title: "editor tests of the packaged extension, in a clean profile of the newest VS Code",
    run: async () => runEditorTests({ host: "newest", vsix: await packageExtension() }),
  },
  {
    name: "oldest",
    title: "editor tests of the sources' build, in the oldest VS Code that is supported",
    run: () => runEditorTests({ host: "oldest" }),
  },
];

async function check(succeeding) {
  return { passed: 0, failures: (await succeeding) ? [] : ["see above"] };
}

async function keepToTheTable() {
  const forbidden = await forbiddenImports();
  for (const line of forbidden) console.error(line);
  return forbidden.length === 0;
}

async function runCountedUnitTests() {
  const counts = join(out, "unit-counts.json");
  await mkdir(out, { recursive: true });
  await rm(counts, { force: true });
  const code = await runUnitTests({
    mochaArguments: ["--reporter", join(root, "scripts/countingReporter.cjs")],
    env: { ...process.env, SKILL_REGISTRY_TEST_COUNTS: counts },
  });
  const { passed, failures } = await readCounts(counts, "unit tests");
  const endedBadly = code !== 0 && failures.length === 0;
  return { passed, failures: endedBadly ? [`unit tests: ended with code ${code}`] : failures };
}
