// Runs the editor tests inside an extension host: what `extensionTestsPath` points to.
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { testSeconds } from "./eventually";
import { pictureFailures } from "./window/pictureFailures";

/**
 * Runs the tests of the files that SKILL_REGISTRY_TEST_FILES lists, as JSON, which are compiled beside
 * this one. Rejects when one fails or there is none.
 */
export async function run(): Promise<void> {
  markConsole(process.env.SKILL_REGISTRY_TEST_MARK ?? "");
  // Imported only now, because mocha keeps the console that it finds at import.
  const { default: Mocha } = await import("mocha");
  const suite = resolve(__dirname, "../../../../scripts/suite");
  const { assertClearTitles } = await import(pathToFileURL(join(suite, "clearTitles.cjs")).href);
  const mocha = new Mocha({
    timeout: testSeconds * 1000,
    slow: 5_000,
    color: true,
    // The message of an assertion has the difference, which mocha would repeat with opposite signs.
    diff: false,
    rootHooks: { ...pictureFailures(), afterAll: assertClearTitles },
    reporter: join(suite, "countingReporter.cjs"),
  });
  const files: string[] = JSON.parse(process.env.SKILL_REGISTRY_TEST_FILES ?? "[]");
  for (const file of files) {
    mocha.addFile(join(__dirname, relative("test/editor", file).replace(/ts$/, "js")));
  }
  await mocha.loadFilesAsync();
  await new Promise<void>((done, fail) => {
    const runner = mocha.run((failures) => {
      if (failures > 0) fail(new Error(`${failures} failed.`));
      else if (runner.total === 0) fail(new Error("There is no test to run."));
      else done();
    });
  });
}

/** Prefixes each console message, so that a host can distinguish the tests' messages from the window's own. */
function markConsole(mark: string): void {
  if (mark === "") return;
  for (const level of ["log", "info", "warn", "error"] as const) {
    const write = console[level];
    // The extension host ignores an assignment here, but not a definition.
    Object.defineProperty(console, level, {
      value: (...args: unknown[]) => write("%s", mark + format(...args)),
    });
  }
}
