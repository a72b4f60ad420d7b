import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installExtension } from "../editor/install/installExtension.mjs";
import { runQuietly } from "../editor/runQuietly.mjs";
import { packageCommandLine } from "../packaging/packageCommandLine.mjs";
import { packagePath } from "../packaging/packageExtension.mjs";

/**
 * Runs the command line as users get it: installed into an empty folder and by npx from the npm package, and from the
 * extension installed from its .vsix. Rejects if it does not start, lacks a part, or installs another package.
 */
export async function checkPackedCli() {
  const folder = await mkdtemp(join(tmpdir(), "packed-cli-"));
  try {
    const work = join(folder, "work");
    await mkdir(work);
    await writeFile(join(work, "text-stats.skill-input.json"), '{"text":"Good morning."}\n');
    const npm = { npm_config_cache: join(folder, "cache"), npm_config_offline: "true" };
    const env = {
      ...process.env,
      ...npm,
      npm_config_update_notifier: "false",
      SKILL_REGISTRY_HOME: join(folder, "machine"),
    };
    const { path: packed, about } = await packageCommandLine();
    const empty = join(folder, "empty");
    await mkdir(empty);
    await runQuietly("npm", ["install", "--no-audit", "--no-fund", packed], { cwd: empty, env });
    const brought = (await readdir(join(empty, "node_modules"))).filter(
      (one) => !one.startsWith("."),
    );
    if (brought.join() !== about.name) throw new Error(`npm installed ${brought.join(", ")}.`);
    const npx = ["--yes", "--package", `file:${packed}`, "skill-registry"];
    const extensionsFolder = join(folder, "extensions");
    const dataFolder = join(folder, "data");
    await installExtension({ name: "newest", dataFolder, extensionsFolder, file: packagePath });
    const names = await readdir(extensionsFolder);
    const installed = names.find((name) => /(?:^|\.)skill-registry-/.test(name));
    const cli = join(extensionsFolder, installed, "dist/cli.js");
    // The built-in registry, the client and the language thread are separate files. On a CI machine a command without a
    // registry is an error, so it is named.
    const builtIn = ["--registry", "built-in"];
    const results = ["--out", "results.jsonl"];
    const commands = [
      ["--help"],
      ["validate", ".", ...builtIn],
      ["run", "text-stats.jsonl", "--yes", ...builtIn, ...results],
      // Parts that are only loaded for agents.
      ["agents", "list"],
    ];
    const ways = [
      ["npx", npx],
      [join(empty, "node_modules/.bin/skill-registry"), []],
      [process.execPath, [cli]],
    ];
    for (const [program, before] of ways) {
      await writeFile(join(work, "text-stats.jsonl"), '{"text":"One."}\n{"text":"Two."}\n');
      for (const command of commands) {
        await runQuietly(program, [...before, ...command], { cwd: work, env });
      }
      const lines = (await readFile(join(work, "results.jsonl"), "utf8")).trim().split("\n");
      if (lines.length !== 2) throw new Error(`${lines.length} of 2 lines have results.`);
      await rm(join(work, "results.jsonl"));
      await rm(join(work, "text-stats.jsonl.journal"));
    }
    console.log(`${packed} and ${installed}: ${commands.map((one) => one.join(" ")).join(", ")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
