import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildExtension } from "../../esbuild.mjs";
import { forbiddenImports } from "../checks/checkImports.mjs";
import { checkPackedCli } from "../checks/checkPackedCli.mjs";
import { checkStart } from "../checks/checkStart.mjs";
import { findChromium } from "../editor/browser/findChromium.mjs";
import { installServerHost } from "../editor/install/installServerHost.mjs";
import { out, root } from "../editor/paths.mjs";
import { buildEditorTests } from "../editorTests/buildEditorTests.mjs";
import { editorWindows, wholeSuiteTests } from "../editorTests/editorWindows.mjs";
import { firstTests } from "../editorTests/firstTests.mjs";
import { runEditorTests } from "../editorTests/runEditorTests.mjs";
import { runMemoryTests } from "../memory.mjs";
import { packageExtension, packagePath } from "../packaging/packageExtension.mjs";
import { runUnitTests } from "../unit.mjs";
import { readCounts } from "./readCounts.mjs";
import { filesOfParts, testFilesBelow } from "./testFiles.mjs";

/** The folder of the bundled editor tests, which all windows share. */
const bundled = join(out, "test/editor/all");

/** The processes that unit tests run in; a file runs in the first whose `tests` fits its path. */
const unitProcesses = [
  { name: "pages", tests: /^test\/unit\/webview\// },
  { name: "core", tests: /^test\/unit\/core\// },
  { name: "language", tests: /^test\/unit\/language\// },
  { name: "cli", tests: /^test\/unit\/cli\// },
  { name: "rest", tests: /^test\/unit\// },
];

/**
 * Returns the stages of a run in the order in which they start as places become free. A stage starts once those that it
 * `needs` have passed. `npm test` opens one window of the newest VS Code; `windows` opens all others, and starts what is packed. With `all`, both VS Codes
 * run every editor test, every test runs all of its cases, extension hosts and commands are killed, packing is done
 * twice, and pictures of the window are compared. `tests` are the paths of the only tests to run besides checks of the
 * sources; none of them needs a window. The `run` of a stage resolves to readCounts' counts. A stage without tests has
 * one failure if it does not succeed.
 */
export async function stagesOf({ all = false, windows = false, tests } = {}) {
  const lintedFiles =
    tests === undefined ? ["."] : ["--changed", "--since=main", "--no-errors-on-unmatched"];
  const looks = [
    {
      name: "types",
      title: "TypeScript accepts every file, each part with what its world has",
      // Each further thread would check shared types again, while other stages want the processors.
      run: () => check(runTool("typescript/bin/tsc", "-b", "--singleThreaded")),
    },
    {
      name: "lint",
      title: "Biome has nothing to say",
      run: () => check(runTool("@biomejs/biome/bin/biome", "ci", ...lintedFiles)),
    },
    {
      name: "imports",
      title: "every import is in the table of ARCHITECTURE.md, and no folder is too full",
      run: () => check(keepToTheTable()),
    },
    {
      name: "unused",
      title: "no file, export or dependency is unused",
      run: () => check(runTool("knip/bin/knip.js")),
    },
  ];
  const browser = {
    name: "browser",
    title: "a browser is there",
    run: () => check(findChromium()),
  };
  const isOfMemory = (file) => file.startsWith("test/inMemory/");
  const windowless = tests ?? [
    ...(await testFilesBelow("test/unit")),
    ...(await testFilesBelow("test/inMemory")),
  ];
  const ofMemory = windowless.filter(isOfMemory);
  const shares = filesOfParts(
    windowless.filter((file) => !isOfMemory(file)),
    unitProcesses,
  );
  const units = [...shares]
    .filter(([, files]) => files.length > 0)
    .map(([{ name }, files]) => ({
      name: `unit-${name}`,
      title: `unit tests in this Node.js, process "${name}"`,
      needs: name === "pages" ? [browser.name] : [],
      run: () => runCounted({ name: `process-${name}`, files, all }),
    }));
  const build = {
    name: "build",
    title: "the extension is bundled",
    run: () => check(buildExtension()),
  };
  const memory = {
    name: "memory",
    title: "tests of the extension as a whole, in an editor in memory",
    needs: ["build"],
    run: () => runCounted({ name: "memory", files: ofMemory, all }, runMemoryTests),
  };
  if (tests !== undefined) {
    const needsBrowser = units.some(({ needs }) => needs.includes(browser.name));
    // The longest first, so that nothing waits for it at the end.
    return [
      ...(needsBrowser ? [browser] : []),
      ...units,
      ...looks,
      ...(ofMemory.length > 0 ? [build, memory] : []),
    ];
  }

  const package_ = {
    name: "package",
    title: "the extension is packaged",
    needs: ["build"],
    run: () => check(packageExtension({ twice: all })),
  };
  const bundle = {
    name: "bundle",
    title: "the editor tests are bundled",
    run: () => check(bundleEditorTests()),
  };
  const [installNewest, installOldest] = ["newest", "oldest"].map((host) => ({
    name: `install-${host}`,
    title: `the ${host} VS Code is there`,
    run: () => check(installServerHost(host)),
  }));
  const editorTests = await testFilesBelow("test/editor");
  const inNewest = (files) =>
    windowsOf(files, editorWindows).map(([name, windows]) => ({
      name: `newest-${name}`,
      title: `editor tests of the packaged extension in the newest VS Code, window "${name}"`,
      needs: ["package", "bundle", "browser", "install-newest"],
      run: () =>
        runEditorTests({
          ...{ host: "newest", windows, among: files, vsix: packagePath },
          ...{ bundle: bundled, all },
        }),
    }));
  const inOldest = (files) =>
    windowsOf(files, editorWindows).map(([name, windows]) => ({
      name: `oldest-${name}`,
      title: `editor tests of the sources' build in the oldest VS Code, window "${name}"`,
      needs: ["build", "bundle", "browser", "install-oldest"],
      run: () => runEditorTests({ host: "oldest", windows, among: files, bundle: bundled, all }),
    }));
  const packedCli = {
    name: "cli",
    title: "the command line runs from the npm package and from the installed extension",
    needs: ["package", "install-newest"],
    run: () => check(checkPackedCli()),
  };
  const start = {
    name: "start",
    title: "npm start opens a window and leaves nothing behind",
    needs: ["build", "install-newest"],
    run: () => check(checkStart()),
  };
  const first = Object.keys(firstTests);
  const missing = first.filter((file) => !editorTests.includes(file));
  if (missing.length > 0)
    throw new Error(`scripts/editorTests/firstTests.mjs names ${missing.join(", ")}.`);
  const toOpen = [browser, build, bundle, package_, installNewest];
  if (windows) {
    const others = editorTests.filter((file) => ![...first, ...wholeSuiteTests].includes(file));
    const withTools = {
      name: "tools",
      title: "unit tests that use the tools of this machine",
      run: async () => runCounted({ name: "tools", files: await testsWithTools(), all }),
    };
    return [
      ...toOpen,
      installOldest,
      ...inNewest(others),
      ...inOldest(first),
      withTools,
      packedCli,
      start,
    ];
  }

  return [
    ...looks,
    ...toOpen,
    ...(all ? [installOldest] : []),
    ...inNewest(all ? editorTests : first),
    ...(all ? inOldest(editorTests) : []),
    // After the windows, since shorter stages at the end leave no CPU idle.
    memory,
    ...units,
    ...(all
      ? [
          {
            name: "demo",
            title:
              "npm run demo sees every step of the main job; a killed extension host loses no record and sends nothing twice",
            needs: ["build", "browser", "install-newest"],
            run: () => check(runProgram("scripts/demo.mjs", "--kills=5")),
          },
          {
            name: "killed-runs",
            title: "a run that is killed again and again sends no line twice and loses none",
            needs: ["build"],
            run: () => check(runProgram("scripts/checks/checkKilledRuns.mjs", "1000", "20")),
          },
          {
            name: "killed-shards",
            title: "shards that are killed and started again send no line twice and lose none",
            needs: ["build"],
            run: () => check(runProgram("scripts/checks/checkKilledShards.mjs")),
          },
          {
            name: "killed-mix",
            title:
              "editors, commands and servers for agents that are killed lose nothing and send nothing twice",
            needs: ["build"],
            run: () => check(runProgram("scripts/checks/checkKilledMix.mjs")),
          },
          {
            name: "goldens",
            title: "the window looks as in test/goldens",
            needs: ["build", "browser", "install-newest"],
            run: () => check(runProgram("scripts/pictures/goldens.mjs")),
          },
          packedCli,
          start,
        ]
      : []),
  ];
}

/** Lists the unit tests that `skipWithout` a tool. */
async function testsWithTools() {
  const files = await testFilesBelow("test/unit");
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  return files.filter((_, index) => texts[index].includes("skipWithout("));
}

/** Returns counts without tests. Anything but `false` is a success. */
async function check(succeeding) {
  const failures = (await succeeding) === false ? ["see above"] : [];
  return { passed: 0, failures, skipped: [], slowest: [] };
}

async function keepToTheTable() {
  const forbidden = await forbiddenImports();
  for (const line of forbidden) console.error(line);
  return forbidden.length === 0;
}

async function bundleEditorTests() {
  await buildEditorTests({ outdir: bundled, files: await testFilesBelow("test/editor") });
}

/** Returns the windows of these editor tests: the name of each first one, with the names of those that continue it. */
function windowsOf(files, windows) {
  const used = [...filesOfParts(files, windows)]
    .filter(([, share]) => share.length > 0)
    .map(([window]) => window);
  return used
    .filter(({ continues }) => continues === undefined)
    .map(({ name }) => [
      name,
      [name, ...used.filter(({ continues }) => continues === name).map((window) => window.name)],
    ]);
}

function runTool(tool, ...args) {
  return runProgram(join("node_modules", tool), ...args);
}

/** Runs a Node.js program of this repository, showing its output. Resolves to whether it succeeded. */
async function runProgram(file, ...args) {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: "inherit" });
  return new Promise((done) => child.once("exit", (code) => done(code === 0)));
}

async function runCounted({ name, files, all }, run = runUnitTests) {
  const counts = join(out, `counts-${name}.json`);
  await mkdir(out, { recursive: true });
  await rm(counts, { force: true });
  const code = await run({
    name,
    files,
    env: {
      ...process.env,
      SKILL_REGISTRY_TEST_COUNTS: counts,
      ...(all ? { SKILL_REGISTRY_TEST_ALL: "yes" } : {}),
    },
  });
  const result = await readCounts(counts, name);
  const endedBadly = code !== 0 && result.failures.length === 0;
  return endedBadly ? { ...result, failures: [`${name}: ended with code ${code}`] } : result;
}
