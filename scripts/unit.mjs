// Bundles test/unit/**/*.test.ts and runs it with mocha in this Node. Arguments keep only the files
// whose path contains one of them.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const esbuild = await import("esbuild");
const { out, root } = await import("./editor/paths.mjs");
const { oldestNode } = await import("./node/packagedNode.mjs");
const { testFilesNamed } = await import("./suite/testFiles.mjs");

/**
 * The timeout of a test in milliseconds: it only finds tests that never end. It is long, since tests take many times as
 * long on a busy machine. The benches measure times.
 */
const timeoutMs = "60000";

/** The options for bundling unit tests. */
export const unitBundle = {
  absWorkingDir: root,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "cjs",
  target: `node${oldestNode}`,
  logLevel: "warning",
};

/** Runs unit tests, bundled as the run `name`. Resolves to mocha's exit code. */
export async function runUnitTests({ name, files, env = process.env }) {
  const outfile = join(out, "test/unit", `${name}.js`);
  await esbuild.build({
    ...unitBundle,
    // One bundle for all, so that modules with many tests are loaded once and stay warm.
    stdin: { contents: files.map((file) => `import "./${file}";`).join("\n"), resolveDir: root },
    outfile,
    sourcemap: "linked",
    sourcesContent: false,
  });
  const child = spawn(
    process.execPath,
    [
      // Megabytes for new objects, so that most of a test's die before they are copied.
      "--max-semi-space-size=64",
      join(root, "node_modules/mocha/bin/mocha.js"),
      "--require",
      join(root, "scripts/suite/prepareUnitTests.cjs"),
      "--reporter",
      join(root, "scripts/suite/countingReporter.cjs"),
      "--timeout",
      timeoutMs,
      "--fail-zero",
      // The message of an assertion has the difference, which mocha would repeat with opposite signs.
      "--no-diff",
      outfile,
    ],
    { cwd: root, env, stdio: "inherit" },
  );
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const files = await testFilesNamed("test/unit", wanted);
  const words = wanted.join("-").replaceAll(/\W+/g, "-") || "all";
  // A file's name has at most 255 bytes.
  const name = words.length < 200 ? words : createHash("sha256").update(words).digest("hex");
  process.exitCode = await runUnitTests({ name, files });
}
