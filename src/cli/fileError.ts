import { CliError } from "./command";
import { NotTextError } from "./textFile";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EISDIR: "it is a folder",
  EINVAL: "it is no file",
  EEXIST: "something else has this name",
  ENOTDIR: "a part of its path is no folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EMFILE: "too many files are open",
};

/** Says why a file is of no use, with the system's code: `permission is denied (EACCES)`. */
export function fileReason(error: unknown): string {
  if (error instanceof NotTextError) return "it is not UTF-8 text";
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  return reason === undefined ? `the system says ${code}` : `${reason} (${code})`;
}

/** Makes the error that ends a command where a file cannot be read. */
export function readError(name: string, error: unknown): CliError {
  return new CliError(`${name} could not be read: ${fileReason(error)}.`);
}

/** Makes the error that ends a command where a file cannot be written. */
export function writeError(name: string, error: unknown): CliError {
  return new CliError(`${name} could not be written: ${fileReason(error)}.`);
}

/** Tells what the system refused from a bug: it names the operation. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
