import { randomBytes } from "node:crypto";
import { open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { inFolder } from "../engine/files/inFolder";

/** A lock among the processes of this machine: ours, another's, or one that could not be written. */
export type LockAnswer =
  | { readonly kind: "taken"; readonly release: () => Promise<void> }
  /** `pid` is left out while the lock is just being written or taken over. */
  | { readonly kind: "held"; readonly pid?: number }
  | { readonly kind: "unavailable"; readonly error: unknown };

interface Holder {
  readonly pid: number;
  /** When the process started, in milliseconds since 1970: in a container the next one has the same number. */
  readonly since?: number;
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly token: string;
}

/** An unreadable lock is being written; after this time, it was left by a crash. */
const writingMs = 3_000;

/**
 * Takes the lock `path` until it is released, this process ends, or the time `until` has passed. A lock whose
 * window died is taken over. Never rejects and never waits.
 */
export async function takeLock(path: string, until: number): Promise<LockAnswer> {
  const token = randomBytes(8).toString("hex");
  const holder: Holder = { pid: process.pid, since: performance.timeOrigin, until, token };
  try {
    const isTaken = await inFolder(dirname(path), () => create(path, holder));
    if (isTaken) return taken(path, holder);
    if ((await stateOf(path)) === "held") return held(path);
    return (await takeOver(path, holder)) ? taken(path, holder) : await held(path);
  } catch (error) {
    return { kind: "unavailable", error };
  }
}

async function held(path: string): Promise<LockAnswer> {
  const holder = await readHolder(path);
  return { kind: "held", ...(holder !== undefined && { pid: holder.pid }) };
}

function taken(path: string, { token }: Holder): LockAnswer {
  const release = async () => {
    const current = await readHolder(path);
    if (current?.token === token) await rm(path, { force: true }).catch(() => undefined);
  };
  return { kind: "taken", release };
}

/** Two windows that find the same dead lock must not both take it: one at a time may remove it. */
async function takeOver(path: string, holder: Holder): Promise<boolean> {
  const turn = `${path}.turn`;
  if (!(await create(turn, holder))) {
    const age = await ageOf(turn);
    if (age !== undefined && age > writingMs) await rm(turn, { force: true });
    return false;
  }
  try {
    // A missing lock was released, and another window may be taking it at this moment: that one must stay.
    if ((await stateOf(path)) === "dead") await rm(path, { force: true });
    return await create(path, holder);
  } finally {
    await rm(turn, { force: true });
  }
}

async function create(path: string, holder: Holder): Promise<boolean> {
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(JSON.stringify(holder));
    await file.close();
    return true;
  } catch (error) {
    // A full disk still creates files: an empty lock would block the next invocation.
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

async function stateOf(path: string): Promise<"held" | "dead" | "gone"> {
  const holder = await readHolder(path);
  if (holder !== undefined) {
    return holder.until < Date.now() || !isHeldBy(holder) ? "dead" : "held";
  }
  const age = await ageOf(path);
  if (age === undefined) return "gone";
  return age > writingMs ? "dead" : "held";
}

function isHeldBy({ pid, since = performance.timeOrigin }: Holder): boolean {
  return pid === process.pid ? since === performance.timeOrigin : isAlive(pid);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as Partial<Holder> | null;
    const { pid, until, token } = value ?? {};
    const isWhole = Number.isInteger(pid) && Number.isFinite(until) && typeof token === "string";
    return isWhole ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** The age of a file, in milliseconds; undefined where it no longer exists. */
async function ageOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && Math.abs(Date.now() - found.mtimeMs);
}

/** Returns whether a process of this machine runs; one of another user counts. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
