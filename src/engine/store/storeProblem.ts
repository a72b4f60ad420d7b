import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { homeVariable } from "../files/machine";
import { fileReason, isSystemError } from "../files/textFile";

/**
 * Why the store did not answer: a newer version wrote it, the disk cannot be read or written, others kept it busy for
 * too long, this Node.js has no SQLite, or its file is damaged (and then renamed).
 */
export type StoreProblemKind = "newer" | "unusable" | "busy" | "damaged";

/** Thrown for a question that the store could not answer. Nothing happened. */
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

/** Thrown where the record of invocations cannot be read, so that nobody takes it for an empty one. */
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

/** There is no room for the memory that the programs of a machine share. */
const noSharedMemory = 4874;

/**
 * Converts any error about the store at a path into a problem, with what happened and what to do. A bug of ours also
 * means that nothing happened.
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
    return `${path} cannot be used: ${text}.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk of ${dirname(path)} is full. Free some space.`;
  }
  // Folders are made: a name that is taken belongs to a file.
  const reason = fileReason({ code: code === "EEXIST" ? "ENOTDIR" : code });
  return `${path} cannot be used: ${reason}. Let this user write it and its folder, or name another folder in ${homeVariable}.`;
}

/** Returns the system's code behind an error of SQLite, which has none. */
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

/** Returns whether another program had locked the file. */
export function isBusy(error: unknown): boolean {
  if (error instanceof StoreProblem) return error.kind === "busy";
  return hasCode(error, codes.busy) || hasCode(error, codes.locked);
}

/** Returns whether an error means that a file is damaged or no store. */
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
