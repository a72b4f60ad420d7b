import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { homeVariable } from "../files/machine";
import { fileReason, isSystemError } from "../files/textFile";

/**
 * Why an operation failed. `newer`: a newer version wrote the file. `unusable`: the disk cannot be read or written, or
 * this Node.js has no SQLite. `busy`: other programs locked the file for too long. `damaged`: the file is damaged, and
 * is renamed.
 */
export type StoreProblemKind = "newer" | "unusable" | "busy" | "damaged";

/** Thrown for an operation that the store could not run. Nothing happened. */
export class StoreProblem extends Error {
  constructor(
    readonly kind: StoreProblemKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StoreProblem";
  }
}

/** Thrown if the record of invocations cannot be read, so that it does not look empty. */
export class RecordUnreadable extends StoreProblem {
  constructor(error: unknown) {
    const { kind, message } = problemOf(error);
    super(kind, message, error);
    this.name = "RecordUnreadable";
  }
}

/** SQLite's primary error codes, without the details in higher bits. */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
};

/** SQLite's error code if there is no room for the shared memory of the programs. */
const noSharedMemory = 4874;

/**
 * Converts any error about the store at a path into a problem whose message says what happened and what to do. An error
 * that is a bug of ours becomes `unusable`.
 */
export function problemOf(error: unknown, path?: string): StoreProblem {
  if (error instanceof StoreProblem) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (isBusy(error)) {
    return new StoreProblem("busy", "Other programs kept the record busy. Try again.", error);
  }
  if (isDamage(error)) return new StoreProblem("damaged", text, error);
  return new StoreProblem("unusable", path === undefined ? text : whyUnusable(error, path), error);
}

function whyUnusable(error: unknown, path: string): string {
  const code = isSystemError(error) ? error.code : systemCodeOf(error, path);
  if (code === undefined) {
    const text = error instanceof Error ? error.message : String(error);
    return `${path} cannot be used: ${text}. Name another folder in ${homeVariable}.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk of ${dirname(path)} is full. Free some space, or name another folder in ${homeVariable}.`;
  }
  // Missing folders are created. `EEXIST` means that a file has the folder's name.
  const reason = fileReason({ code: code === "EEXIST" ? "ENOTDIR" : code });
  return `${path} cannot be used: ${reason}. Let this user write it and its folder, or name another folder in ${homeVariable}.`;
}

/** Returns the system's error code behind an error of SQLite, which does not report it. */
function systemCodeOf(error: unknown, path: string): string | undefined {
  if (hasCode(error, codes.full) || codeOf(error) === noSharedMemory) return "ENOSPC";
  const isFolder = hasCode(error, codes.cannotOpen);
  if (!isFolder && !hasCode(error, codes.readOnly)) return undefined;
  for (const one of [dirname(path), path]) {
    try {
      accessSync(one, constants.R_OK | constants.W_OK);
    } catch (refusal) {
      return (refusal as NodeJS.ErrnoException).code;
    }
  }
  return isFolder ? "EISDIR" : undefined;
}

/** Returns whether an error means that another program has locked the file. */
export function isBusy(error: unknown): boolean {
  if (error instanceof StoreProblem) return error.kind === "busy";
  return hasCode(error, codes.busy) || hasCode(error, codes.locked);
}

/** Returns whether an error means that the file is damaged or is not a store. */
export function isDamage(error: unknown): boolean {
  if (error instanceof StoreProblem) return error.kind === "damaged";
  return hasCode(error, codes.corrupt) || hasCode(error, codes.notADatabase);
}

function hasCode(error: unknown, code: number): boolean {
  return ((codeOf(error) ?? 0) & 0xff) === code;
}

function codeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode : undefined;
}
