import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A program on some machine, with the facts that tell other programs whether it still runs. */
export interface Program {
  /** The scope of its process number: one machine since its last start, and a container on it. */
  readonly place: string;
  readonly pid: number;
  /** Its start time, in milliseconds since 1970. Tells it from a later program with the same process number. */
  readonly since: number;
}

/** Describes this program. */
export function thisProgram(): Program {
  return { place: currentPlace(), pid: process.pid, since: Math.round(performance.timeOrigin) };
}

/**
 * Returns whether a program has certainly ended. False for another machine or container, whose process numbers mean
 * nothing here.
 */
export function hasEnded(program: Program, self: Program): boolean {
  if (program.place !== self.place) return false;
  return program.pid === self.pid ? program.since !== self.since : !isAlive(program.pid);
}

/** Returns whether a process runs on this machine, no matter which user started it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function currentPlace(): string {
  const parts = process.platform === "linux" ? linuxPlace() : [hostname()];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/**
 * Returns the facts that identify the scope of process numbers on Linux. If the system does not report them, only this
 * process is in the scope.
 */
function linuxPlace(): readonly string[] {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return [hostname(), boot.trim(), readlinkSync("/proc/self/ns/pid")];
  } catch {
    return [hostname(), randomBytes(8).toString("hex")];
  }
}
