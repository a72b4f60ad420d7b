import { isOver } from "../invocation/outcome";
import { endingText, statusText } from "../invocation/record/invocationLabels";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { RecordQuery } from "../invocation/record/recordQuery";
import { runStatusOf } from "../invocation/response/runStatus";
import { isSameVersion } from "../skill/isNewerVersion";
import { dayMs } from "../text/dates";
import { dateFormat } from "../text/formats";
import type { Language } from "../text/language";
import { spellCode } from "./gateway/codes";
import { maxListedInvocations, type ProjectDetail, type ServerInvocation } from "./project";
import type { ProjectState } from "./projectState";

/** An invocation of a project, as the registry or this editor recorded it, or both. */
export interface ComparedInvocation {
  readonly server?: ServerInvocation;
  readonly own?: InvocationRecord;
  /** Set if the two records were matched by skill and time, because no invocation ID was received. */
  readonly isLikely?: true;
  /** Set if this machine's record cannot be read, so that it may or may not have the invocation. */
  readonly isUncompared?: true;
}

/** The maximum number of rows; the record has the rest. */
const maxRows = 50;
/** The tolerance between the clocks of two machines, in milliseconds. */
const clockSlackMs = 60_000;

/**
 * Merges a registry's list of the newest invocations with this editor's record of that registry (`own`), newest first,
 * at most 50. `loadedAt` is when the list was read, in milliseconds since 1970. An invocation whose ID was lost with
 * its response is matched if exactly one listed invocation fits.
 */
export function compareRecords(
  { summary, invocations }: Pick<ProjectDetail, "summary" | "invocations">,
  own: readonly InvocationRecord[],
  loadedAt: number,
): readonly ComparedInvocation[] {
  const byId = new Map(own.map((record) => [record.invocationId, record]));
  const isListed = new Set(invocations.map(({ id }) => id));
  const lost = own.filter(
    ({ status, invocationId }) => status === "outcome unknown" && invocationId === undefined,
  );
  const unmatched = invocations.filter(({ id }) => !byId.has(id));
  const likely = matchLost(lost, unmatched);
  const listed = invocations.map((server): ComparedInvocation => {
    const record = byId.get(server.id);
    if (record !== undefined) return { server, own: record };
    const guess = likely.get(server);
    return guess === undefined ? { server } : { server, own: guess, isLikely: true };
  });
  const matched = new Set(listed.map(({ own: record }) => record));
  const since = coveredSince(invocations, summary.createdAt);
  const rest = own
    .filter((record) => !matched.has(record) && !isListed.has(record.invocationId ?? ""))
    .filter(({ startedAt }) => startedAt >= since && startedAt <= loadedAt)
    .filter((record) => isOfProject(record, summary.slug));
  return [...listed, ...rest.map((record) => ({ own: record }))]
    .sort((one, other) => timeOf(other) - timeOf(one))
    .slice(0, maxRows);
}

/**
 * The maximum number of this machine's invocations to compare. It suffices for everything shown, even if most of a
 * project's invocations never reached its registry.
 */
const maxCompared = 500;

/** Returns the queries to this machine's record for a comparison with the current project. */
export function comparedQueries(state: ProjectState): readonly RecordQuery[] {
  if (state.kind !== "project") return [];
  const { registry, loadedAt } = state;
  const { summary, invocations } = state.detail;
  const since = coveredSince(invocations, summary.createdAt);
  const oldest = Math.min(since, ...invocations.flatMap(({ createdAt }) => createdAt ?? []));
  return [
    { registry, invocationIds: invocations.map(({ id }) => id) },
    // If the response was lost, the record lacks its invocation ID, and may lack the project too.
    { registry, statuses: ["outcome unknown"], since: oldest - dayMs, limit: maxCompared },
    { registry, projects: [summary.slug], since, until: loadedAt + 1, limit: maxCompared },
  ];
}

/**
 * Compares this editor's record with the project in use; empty if none is loaded. `records` is undefined if they cannot
 * be read.
 */
export function compareWithState(
  state: ProjectState,
  records: readonly InvocationRecord[] | undefined,
): readonly ComparedInvocation[] {
  if (state.kind !== "project") return [];
  if (records === undefined) {
    return state.detail.invocations.map((server) => ({ server, isUncompared: true }));
  }
  const own = records.filter(({ registry }) => registry === state.registry);
  return compareRecords(state.detail, own, state.loadedAt);
}

/**
 * Matches recorded invocations without an ID to listed ones. Matches a pair only if neither of the two fits another.
 */
function matchLost(
  lost: readonly InvocationRecord[],
  listed: readonly ServerInvocation[],
): ReadonlyMap<ServerInvocation, InvocationRecord> {
  const found = new Map<ServerInvocation, InvocationRecord>();
  for (const record of lost) {
    const [only, ...others] = listed.filter((server) => canBe(record, server));
    const rivals = only === undefined ? [] : lost.filter((item) => canBe(item, only));
    if (only !== undefined && others.length === 0 && rivals.length === 1) found.set(only, record);
  }
  return found;
}

