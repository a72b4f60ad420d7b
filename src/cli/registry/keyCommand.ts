import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
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
 * list of arguments, run without a shell, in the folder of that file. The key stays in memory. Undefined without a
 * command. Throws a `CommandError` for an unusable file or command, without quoting either.
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
 *
 * With a controlling terminal, the program stays in the foreground process group: in another group or session it could
 * not ask for a password. Otherwise it leads a group, which is ended as a whole. Windows has no such groups, and a
 * detached program would open a window there.
 */
function output(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, hasControllingTerminal, signal }: Terminal,
): Promise<string> {
  const leadsGroup = !hasControllingTerminal && process.platform !== "win32";
  const timer = new Timer();
  const canceled = new AbortController();
  return new Promise<string>((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(program, args, {
      ...{ cwd, env: { ...env }, windowsHide: true, detached: leadsGroup },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const end = (reason: string) => {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && isRunning) endWithDescendants(child.pid, leadsGroup);
      child.stdout.destroy();
      reject(new Error(reason));
    };
    timer.after(timeoutMs, () => end("It took too long."));
    signal.addEventListener("abort", () => end("It was canceled."), { signal: canceled.signal });
    let printed = "";
    child.stdout.on("data", (part: Buffer) => {
      printed += part.toString("utf8");
      if (printed.length > maxKeyBytes) end("It printed too much.");
    });
    child.once("error", reject);
    const finish = (code: number | null) => {
      // Otherwise, the command line would run until the other process ends.
      child.stdout.destroy();
      if (code === 0) resolve(printed);
      else reject(new Error("It failed."));
    };
    child.once("exit", (code) => timer.after(graceMs, () => finish(code)));
    child.once("close", finish);
  }).finally(() => {
    timer.dispose();
    canceled.abort();
  });
}

/** Ends a program with its group, or with its descendants that still run. */
function endWithDescendants(pid: number, leadsGroup: boolean): void {
  for (const target of leadsGroup ? [-pid] : [...descendants(pid), pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/**
 * Returns the process IDs of the descendants of a program. Empty without Linux's `/proc`: elsewhere only another
 * program could list them. A descendant whose parent has ended is not found.
 */
function descendants(pid: number): readonly number[] {
  const children = Map.groupBy(runningProcesses(), ({ parent }) => parent);
  const below = (parent: number): readonly number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

function runningProcesses(): readonly { readonly pid: number; readonly parent: number }[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), parent: parentOf(name) }));
  } catch {
    return [];
  }
}

/** Returns the parent of a process, from the second field after its name, which may contain any character. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 1).split(" ")[2]);
  } catch {
    return 0;
  }
}
