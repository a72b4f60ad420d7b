import { dirname, join, resolve } from "node:path";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes, type Finding, findingsOf, type ReportItem } from "../../core/findings/report";
import { type MistakesReader, skillMistakes } from "../../core/findings/skillMistakes";
import type { JsonValue } from "../../core/json/jsonValue";
import { jsonRanges, lineStartsOf, positionsIn } from "../../core/payload/payloadCheck";
import { sharedTextProblems } from "../../core/payload/sharedText";
import { outputNameRange } from "../../core/suite/names/renameCase";
import { type SensitiveOutput, sensitiveOutputs } from "../../core/suite/storing";
import {
  damagedSnapshotsText,
  orphanedOutputs,
  orphanedOutputText,
  type ReadySuite,
  readSnapshots,
  readSuite,
  type Suite,
  snapshotFileName,
  writeSnapshots,
} from "../../core/suite/suite";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { maxTextBytes, readRepositoryFile } from "../../engine/files/repositoryFile";
import { decode, fileReason, readText, writeError } from "../../engine/files/textFile";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import type { Questions } from "../engine/person";

/** A suite with the outputs stored beside it. */
export interface SuiteFile {
  /** Relative to the folder that the command runs in. */
  readonly file: string;
  readonly text: string;
  readonly suite: Suite;
  readonly snapshots: ReadonlyMap<string, JsonValue>;
}

/** Reads suites with their stored outputs, and reports broken ones. */
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
    const snapshots = await readStored(snapshotFileName(path));
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

/**
 * Warns about credentials in a suite and in the outputs beside it, about outputs that belong to no case, and about
 * mistakes in the skill's schemas. A warning alone does not fail a run, since no result depends on it.
 */
export async function suiteWarnings(
  suite: SuiteFile & ReadySuite,
  cwd: string,
  mistakesIn: MistakesReader,
): Promise<readonly ReportItem[]> {
  const { file, text } = suite;
  const name = snapshotFileName(file);
  const stored = await readText(resolve(cwd, name)).catch(() => "");
  return [
    ...(await skillItems(suite, mistakesIn)),
    ...credentialItems(text, file),
    ...credentialItems(stored, name),
    ...orphanItems(suite, stored),
  ];
}

function credentialItems(text: string, file: string): readonly ReportItem[] {
  const findings = findingsOf(sharedTextProblems(text, english), text, file);
  return findings.length === 0 ? [] : [{ name: file, file, state: "good", findings }];
}

/** Warns at the name of a suite's skill about mistakes in its schemas, which can fail every case. */
async function skillItems(
  { file, text, own }: Pick<ReadySuite, "file" | "text" | "own">,
  mistakesIn: MistakesReader,
): Promise<readonly ReportItem[]> {
  const mistakes = own.skill ? await skillMistakes(own.skill, mistakesIn, english) : [];
  if (mistakes.length === 0) return [];
  const range = jsonRanges(text, ["/skill"]).get("/skill");
  const place = range && positionsIn(lineStartsOf(text), range);
  const findings = mistakes.map((message): Finding => {
    return { rule: "schema", severity: "warning", message, file, ...place };
  });
  return [{ name: file, file, state: "good", findings }];
}

function orphanItems({ file, suite, snapshots }: SuiteFile, stored: string): readonly ReportItem[] {
  const name = snapshotFileName(file);
  const lines = lineStartsOf(stored);
  const findings = orphanedOutputs(suite, snapshots).map((orphan): Finding => {
    const message = oneLine(orphanedOutputText(orphan, english), 500);
    const range = outputNameRange(stored, orphan.name);
    const place = range && positionsIn(lines, range);
    return { rule: "orphan", severity: "warning", message, file: name, ...place };
  });
  return findings.length === 0 ? [] : [{ name, file: name, state: "good", findings }];
}

/** Stores the outputs of suites. Needs consent for an output that seems to contain a credential. */
export class OutputStore {
  private readonly pending: {
    readonly suite: SuiteFile;
    readonly stored: ReadonlyMap<string, JsonValue>;
    readonly outputs: readonly SensitiveOutput[];
  }[] = [];
  private failure: unknown;
  /** The number of outputs that were written, by the file that holds them. */
  private readonly written = new Map<string, number>();

