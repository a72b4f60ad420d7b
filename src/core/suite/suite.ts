import suiteSchema from "../../../media/schemas/suite.schema.json";
import { parseExactly } from "../json/exactJson";
import { isJsonObject, type JsonValue } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import type { PayloadProblem } from "../payload/payloadCheck";
import { readTeamFile, type TeamFileReading } from "../payload/readTeamFile";
import type { RegistryFailure, Result } from "../registry/registryFailure";
import type { SkillDetail } from "../skill/skill";
import { readSkillAddress, type SkillAddress } from "../skill/skillAddress";
import type { Language } from "../text/language";
import { brokenReferences } from "./caseValues";

/** The ending of a suite's file name. */
export const suiteEnding = ".skill-suite.json";

/** The ending of the file beside a suite that stores its outputs. */
export const snapshotEnding = ".skill-snapshots.json";

/** Returns whether a path has the name of a suite. */
export function isSuiteFile(path: string): boolean {
  return path.endsWith(suiteEnding);
}

/** Names the file beside a suite that stores the outputs its cases are compared with. */
export function snapshotFileName(path: string): string {
  return `${path.slice(0, -suiteEnding.length)}${snapshotEnding}`;
}

/** Cases for one skill. */
export interface Suite {
  readonly address: SkillAddress;
  readonly cases: readonly SuiteCase[];
}

/** A payload, inline or in a file, and the expected result. */
export interface SuiteCase {
  readonly name: string;
  readonly payload?: JsonValue;
  readonly payloadFile?: string;
  readonly expect?: Expectation;
}

/** The expected result of a case. Without any member: success, with an output that matches its schema. */
export interface Expectation {
  readonly invalid?: readonly string[];
  readonly output?: Readonly<Record<string, JsonValue>>;
  readonly refusal?: string;
  readonly failure?: true;
  readonly maxMilliseconds?: number;
  readonly maxCents?: number;
  readonly snapshot?: true;
  readonly ignore?: readonly string[];
}

/** Lists the mistakes in a suite that its schema cannot find, such as a second case of the same name. */
export function suiteMistakes(text: string, language: Language): readonly PayloadProblem[] {
  const read = readSuite(text, language);
  return read.ok ? [] : read.problems.filter(({ code }) => code === "review");
}

/** Reads a suite. Two cases with the same name are a problem. */
export function readSuite(text: string, language: Language): TeamFileReading<Suite> {
  interface Written {
    readonly skill: string;
    readonly cases: readonly SuiteCase[];
  }
  const format = { schema: suiteSchema as JsonValue, maxLength: 1_000_000, isExact: true };
  const read = readTeamFile<Written>(text, format, language, ({ cases }) =>
    cases.flatMap(({ name, payload }, index) => {
      const earlier = cases.slice(0, index).map((item) => item.name);
      const broken =
        payload === undefined ? [] : brokenReferences(JSON.stringify(payload), earlier);
      return [
        ...broken.map((reference) => ({
          pointer: `/cases/${index}/payload`,
          message: language.t("{reference} names no earlier case of this suite.", { reference }),
        })),
        ...(earlier.includes(name)
          ? [
              {
                pointer: `/cases/${index}/name`,
                message: language.t("Another case has this name already."),
              },
            ]
          : []),
      ];
    }),
  );
  if (!read.ok) return read;
  const { skill, cases } = read.value;
  const address = readSkillAddress(skill) ?? { slug: skill, version: "" };
  return { ok: true, value: { address, cases } };
}

/** Reads the stored outputs of a suite, by the names of its cases. Undefined if they are damaged. */
export function readSnapshots(text: string): ReadonlyMap<string, JsonValue> | undefined {
  try {
    const value = parseExactly(text);
    const outputs = isJsonObject(value) ? value["outputs"] : undefined;
    return isJsonObject(outputs) ? new Map(Object.entries(outputs)) : undefined;
  } catch {
    return undefined;
  }
}

/** A stored output whose name no case of the suite has. */
export interface OrphanedOutput {
  readonly name: string;
  /** The case that it probably belongs to, since only this output and this case lack each other. */
  readonly renamedTo?: string;
}

/** Finds the stored outputs that belong to no case, in the order of the file. */
export function orphanedOutputs(
  { cases }: Pick<Suite, "cases">,
  outputs: ReadonlyMap<string, JsonValue>,
): readonly OrphanedOutput[] {
  const names = new Set(cases.map(({ name }) => name));
  const orphans = [...outputs.keys()].filter((name) => !names.has(name));
  const waiting = cases.filter(({ name, expect }) => expect?.snapshot && !outputs.has(name));
  const [renamed] = waiting;
  return orphans.length === 1 && waiting.length === 1 && renamed !== undefined
    ? orphans.map((name) => ({ name, renamedTo: renamed.name }))
    : orphans.map((name) => ({ name }));
}

/** Reports a stored output that belongs to no case, and how to mend it. */
export function orphanedOutputText({ name, renamedTo }: OrphanedOutput, { t }: Language): string {
  return renamedTo === undefined
    ? t("No case is named “{name}”. Rename this output to its case, or remove it.", { name })
    : t("No case is named “{name}”. Rename this output to “{renamedTo}”, or remove it.", {
        name,
        renamedTo,
      });
}

/** Reports that the payload file of a case could not be read, for instance because it is missing. */
export function unreadablePayloadText(payloadFile: string, { t }: Language): string {
  return t("{file} could not be read.", { file: payloadFile });
}

/** Reports that the file of stored outputs is damaged. */
export function damagedSnapshotsText({ t }: Language): string {
  return t("This file is damaged. Delete it, then store the outputs again with --update.");
}

/** Writes stored outputs, in the order of their cases' names. */
export function writeSnapshots(outputs: ReadonlyMap<string, JsonValue>): string {
  const sorted = [...outputs].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const value = { format: 1, outputs: Object.fromEntries(sorted) };
  return `${jsonText(value, 2)}\n`;
}

/** A version of a suite's skill, or why it could not be read. */
export interface TestedVersion {
  /** Its name in messages: the version, or the slug for the registry's current one. */
  readonly name: string;
  readonly skill: SkillDetail | undefined;
  readonly reason: string;
}

/** Returns the tested version for the result of reading its skill. `reasonOf` explains a failure. */
export function testedVersion(
  read: Result<SkillDetail>,
  { slug, version }: SkillAddress,
  reasonOf: (failure: RegistryFailure) => string,
): TestedVersion {
  const name = (read.ok ? read.value.summary.version : "") || version || slug;
  return read.ok
    ? { name, skill: read.value, reason: "" }
    : { name, skill: undefined, reason: reasonOf(read.failure) };
}

/** A suite with the version to test, and others to compare it with. */
export interface ReadySuite {
  /** Relative, with `/` between its parts. */
  readonly file: string;
  readonly text: string;
  readonly suite: Suite;
  readonly own: TestedVersion;
  readonly against: readonly TestedVersion[];
}
