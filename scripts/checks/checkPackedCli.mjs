import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installExtension } from "../editor/install/installExtension.mjs";
import { root } from "../editor/paths.mjs";
import { runQuietly } from "../editor/runQuietly.mjs";
import { packagePath } from "../packaging/packageExtension.mjs";

/**
 * Runs the command line as users get it: by npx from the packed npm package, and from the extension that
 * was installed from its .vsix. Rejects where it does not start, or does not find the threads it needs.
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
    await runQuietly("npm", ["pack", "--pack-destination", folder], { cwd: root, env });
    const packed = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
    const npx = ["--yes", "--package", `file:${join(folder, packed)}`, "skill-registry"];
    const extensionsFolder = join(folder, "extensions");
    const dataFolder = join(folder, "data");
    await installExtension({ name: "newest", dataFolder, extensionsFolder, file: packagePath });
    const names = await readdir(extensionsFolder);
    const installed = names.find((name) => /(?:^|\.)skill-registry-/.test(name));
    const cli = join(extensionsFolder, installed, "dist/cli.js");
    // The built-in registry, the client and the language thread are files beside the command's own.
    // On a CI machine a command without a registry is an error, so it is named.
    const commands = [["--help"], ["validate", ".", "--registry", "built-in"]];
    for (const command of commands) {
      await runQuietly("npx", [...npx, ...command], { cwd: work, env });
      await runQuietly(process.execPath, [cli, ...command], { cwd: work, env });
    }
    console.log(`${packed} and ${installed}: ${commands.map((one) => one.join(" ")).join(", ")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
