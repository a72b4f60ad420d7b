import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A program of some machine, as far as another can tell whether it still runs. */
export interface Program {
  /** Where its process number counts: a machine since it started, and in it a container. */
  readonly place: string;
  readonly pid: number;
  /** When it started, in milliseconds since 1970: the next one may have the same number. */
  readonly since: number;
}

/** Describes this program. */
export function thisProgram(): Program {
  return { place: placeNow(), pid: process.pid, since: Math.round(performance.timeOrigin) };
}

/**
 * Returns whether a program has ended, as far as that can be known here. False for one of another container or machine:
 * its number means another process here, or none.
 */
export function hasEnded(program: Program, own: Program): boolean {
  if (program.place !== own.place) return false;
  return program.pid === own.pid ? program.since !== own.since : !isAlive(program.pid);
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

function placeNow(): string {
  const parts = process.platform === "linux" ? linuxPlace() : [hostname()];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/** Where the system does not say which numbers count, they count for this process alone. */
function linuxPlace(): readonly string[] {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return [hostname(), boot.trim(), readlinkSync("/proc/self/ns/pid")];
  } catch {
    return [hostname(), randomBytes(8).toString("hex")];
  }
}