function canBe(
  { skillSlug, version, startedAt, durationMs, endsBefore }: InvocationRecord,
  server: ServerInvocation,
): boolean {
  const { createdAt } = server;
  if (createdAt === undefined || server.skillSlug !== skillSlug) return false;
  const hasVersions = version !== "" && server.version !== undefined;
  if (hasVersions && !isSameVersion(server.version, version)) return false;
  const end = Math.max(startedAt + durationMs, endsBefore) + clockSlackMs;
  return createdAt >= startedAt - clockSlackMs && createdAt <= end;
}

/** Returns the time since which the registry's list is complete. */
function coveredSince(invocations: readonly ServerInvocation[], projectSince = 0): number {
  if (invocations.length < maxListedInvocations) return projectSince;
  const times = invocations.flatMap(({ createdAt }) => createdAt ?? []);
  return Math.max(projectSince, ...(times.length === 0 ? [] : [Math.min(...times)]));
}

/**
 * Returns whether the registry should list a recorded invocation of the project. A record with an unknown outcome may
 * lack its project.
 */
function isOfProject(record: InvocationRecord, slug: string): boolean {
  const { status, ran, projectSlug } = record;
  if (!isOver(record)) return false;
  if (ran === "unknown") return projectSlug === undefined || projectSlug === slug;
  return (ran !== "no" || status === "blocked") && projectSlug === slug;
}

function timeOf({ server, own }: ComparedInvocation): number {
  return server?.createdAt ?? own?.startedAt ?? 0;
}

/** Describes the registry's status of an invocation. An unknown word stays. */
export function serverStatusText({ status }: ServerInvocation, language: Language): string {
  const known = knownStatus({ status });
  return known === undefined ? status : statusText(known, language);
}

/** Returns the outcome that the registry's status of an invocation means. Undefined for an unknown word. */
export function knownStatus({
  status,
}: Pick<ServerInvocation, "status">): "success" | "error" | "blocked" | "not executed" | undefined {
  switch (runStatusOf(status)) {
    case "success":
      return "success";
    case "failed":
      return "error";
    case "waiting":
      return "not executed";
    case "stopped":
      return blockedWords.has(spellCode(status.trim())) ? "blocked" : "error";
    case undefined:
      return undefined;
  }
}

/** Words for an invocation that the registry did not let run. Others of its kind may have run before they stopped. */
const blockedWords: ReadonlySet<string> = new Set([
  ...["blocked", "denied", "rejected", "refused", "forbidden", "declined"],
]);

/** The result of comparing the two records: a word or two for the row, and a sentence. */
interface RecordComparison {
  readonly word: string;
  readonly sentence: string;
}

/** Describes how the two records of an invocation compare. */
export function comparisonText(
  { server, own, isLikely, isUncompared }: ComparedInvocation,
  loadedAt: number,
  language: Language,
): RecordComparison {
  const { t, locale } = language;
  if (isUncompared === true) {
    return { word: "", sentence: t("Not compared: this machine's record cannot be read.") };
  }
  if (own === undefined) {
    return {
      word: t("not from this editor"),
      sentence: t(
        "Not in this editor's record: invoked by someone else or from another machine, or deleted here.",
      ),
    };
  }
  if (server === undefined) {
    const time = dateFormat(locale, { timeStyle: "short" }).format(loadedAt);
    return {
      word: t("not listed by the registry"),
      sentence: t(
        "Only in this editor's record. The registry's list of {time} does not have it: it may not have run, or still be running.",
        { time },
      ),
    };
  }
  if (own.status === (knownStatus(server) ?? server.status)) {
    return { word: "", sentence: t("Also in this editor's record.") };
  }
  const likely =
    isLikely === true
      ? ` ${t("Matched by skill and time, because the registry returned no invocation ID.")}`
      : "";
  return {
    word: t("here: {ending}", { ending: endingText(own, language) }),
    sentence:
      t("This editor's record says “{ending}”, the registry says “{status}”.", {
        ending: endingText(own, language),
        status: serverStatusText(server, language),
      }) + likely,
  };
}

/**
 * Describes what the registry recorded about an invocation whose outcome is unknown here. Empty for a known outcome,
 * and if the invocation was not compared.
 */
export function serverVerdict(
  record: InvocationRecord,
  compared: readonly ComparedInvocation[],
  language: Language,
): string {
  const { t } = language;
  if (record.status !== "outcome unknown") return "";
  const found = compared.find(({ own }) => own?.id === record.id);
  if (found === undefined) return "";
  const { server, isLikely } = found;
  if (server === undefined) return t("not listed by the registry");
  const status = serverStatusText(server, language);
  return isLikely === true
    ? t("probably {status}, according to the registry", { status })
    : t("{status}, according to the registry", { status });
}
