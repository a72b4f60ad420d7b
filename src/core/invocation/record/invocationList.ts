import { isJsonObject } from "../../json/jsonValue";
import { localDay } from "../../text/dates";
import { dateFormat } from "../../text/formats";
import { type Language, orList } from "../../text/language";
import { type InvocationStatus, invocationStatuses, isOver } from "../outcome";
import type { KeptTrial } from "../output/keptTrials";
import { profileText } from "../profile";
import type { UsageGroup } from "../usage/usage";
import { callerText, kindText, statusText } from "./invocationLabels";
import {
  type CallerKind,
  callerKinds,
  type InvocationKind,
  type InvocationRecord,
  kindOf,
} from "./invocationRecord";
import { foldRuns, type InvocationRun } from "./invocationRuns";

/** A filter of past invocations. Empty lists and an empty text match all. */
export interface InvocationFilter {
  readonly skills: readonly string[];
  readonly statuses: readonly InvocationStatus[];
  readonly kinds: readonly InvocationKind[];
  readonly callers: readonly CallerKind[];
  /** The profiles, as records name them: the editor with its profile, or the command line. */
  readonly profiles: readonly string[];
  /** Searched for in facts, payloads and outputs. */
  readonly text: string;
}

/** Matches all invocations. */
export const noFilter: InvocationFilter = {
  skills: [],
  statuses: [],
  kinds: [],
  callers: [],
  profiles: [],
  text: "",
};

/** Returns whether a filter excludes anything. */
export function isFiltering(filter: InvocationFilter): boolean {
  const { text, ...named } = filter;
  return Object.values(named).some((values) => values.length > 0) || text.trim() !== "";
}

/** Describes a filter in a few words; empty if it excludes nothing. */
export function filterText(
  { skills, statuses, kinds, callers, profiles, text }: InvocationFilter,
  language: Language,
): string {
  const wanted = text.trim();
  const parts = [
    orList(skills, language),
    orList(
      statuses.map((status) => statusText(status, language)),
      language,
    ),
    orList(
      kinds.map((kind) => kindText(kind, language)),
      language,
    ),
    orList(
      callers.map((caller) => callerText(caller, language)),
      language,
    ),
    orList(
      profiles.map((profile) => profileText(profile, language)),
      language,
    ),
    wanted === "" ? "" : language.t("“{text}”", { text: wanted }),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** A value for the filter, and its number of invocations. */
export type FilterChoice = { readonly count: number } & (
  | { readonly of: "skills"; readonly value: string }
  | { readonly of: "statuses"; readonly value: InvocationStatus }
  | { readonly of: "kinds"; readonly value: InvocationKind }
  | { readonly of: "callers"; readonly value: CallerKind }
  | { readonly of: "profiles"; readonly value: string }
);

/**
 * Lists the values of the invocations: skills, the most frequent first, then statuses, then kinds, callers and profiles
 * if there are several.
 */
export function filterChoices(groups: readonly UsageGroup[]): readonly FilterChoice[] {
  const skills = [...counted(groups, ({ skillSlug }) => skillSlug)];
  const statuses = counted(groups, ({ status }) => status);
  const kinds = [...counted(groups, kindOf)];
  const callers = counted(groups, ({ caller }) => caller?.kind);
  const profiles = [...counted(groups, ({ profile }) => profile)];
  return [
    ...skills
      .sort((left, right) => right[1] - left[1])
      .map(([value, count]) => ({ of: "skills", value, count }) as const),
    ...invocationStatuses.flatMap((value) => {
      const count = statuses.get(value);
      return count === undefined ? [] : [{ of: "statuses", value, count } as const];
    }),
    ...(kinds.length < 2 ? [] : kinds).map(
      ([value, count]) => ({ of: "kinds", value, count }) as const,
    ),
    ...(callers.size < 2 ? [] : callerKinds).flatMap((value) => {
      const count = callers.get(value);
      return count === undefined ? [] : [{ of: "callers", value, count } as const];
    }),
    ...(profiles.length < 2 ? [] : profiles).map(
      ([value, count]) => ({ of: "profiles", value, count }) as const,
    ),
  ];
}

/** Names the value of a choice. A skill's slug stays unchanged. */
export function choiceText(choice: FilterChoice, language: Language): string {
  switch (choice.of) {
    case "skills":
      return choice.value;
    case "statuses":
      return statusText(choice.value, language);
    case "kinds":
      return kindText(choice.value, language);
    case "callers":
      return callerText(choice.value, language);
    case "profiles":
      return profileText(choice.value, language);
  }
}

/** Returns whether a filter names the value of a choice. */
export function isChosen({ of, value }: FilterChoice, filter: InvocationFilter): boolean {
  return (filter[of] as readonly string[]).includes(value);
}

/** Returns the filter with the values of these choices, and a text to search for. */
export function chosenFilter(choices: readonly FilterChoice[], text: string): InvocationFilter {
  return {
    skills: choices.flatMap(({ of, value }) => (of === "skills" ? [value] : [])),
    statuses: choices.flatMap(({ of, value }) => (of === "statuses" ? [value] : [])),
    kinds: choices.flatMap(({ of, value }) => (of === "kinds" ? [value] : [])),
    callers: choices.flatMap(({ of, value }) => (of === "callers" ? [value] : [])),
    profiles: choices.flatMap(({ of, value }) => (of === "profiles" ? [value] : [])),
    text,
  };
}

/**
 * Parses a script's filter: `{skill, status, kind, caller, profile, text}`, each missing, a text or a list of texts.
 */
export function readInvocationFilter(value: unknown): InvocationFilter | undefined {
  if (!isJsonObject(value)) return undefined;
  const statuses = textsOf(value["status"]);
  const kinds = textsOf(value["kind"]);
  const callers = textsOf(value["caller"]);
  return {
    skills: textsOf(value["skill"]),
    statuses: invocationStatuses.filter((status) => statuses.includes(status)),
    kinds: (["invocation", "testRun"] as const).filter((kind) => kinds.includes(kind)),
    callers: callerKinds.filter((caller) => callers.includes(caller)),
    profiles: textsOf(value["profile"]),
    text: textsOf(value["text"])[0] ?? "",
  };
}

function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((text) => typeof text === "string");
}

function counted<Value>(
  groups: readonly UsageGroup[],
  ofGroup: (group: UsageGroup) => Value,
): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const group of groups) {
    const value = ofGroup(group);
    counts.set(value, (counts.get(value) ?? 0) + group.count);
  }
  return counts;
}

