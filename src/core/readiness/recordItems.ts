import { invocationPrice } from "../invocation/limits/spending";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ServerInvocation } from "../workspace/project";
import { type Fact, notKnown, type ReadinessFacts, type Retention } from "./readinessFacts";
import {
  byFact,
  type Evidence,
  type ItemVerdict,
  type ReadinessItem,
  withoutEvidence,
} from "./readinessItem";
import { dayOf, statementItem } from "./statementItems";

/** Says what happens after a failure: no repeats after an unknown outcome, and a limit to what a loop costs. */
export function retryItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  return [
    byFact("no-repeat-after-unknown", ownRecords(facts), language, (records) =>
      repeatVerdict(records, language),
    ),
    byFact("budget-limited", facts.project, language, ({ detail, policy }, at) => {
      const { t } = language;
      const { slug } = facts.skill.summary;
      if (policy === undefined) {
        const project = oneLine(detail.summary.name, 100);
        return withoutEvidence(t("{project} has no policy for {skill}.", { skill: slug, project }));
      }
      const project = detail.summary.slug;
      const evidence = [{ kind: "project", part: "policy", project, name: slug, at } as const];
      if (invocationPrice(facts.skill).kind === "free") {
        const message = t("Invocations of this skill are free.");
        return { state: "notApplicable", message, evidence: [] };
      }
      const isLimited = policy.monthlyBudgetCents > 0;
      const message = isLimited
        ? t("A monthly budget limits what a retry loop could cost.")
        : t("No monthly budget limits what a retry loop could cost.");
      return { state: isLimited ? "met" : "notMet", message, evidence };
    }),
    statementItem("retry-rule", "retry-rule", facts, language),
  ];
}

/** Says what can be found out afterwards: here, at the registry, and where production logs. */
export function logItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { record, retention, now } = facts;
  return [
    byFact("record-kept", retention, language, (value, at) =>
      retentionVerdict(value, record.isKnown ? record.value : [], now, at, language),
    ),
    agreementItem(facts, language),
    statementItem("production-logs", "logs", facts, language),
  ];
}

/** The invocations of this skill at this registry, newest first. */
function ownRecords({
  record,
  skill,
  registry,
}: ReadinessFacts): Fact<readonly InvocationRecord[]> {
  if (!record.isKnown) return record;
  const { slug } = skill.summary;
  const own = record.value
    .filter((one) => one.skillSlug === slug && one.registry === registry)
    .toSorted((one, other) => other.startedAt - one.startedAt);
  return { ...record, value: own };
}

function repeatVerdict(records: readonly InvocationRecord[], { t }: Language): ItemVerdict {
  const [newest] = records;
  if (newest === undefined) return withoutEvidence(t("No invocation of it is on record."));
  for (const [index, unknown] of records.entries()) {
    if (unknown.status !== "outcome unknown" || unknown.requestSha256 === undefined) continue;
    const again = records
      .slice(0, index)
      .findLast(({ requestSha256 }) => requestSha256 === unknown.requestSha256);
    if (again === undefined) continue;
    return {
      state: "notMet",
      message: t(
        "An invocation was repeated after its outcome was unknown: it may have run twice.",
      ),
      evidence: [unknown, again].map(invocationEvidence),
    };
  }
  const unknown = records.find(({ status }) => status === "outcome unknown");
  const message =
    unknown === undefined
      ? t("None of {count} invocations on record has an unknown outcome.", {
          count: records.length,
        })
      : t("No invocation on record was repeated after an unknown outcome.");
  return { state: "met", message, evidence: [invocationEvidence(unknown ?? newest)] };
}

function invocationEvidence({ id, invocationId, startedAt }: InvocationRecord): Evidence {
  return {
    kind: "invocation",
    id,
    ...(invocationId !== undefined && { invocationId }),
    at: startedAt,
  };
}

/** As long as a runbook may go untried: what went wrong since then can be looked up. */
const leastDays = 90;
const dayMs = 86_400_000;

