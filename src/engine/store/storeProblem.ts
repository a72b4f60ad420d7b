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

/** SQLite's primary error codes, without the details in higher bits. */
const codes = { busy: 5, locked: 6, corrupt: 11, notADatabase: 26 };

/** Converts any error into a problem. A bug of ours also means that nothing happened. */
export function problemOf(error: unknown): StoreProblem {
  if (error instanceof StoreProblem) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (isBusy(error))
    return new StoreProblem("busy", `Other programs kept the record busy: ${text}`, error);
  if (isDamage(error)) return new StoreProblem("damaged", text, error);
  return new StoreProblem("unusable", text, error);
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
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === code;
}
