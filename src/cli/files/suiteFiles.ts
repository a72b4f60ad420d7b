import { dirname, join, resolve } from "node:path";
import { type Finding, findingsOf, type ReportItem } from "../../core/findings/report";
import type { JsonValue } from "../../core/json/jsonValue";
import {
  damagedSnapshotsText,
  readSnapshots,
  readSuite,
  type Suite,
  snapshotFileName,
  writeSnapshots,
} from "../../core/suite/suite";
import { english } from "../../core/text/language";
import { maxTextBytes, readRepositoryFile } from "../../engine/files/repositoryFile";
import { writeFileAtomic } from "../../engine/files/sharedFile";
import { decode, fileReason, readText, writeError } from "./textFile";

/** A suite with the outputs that are kept beside it. */
export interface SuiteFile {
  /** Relative to the folder the command runs in. */
  readonly file: string;
  readonly text: string;
  readonly suite: Suite;
  readonly snapshots: ReadonlyMap<string, JsonValue>;
}

/** Reads suites with what is kept of them, and reports those that are broken. */
export async function readSuites(
  files: readonly string[],
  cwd: string,
): Promise<{ readonly read: readonly SuiteFile[]; readonly broken: readonly ReportItem[] }> {
  const read: SuiteFile[] = [];
  const broken: ReportItem[] = [];
  for (const file of files) {
    const path = resolve(cwd, file);
    const text = await readText(path).catch((error: unknown) => error as Error);
    if (typeof text !== "string") {
      const message = `This file could not be read: ${fileReason(text)}.`;
      const finding: Finding = { rule: "file", severity: "error", message, file };
      broken.push({ name: file, file, state: "broken", findings: [finding] });
      continue;
    }
    const suite = readSuite(text, english);
    const snapshotText = await readText(snapshotFileName(path)).catch((error: unknown) =>
      // Outputs that are there and cannot be read are damaged, and not the same as none.
      (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "",
    );
    const snapshots =
      snapshotText === undefined ? new Map<string, JsonValue>() : readSnapshots(snapshotText);
    if (!suite.ok) {
      const findings = findingsOf(suite.problems, text, file);
      broken.push({ name: file, file, state: "broken", findings });
    } else if (snapshots === undefined) {
      const name = snapshotFileName(file);
      const message = damagedSnapshotsText(english);
      const finding: Finding = { rule: "file", severity: "error", message, file: name };
      broken.push({ name, file: name, state: "broken", findings: [finding] });
    } else read.push({ file, text, suite: suite.value, snapshots });
  }
  return { read, broken };
}

/** Keeps outputs beside a suite, written whole or not at all. Throws a `CliError` where they cannot be written. */
export async function keepSnapshots(
  file: string,
  kept: ReadonlyMap<string, JsonValue>,
  cwd: string,
): Promise<void> {
  try {
    await writeFileAtomic(snapshotFileName(resolve(cwd, file)), writeSnapshots(kept), "shared");
  } catch (error) {
    throw writeError(snapshotFileName(file), error);
  }
}

/** Reads the payload file of a case in a suite. Undefined where it cannot be read, or lies outside the suite's folder. */
export async function readPayload(
  payloadFile: string,
  suite: string,
  cwd: string,
): Promise<string | undefined> {
  try {
    const folder = dirname(resolve(cwd, suite));
    // A link could lead to a file of the user's, which would then be sent.
    const found = await readRepositoryFile(folder, join(folder, payloadFile), maxTextBytes);
    return found.kind === "bytes" ? decode(found.bytes) : undefined;
  } catch {
    return undefined;
  }
}
