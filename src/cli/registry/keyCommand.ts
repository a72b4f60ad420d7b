import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { isJsonObject, parsedJson } from "../../core/json/jsonValue";
import { configFolder } from "../../engine/files/machine";
import { Timer } from "../../registry/wait";
import type { Terminal } from "../terminal";

/** The timeout of the command, in milliseconds. It may ask its user to unlock something. */
const timeoutMs = 10_000;
/** The maximum size of a key in bytes. */
const maxKeyBytes = 4_000;
/** The maximum size of the file in bytes; a hundred registries need less. */
const maxFileBytes = 100_000;

/**
 * Reads the Project Key of a registry by running the `keyCommand` of the user's own `config.json` for its origin: a
 * list of arguments, run without a shell. The key stays in memory. Undefined without a command. Throws a `CommandError`
 * for an unusable file or command, without quoting either.
 */
export async function keyByCommand(
  origin: string,
  terminal: Terminal,
): Promise<string | undefined> {
  const path = join(configFolder(terminal.env), "config.json");
  const found = await commandIn(path, origin);
  if (found === undefined) return undefined;
  const [program = "", ...args] = found;
  const printed = await output(program, args, terminal).catch(() => undefined);
  const key = printed?.trim() ?? "";
  if (key !== "") {
    terminal.redactor.learn(key);
    return key;
  }
  throw new CommandError(
    `The keyCommand for ${origin} in ${path} printed no key: it failed, took longer than ${timeoutMs / 1000} s, or printed too much.`,
    exitCodes.unknown,
  );
}

async function commandIn(path: string, origin: string): Promise<readonly string[] | undefined> {
  const config = await readUserFile(path);
  if (config === undefined) return undefined;
  const value = parsedJson(config);
  const registries = isJsonObject(value) && value["format"] === 1 ? value["registries"] : undefined;
  if (!isJsonObject(registries)) {
    throw new CommandError(`${path} cannot be used: it has no "format": 1 with "registries".`);
  }
  const entry = Object.hasOwn(registries, origin) ? registries[origin] : undefined;
  const command = isJsonObject(entry) ? entry["keyCommand"] : undefined;
  if (command === undefined) return undefined;
  const isList = Array.isArray(command) && command.length > 0;
  if (!isList || !command.every((item) => typeof item === "string" && item !== "")) {
    throw new CommandError(`${path} cannot be used: keyCommand of ${origin} is no list of texts.`);
  }
  return command as readonly string[];
}

/** Reads a file that only this user can have written. Undefined if it does not exist. */
async function readUserFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const uid = process.getuid?.();
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
  if (!isOwn || !found.isFile() || found.size > maxFileBytes) {
    throw new CommandError(`${path} is not used: others may write it, or it is not a small file.`);
  }
  return readFile(path, "utf8");
}

function output(program: string, args: readonly string[], { env, signal }: Terminal) {
  const late = new AbortController();
  const timer = new Timer();
  timer.after(timeoutMs, () => late.abort());
  const limits = { killSignal: "SIGKILL", maxBuffer: maxKeyBytes } as const;
  const ends = AbortSignal.any([signal, late.signal]);
  const options = { ...limits, env: { ...env }, signal: ends, windowsHide: true, shell: false };
  return new Promise<string>((resolve, reject) => {
    const child = execFile(program, args, options, (error, printed) =>
      error === null ? resolve(printed) : reject(error),
    );
    child.stdin?.end();
  }).finally(() => timer.dispose());
}