/** The invocations of one day, newest first; or all pinned ones. */
export interface InvocationDay {
  /** `YYYY-MM-DD` in local time, or `pinned`. */
  readonly day: string;
  readonly title: string;
  /** Whether its invocations are shown at once. */
  readonly isOpen: boolean;
  /** Whether the day may have earlier invocations that were not read. */
  readonly mayHaveEarlier: boolean;
  readonly records: readonly InvocationRecord[];
}

/** The row that shows more of the record. */
interface MoreInvocations {
  readonly more: true;
}

/** The row that says that the record cannot be read. */
interface UnreadableRecord {
  readonly unreadable: true;
}

/** The trials of manifests on this machine, newest first. */
export interface TrialGroup {
  readonly trials: readonly TrialRow[];
}

/** A trial. No command for invocations takes it for one. */
export interface TrialRow {
  readonly trial: KeptTrial;
}

/**
 * A row of the record: a day, consecutive invocations of one payload, a single invocation, or one of the rows above.
 */
export type InvocationRow =
  | InvocationDay
  | InvocationRun
  | InvocationRecord
  | MoreInvocations
  | UnreadableRecord
  | TrialGroup
  | TrialRow;

/**
 * Returns the rows below a row, newest first: below a day its invocations, with consecutive ones of one payload folded
 * into a run; below a run its invocations; below the trials each of them.
 */
export function rowsBelow(row: InvocationRow): readonly InvocationRow[] {
  if ("run" in row) return row.records;
  if ("trials" in row) return row.trials;
  return "records" in row ? foldRuns(row.records) : [];
}

/**
 * Groups invocations, newest first, by their day. Pinned ones come before all days. With `hasMore`, the record has
 * earlier ones.
 */
export function invocationDays(
  records: readonly InvocationRecord[],
  pinned: readonly InvocationRecord[],
  hasMore: boolean,
  now: number,
  language: Language,
): readonly InvocationDay[] {
  const days = new Map<string, InvocationRecord[]>();
  for (const record of records) {
    const day = localDay(record.startedAt);
    const ofDay = days.get(day);
    if (ofDay === undefined) days.set(day, [record]);
    else ofDay.push(record);
  }
  const groups = [...days].map(([day, ofDay], index) => ({
    day,
    title: dayTitle(day, ofDay[0]?.startedAt ?? now, now, language),
    isOpen: day === localDay(now),
    mayHaveEarlier: hasMore && index === days.size - 1,
    records: ofDay,
  }));
  if (pinned.length === 0) return groups;
  const title = language.t("Pinned");
  return [
    { day: "pinned", title, isOpen: true, mayHaveEarlier: false, records: pinned },
    ...groups,
  ];
}

/** Returns the query for the candidates for a record's previous invocation. */
export function previousCandidatesQuery({ id, registry, skillSlug }: InvocationRecord) {
  return { registry, skills: [skillSlug], before: id, limit: maxEarlier } as const;
}

const maxEarlier = 500;

/**
 * Finds the invocation to compare with, in a list with the newest first: the previous one of the same skill and
 * registry. If this one had an output, prefers one with an output and the same payload.
 */
export function previousInvocation(
  records: readonly InvocationRecord[],
  record: InvocationRecord,
): InvocationRecord | undefined {
  const before = records.filter((other) => isBefore(other, record) && isOver(other));
  const withOutput = hadOutput(record) ? before.filter(hadOutput) : [];
  return previousOutput(withOutput, record) ?? withOutput[0] ?? before[0];
}

/** Finds the previous invocation of the same payload that had an output. */
export function previousOutput(
  records: readonly InvocationRecord[],
  record: InvocationRecord,
): InvocationRecord | undefined {
  return records.find(
    (other) => isBefore(other, record) && hadOutput(other) && isOfSamePayload(other, record),
  );
}

/** Returns whether an invocation had an output, even if it was not stored. */
export function hadOutput({ responseSha256 }: InvocationRecord): boolean {
  return responseSha256 !== undefined;
}

/** Returns whether two invocations had the same payload. An equal text in another document counts. */
function isOfSamePayload(other: InvocationRecord, record: InvocationRecord): boolean {
  const isSameText =
    other.requestSha256 !== undefined && other.requestSha256 === record.requestSha256;
  return isSameText || other.payloadId === record.payloadId;
}

function isBefore(other: InvocationRecord, { id, registry, skillSlug }: InvocationRecord): boolean {
  return other.id < id && other.registry === registry && other.skillSlug === skillSlug;
}

function dayTitle(day: string, time: number, now: number, { t, locale }: Language): string {
  if (day === localDay(now)) return t("Today");
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === localDay(yesterday.getTime())) return t("Yesterday");
  return dateFormat(locale, { dateStyle: "full" }).format(time);
}
