import { jsonRanges } from "../payload/schemaRanges";
import { lineStartsOf, positionIn } from "../payload/textPosition";
import {
  reviewFolder,
  reviewsFileName,
  type Statement,
  type StatementTopic,
} from "../review/reviewFiles";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { type ReadinessFacts, statementsOf, type TeamFacts } from "./readinessFacts";
import {
  byFact,
  type Evidence,
  type ItemVerdict,
  type ReadinessItem,
  withoutEvidence,
} from "./readinessItem";

/** Says what to do by hand where a skill fails: the runbook, and when it was last gone through. */
export function fallbackItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { slug } = facts.skill.summary;
  return [
    statementItem("runbook-named", "runbook", facts, language),
    byFact("runbook-tried", facts.folder, language, (team) =>
      triedVerdict(slug, team, facts.now, language),
    ),
  ];
}

/** Judges a person's statement: that there is one, still counts, and names a file that exists. */
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
  if (until < dayOf(now)) {
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
const dayMs = 86_400_000;

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
  if (tried > dayOf(now)) {
    return withoutEvidence(t("The runbook's last trial, {day}, is in the future.", { day: tried }));
  }
  const isRecent = tried >= dayOf(now - runbookDays * dayMs);
  const values = { day: tried, days: runbookDays };
  const message = isRecent
    ? t("The runbook was last tried on {day}.", values)
    : t("The runbook was last tried on {day}, more than {days} days ago.", values);
  return { state: isRecent ? "met" : "notMet", message, evidence };
}

/** The entry, and the file it names where that exists. */
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

/** The day of a time by UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
