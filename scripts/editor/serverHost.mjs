#!/usr/bin/env node
// Takes VS Code's command line and opens that window in VS Code's server build and a headless Chromium.
// `@vscode/test-electron` starts this if desktop VS Code cannot be downloaded. The variable SKILL_REGISTRY_TEST_EDITOR
// selects `newest` (default) or `oldest`. With SKILL_REGISTRY_TEST_RESTRICTED, the folder is not trusted, whatever the
// command line says.
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installExtension } from "./install/installExtension.mjs";
import { quietSettings } from "./runSettings.mjs";
import { runTestsInWindow } from "./runTestsInWindow.mjs";

const { values: flags, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string", multiple: true, default: [] },
    extensionTestsPath: { type: "string" },
    "user-data-dir": { type: "string" },
    "extensions-dir": { type: "string" },
    "install-extension": { type: "string" },
    locale: { type: "string" },
    "disable-workspace-trust": { type: "boolean", default: false },
  },
});

const dataFolder = resolve(flags["user-data-dir"] ?? ".vscode-test/user-data");
const common = {
  name: process.env.SKILL_REGISTRY_TEST_EDITOR ?? "newest",
  dataFolder,
  extensionsFolder: resolve(flags["extensions-dir"] ?? join(dataFolder, "extensions")),
};

if (flags["install-extension"] !== undefined) {
  await installExtension({ ...common, file: resolve(flags["install-extension"]) });
} else {
  const code = await runTestsInWindow({
    ...common,
    ...(await opened(positionals[0])),
    // Desktop VS Code has its settings here; a run writes them once for both.
    settings:
      (await readJson(join(dataFolder, "User/settings.json"))) ??
      quietSettings({ editor: common.name }),
    trustEverything:
      flags["disable-workspace-trust"] && process.env.SKILL_REGISTRY_TEST_RESTRICTED === undefined,
    language: flags.locale,
    extensions: flags.extensionDevelopmentPath.map((path) => resolve(path)),
    tests: flags.extensionTestsPath,
  });
  process.exit(code);
}

/** Resolves to what a path on the command line opens: a folder, a workspace or a file. */
async function opened(path) {
  if (path === undefined) return {};
  const full = resolve(path);
  if ((await stat(full)).isDirectory()) return { folder: full };
  return full.endsWith(".code-workspace") ? { workspace: full } : { file: full };
}

async function readJson(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}