  constructor(
    private readonly allowsSecrets: boolean,
    private readonly cwd: string,
  ) {}

  /** Stores outputs that need no question. `finish` throws if that failed. */
  async add(suite: SuiteFile, stored: ReadonlyMap<string, JsonValue>): Promise<void> {
    const { snapshots } = suite;
    const outputs = this.allowsSecrets ? [] : sensitiveOutputs(snapshots, stored, english);
    const names = new Set(outputs.map(({ name }) => name));
    const others = [...stored].filter(
      ([name, output]) => !names.has(name) && output !== snapshots.get(name),
    );
    if (outputs.length > 0) this.pending.push({ suite, stored: stored, outputs });
    if (others.length > 0) await this.write(suite, others);
  }

  /**
   * Asks about the other outputs, after all cases are done, and then reports what was stored, one line per file. Throws
   * a `CommandError` if an output was not stored.
   */
  async finish(questions: Questions, report: (line: string) => void): Promise<void> {
    for (const { suite, stored, outputs } of this.pending) {
      for (const { name, question } of outputs) {
        const where = `“${name}” in ${suite.file}`;
        const output = stored.get(name);
        if (output !== undefined && (await questions.confirm(where, question))) {
          await this.write(suite, [[name, output]]);
        } else {
          const option = questions.refusal() === undefined ? " Store it with --secrets." : "";
          const message = `The output of ${where} was not stored: it appears to contain a credential.${option}`;
          this.failure ??= new CommandError(oneLine(message, 500), exitCodes.findings);
        }
      }
    }
    for (const [file, count] of this.written) {
      report(`Stored ${count} ${count === 1 ? "output" : "outputs"} in ${file}.\n`);
    }
    if (this.failure !== undefined) throw this.failure;
  }

  private async write({ file }: SuiteFile, outputs: readonly StoredOutput[]): Promise<void> {
    const name = snapshotFileName(file);
    try {
      await addSnapshots(file, outputs, this.cwd);
      this.written.set(name, (this.written.get(name) ?? 0) + outputs.length);
    } catch (error) {
      this.failure ??= error;
    }
  }
}

type StoredOutput = readonly [name: string, output: JsonValue];

/**
 * Adds outputs to the file beside a suite. Reads that file again, since another program may have changed it while the
 * cases ran. Writes all outputs or none. Throws a `CommandError` if they cannot be written.
 */
async function addSnapshots(
  file: string,
  outputs: readonly StoredOutput[],
  cwd: string,
): Promise<void> {
  const name = snapshotFileName(file);
  const path = resolve(cwd, name);
  const stored = await readStored(path);
  if (stored === undefined) throw new CommandError(`${name}: ${damagedSnapshotsText(english)}`);
  try {
    await writeFileAtomic(path, writeSnapshots(new Map([...stored, ...outputs])), "shared");
  } catch (error) {
    throw writeError(name, error);
  }
}

/** Reads the outputs beside a suite: none without a file, undefined if they are damaged. */
async function readStored(path: string): Promise<ReadonlyMap<string, JsonValue> | undefined> {
  const text = await readText(path).catch((error: unknown) =>
    // An existing but unreadable file counts as damaged, not as missing.
    (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "",
  );
  return text === undefined ? new Map() : readSnapshots(text);
}

/** Reads the payload file of a case in a suite. Undefined if it cannot be read, or lies outside the suite's folder. */
export async function readPayload(
  payloadFile: string,
  suite: string,
  cwd: string,
): Promise<string | undefined> {
  try {
    const folder = dirname(resolve(cwd, suite));
    // A link could lead to one of the user's files, which would then be sent.
    const found = await readRepositoryFile(folder, join(folder, payloadFile), maxTextBytes);
    return found.kind === "bytes" ? decode(found.bytes) : undefined;
  } catch {
    return undefined;
  }
}