function retentionVerdict(
  { days, entries }: Retention,
  records: readonly InvocationRecord[],
  now: number,
  at: number,
  { t }: Language,
): ItemVerdict {
  const evidence = [{ kind: "setting", name: "history", at } as const];
  const values = { least: leastDays, days, entries };
  if (entries === 0) {
    return { state: "notMet", message: t("No invocations are kept on record."), evidence };
  }
  if (days > 0 && days < leastDays) {
    const message = t("Invocations are kept for {days} days; keep them for {least}.", values);
    return { state: "notMet", message, evidence };
  }
  const oldest = Math.min(now, ...records.map(({ startedAt }) => startedAt));
  if (records.length >= entries && now - oldest < leastDays * dayMs) {
    const message = t(
      "The record is full: with at most {entries} invocations it goes back to {day} only.",
      { ...values, day: dayOf(oldest) },
    );
    return { state: "notMet", message, evidence };
  }
  const message = t("Invocations are kept for at least {least} days.", values);
  return { state: "met", message, evidence };
}

/** Both lists must be there; what is compared are the invocations that either should have. */
function agreementItem(facts: ReadinessFacts, language: Language): ReadinessItem {
  const { project } = facts;
  const own = ownRecords(facts);
  const both: Fact<readonly InvocationRecord[]> = project.isKnown ? own : notKnown(project.why);
  return byFact("record-agrees", both, language, (records) => {
    if (!project.isKnown) throw new Error("A project that is not known was compared.");
    const { detail } = project.value;
    return agreementVerdict(records, detail.invocations, detail.summary.slug, project.at, language);
  });
}

function agreementVerdict(
  records: readonly InvocationRecord[],
  server: readonly ServerInvocation[],
  project: string,
  at: number,
  { t }: Language,
): ItemVerdict {
  const atServer = new Map(server.map((one) => [one.id, one]));
  const shared = records.flatMap((record) => {
    const other = record.invocationId === undefined ? undefined : atServer.get(record.invocationId);
    return other === undefined ? [] : [{ record, other }];
  });
  const list = { kind: "project", part: "invocations", project, name: "", at } as const;
  const unlike = shared.find(({ record, other }) => !agrees(record.status, other.status));
  if (unlike !== undefined) {
    const { record, other } = unlike;
    const message = t("An invocation is “{here}” on record and “{there}” at the registry.", {
      here: record.status,
      there: oneLine(other.status, 60),
    });
    return { state: "notMet", message, evidence: [invocationEvidence(record), list] };
  }
  const lost = records.find((record) => isLost(record, project, server, atServer));
  if (lost !== undefined) {
    const message = t("A recorded invocation is missing from the registry's list.");
    return { state: "notMet", message, evidence: [invocationEvidence(lost), list] };
  }
  const [newest] = shared;
  if (newest === undefined) {
    return withoutEvidence(t("No invocation is both on record and in the registry's list."));
  }
  const message = t("{count} invocations are the same on record and at the registry.", {
    count: shared.length,
  });
  return { state: "met", message, evidence: [invocationEvidence(newest.record), list] };
}

/** A registry tells of fewer endings than a record: what it has no word for is not compared. */
function agrees(here: InvocationRecord["status"], there: string): boolean {
  const words = ["success", "error", "blocked"];
  return here === there || !words.includes(here) || !words.includes(there);
}

/** The registry's list goes back to its oldest entry: what is newer, and of its project, should stand in it. */
function isLost(
  { invocationId, startedAt, projectSlug, status }: InvocationRecord,
  project: string,
  server: readonly ServerInvocation[],
  atServer: ReadonlyMap<string, ServerInvocation>,
): boolean {
  if (invocationId === undefined || projectSlug !== project || status === "running") return false;
  const times = server.flatMap(({ createdAt }) => createdAt ?? []);
  return times.length > 0 && startedAt > Math.min(...times) && !atServer.has(invocationId);
}
