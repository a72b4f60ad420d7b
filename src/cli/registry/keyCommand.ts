import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { isJsonObject, parsedJson } from "../../core/json/jsonValue";
import { configFolder, isWrittenByUserAlone } from "../../engine/files/machine";
import { Timer } from "../../registry/wait";
import type { Terminal } from "../terminal";

/** The timeout of the command, in milliseconds. It may ask its user to unlock something. */
const timeoutMs = 10_000;
/** How long to read what an ended command printed, in milliseconds. A process that it left may keep the pipe open. */
const graceMs = 200;
/** The maximum size of a key in bytes. */
const maxKeyBytes = 4_000;
/** The maximum size of the file in bytes; a hundred registries need less. */
const maxFileBytes = 100_000;

/**
 * Reads the Project Key of a registry by running the `keyCommand` of the user's own `config.json` for its origin: a
 * list of arguments, run without a shell, in the folder of that file. The key stays in memory. Undefined without a command. Throws a `CommandError`
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
  const printed = await output(program, args, dirname(path), terminal).catch(() => undefined);
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
  const [program = ""] = command as readonly string[];
  // A relative path would lead into the repository in which the command was started.
  if (/[\\/]/.test(program) && !isAbsolute(program)) {
    throw new CommandError(
      `${path} cannot be used: keyCommand of ${origin} is a relative path. Write an absolute one, or a name in PATH.`,
    );
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
  if (!(await isWrittenByUserAlone(path)) || !found.isFile() || found.size > maxFileBytes) {
    throw new CommandError(
      `${path} is not used: others may write it or its folder, or it is not a small file.`,
    );
  }
  return readFile(path, "utf8");
}

/**
 * Runs a program in a folder, so that neither a bare name nor a relative entry of PATH finds a program of the repository.
 * Resolves to what it printed. Rejects if it fails, takes too long or prints too much.
 */
function output(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, signal }: Terminal,
): Promise<string> {
  const late = new AbortController();
  const timer = new Timer();
  timer.after(timeoutMs, () => late.abort());
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, {
      ...{ cwd, env: { ...env }, windowsHide: true, killSignal: "SIGKILL" },
      stdio: ["ignore", "pipe", "ignore"],
      signal: AbortSignal.any([signal, late.signal]),
    });
    let printed = "";
    child.stdout.on("data", (part: Buffer) => {
      printed += part.toString("utf8");
      if (printed.length <= maxKeyBytes) return;
      child.kill("SIGKILL");
      reject(new Error("It printed too much."));
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      const end = () => {
        // Otherwise, the command line would run until the other process ends.
        child.stdout.destroy();
        if (code === 0) resolve(printed);
        else reject(new Error("It failed."));
      };
      child.stdout.once("close", end);
      timer.after(graceMs, end);
    });
  }).finally(() => timer.dispose());
}
