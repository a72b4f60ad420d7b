import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Compiles modules with the strictest options. Returns the messages by `file:line`, with lines from 1. Compiles all at
 * once, since most of the time goes into reading the library's types.
 */
export function compileTypeScript(
  modules: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const folder = resolve("out/test/clients");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  const { stdout } = spawnSync(
    process.execPath,
    [
      resolve("node_modules/typescript/bin/tsc"),
      ...["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"],
      ...["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
      ...["--lib", "es2023,dom", "--types", "", "--ignoreConfig", ...Object.keys(modules)],
    ],
    { cwd: folder, encoding: "utf8", maxBuffer: 64_000_000 },
  );
  const failed = new Map<string, string>();
  for (const [message, file, line] of stdout.matchAll(/^(.*\.ts)\((\d+),\d+\): error.*$/gm)) {
    failed.set(`${file}:${line}`, message);
  }
  return failed;
}
