import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { jsonRanges, lineStartsOf, positionIn } from "../payload/payloadCheck";
import {
  reviewFolder,
  reviewsFileName,
  type Statement,
  type StatementTopic,
} from "../review/reviewFiles";
import { invocationPrice } from "../skill/price";
import { utcDay } from "../text/dates";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ProjectDetail, ServerInvocation } from "../workspace/project";
import { incidentsText, usageTexts } from "../workspace/usageText";
import {
  byFact,
  type Evidence,
  type Fact,
  type ItemVerdict,
  installOf,
  notKnown,
  type ReadinessFacts,
  type ReadinessItem,
  type Retention,
  statementsOf,
  type TeamFacts,
  withoutEvidence,
} from "./readinessFacts";

/** Judges what happens after a failure: no repeats after an unknown outcome, and a limit to what a loop costs. */
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

/** Judges what can be looked up afterwards: here, at the registry, and where production logs. */
export function logItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { record, retention, now } = facts;
  return [
    byFact("record-kept", retention, language, (value, at) =>
      retentionVerdict(value, record.isKnown ? record.value : [], now, at, language),
    ),
    byFact("registry-log", facts.project, language, ({ detail }, at) =>
      registryLogVerdict(facts.skill.summary.slug, detail, at, language),
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
  const none =
    records.length === 1
      ? t("The invocation on record has no unknown outcome.")
      : t("None of {count} invocations on record has an unknown outcome.", {
          count: records.length,
        });
  const message =
    unknown === undefined
      ? none
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

/** How old the last exercise of a runbook may be: failures since then can still be looked up. */
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
      { ...values, day: utcDay(oldest) },
    );
    return { state: "notMet", message, evidence };
  }
  const message = t("Invocations are kept for at least {least} days.", values);
  return { state: "met", message, evidence };
}

/** Judges whether the registry keeps account of the project's invocations of a skill. */
function registryLogVerdict(
  slug: string,
  detail: ProjectDetail,
  at: number,
  language: Language,
): ItemVerdict {
  const { t } = language;
  const usage = installOf(detail, slug)?.usage;
  const [text] = usageTexts(usage, language);
  const project = detail.summary.slug;
  if (text === undefined) {
    const name = oneLine(detail.summary.name, 100);
    return withoutEvidence(
      t("The registry has no invocation of it by {project}.", { project: name }),
    );
  }
  const incidents = incidentsText(usage, language);
  const message = t("At the registry: {usage}.", {
    usage: [text, incidents].filter((one) => one !== "").join(" · "),
  });
  const evidence = [{ kind: "project", part: "invocations", project, name: slug, at } as const];
  return { state: "met", message, evidence };
}

/** Both lists are required; only the invocations that both should contain are compared. */
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
  const message =
    shared.length === 1
      ? t("1 invocation is the same on record and at the registry.")
      : t("{count} invocations are the same on record and at the registry.", {
          count: shared.length,
        });
  return { state: "met", message, evidence: [invocationEvidence(newest.record), list] };
}

/** A registry has fewer statuses than the record: those it has no word for are not compared. */
function agrees(here: InvocationRecord["status"], there: string): boolean {
  const words = ["success", "error", "blocked"];
  return here === there || !words.includes(here) || !words.includes(there);
}

/** The registry's list reaches back to its oldest entry: newer invocations of its project should be in it. */
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

/** Judges what to do by hand when a skill fails: the runbook, and when it was last exercised. */
export function fallbackItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { slug } = facts.skill.summary;
  return [
    statementItem("runbook-named", "runbook", facts, language),
    byFact("runbook-tried", facts.folder, language, (team) =>
      triedVerdict(slug, team, facts.now, language),
    ),
  ];
}

/** Judges a person's statement: that there is one, that it is still valid, and that its file exists. */
export function statementItem(
  id: string,
  topic: StatementTopic,
  { skill, folder, now }: ReadinessFacts,
  language: Language,
): ReadinessItem {
  const { slug } = skill.summary;
  return byFact(id, folder, language, (team) => {
    const statement = statementsOf(team.files, slug).get(topic);
    return statement === undefined
      ? withoutEvidence(missingText(topic, slug, language))
      : statementVerdict(statement, team, now, language);
  });
}

function missingText(topic: StatementTopic, slug: string, { t }: Language): string {
  const values = { topic, slug, file: `${reviewFolder}/${reviewsFileName}` };
  switch (topic) {
    case "owner":
      return t("No owner is stated for {slug}. Add a statement about “{topic}” to {file}.", values);
    case "retry-rule":
      return t(
        "No retry rule is stated for {slug}. Add a statement about “{topic}” to {file}.",
        values,
      );
    case "logs":
      return t(
        "No production log is stated for {slug}. Add a statement about “{topic}” to {file}.",
        values,
      );
    case "runbook":
      return t(
        "No runbook is stated for {slug}. Add a statement about “{topic}” to {file}.",
        values,
      );
  }
}

function statementVerdict(
  statement: Statement & { readonly index: number },
  team: TeamFacts,
  now: number,
  { t }: Language,
): ItemVerdict {
  const { until, file, notes } = statement;
  const who = oneLine(statement.who, 100);
  const evidence = evidenceOf(statement, team);
  if (until < utcDay(now)) {
    const message = t("The statement of {who} expired after {day}.", { who, day: until });
    return { state: "notMet", message, evidence };
  }
  if (file !== undefined && !team.existing.has(file)) {
    const message = t("{file}, named by {who}, does not exist.", {
      file: oneLine(file, 300),
      who,
    });
    return { state: "notMet", message, evidence: evidence.slice(0, 1) };
  }
  const message = t("{who} states, until {day}: {notes}", {
    who,
    day: until,
    notes: oneLine(notes, 300),
  });
  return { state: "met", message, evidence };
}

const runbookDays = 90;

function triedVerdict(slug: string, team: TeamFacts, now: number, { t }: Language): ItemVerdict {
  const statement = statementsOf(team.files, slug).get("runbook");
  if (statement === undefined) return withoutEvidence(t("No runbook is named."));
  const { tried } = statement;
  if (tried === undefined) {
    return withoutEvidence(
      t("The runbook has no date of its last trial. Add “tried” to a new statement."),
    );
  }
  const evidence = evidenceOf(statement, team);
  if (tried > utcDay(now)) {
    return withoutEvidence(t("The runbook's last trial, {day}, is in the future.", { day: tried }));
  }
  const isRecent = tried >= utcDay(now - runbookDays * dayMs);
  const values = { day: tried, days: runbookDays };
  const message = isRecent
    ? t("The runbook was last tried on {day}.", values)
    : t("The runbook was last tried on {day}, more than {days} days ago.", values);
  return { state: isRecent ? "met" : "notMet", message, evidence };
}

/** The entry, and its file where that exists. */
function evidenceOf(
  { index, file, when }: Statement & { readonly index: number },
  { reviewsText, existing }: TeamFacts,
): readonly Evidence[] {
  const at = Date.parse(when);
  const pointer = `/reviews/${index}/about`;
  const range = jsonRanges(reviewsText, [pointer]).get(pointer);
  const line =
    range === undefined ? undefined : positionIn(lineStartsOf(reviewsText), range.start).line;
  const entry = { kind: "file", file: `${reviewFolder}/${reviewsFileName}`, at } as const;
  return [
    line === undefined ? entry : { ...entry, line },
    ...(file !== undefined && existing.has(file) ? [{ kind: "file", file, at } as const] : []),
  ];
}
