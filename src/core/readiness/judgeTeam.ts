import { jsonRanges, lineStartsOf, positionIn } from "../payload/payloadCheck";
import { driftText, notKnownText } from "../review/driftText";
import { reviewsPath, type Statement, type StatementTopic } from "../review/files/reviewFiles";
import { dayMs, utcDay } from "../text/dates";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import {
  type Evidence,
  type Judge,
  type Judging,
  statementsOf,
  type TeamFacts,
  type Verdict,
  withoutEvidence,
} from "./readinessFacts";

/** Judges whether the skill is as the team reviewed it. */
export function judgeReview(
  { standing: { drift, notKnown }, files }: TeamFacts,
  { at, facts, language }: Judging,
): Verdict {
  const { slug } = facts.skill.summary;
  const last = files.reviews.findLast(({ skill, kind }) => skill === slug && kind !== "statement");
  const time = last === undefined ? at : Date.parse(last.when);
  const file = reviewsPath;
  const evidence = [{ kind: "file", file, at: time } as const];
  const [worst] = drift;
  if (worst !== undefined) {
    return { state: "no", message: driftText(slug, worst, language), evidence };
  }
  const [gap] = notKnown;
  if (gap !== undefined) return withoutEvidence(notKnownText(slug, gap, language));
  const message = language.t("The skill matches the team's review.");
  return { state: "yes", message, evidence };
}

/** Judges a person's statement: whether it exists, is valid, and names an existing file. */
export function judgeStatement(topic: StatementTopic): Judge<TeamFacts> {
  return (team, { facts, language }) => {
    const { slug } = facts.skill.summary;
    const statement = statementsOf(team.files, slug).get(topic);
    return statement === undefined
      ? { ...withoutEvidence(missingText(topic, slug, language)), addition: "statement" }
      : statementVerdict(statement, team, facts.now, language);
  };
}

function missingText(topic: StatementTopic, slug: string, { t }: Language): string {
  const values = { topic, slug, file: reviewsPath };
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
): Verdict {
  const { until, file, notes } = statement;
  const who = oneLine(statement.who, 100);
  const evidence = evidenceOf(statement, team);
  if (until < utcDay(now)) {
    const message = t("The statement of {who} expired after {day}.", { who, day: until });
    return { state: "no", message, evidence };
  }
  if (file !== undefined && !team.existing.has(file)) {
    const message = t("{file}, named by {who}, does not exist.", {
      file: oneLine(file, 300),
      who,
    });
    return { state: "no", message, evidence: evidence.slice(0, 1) };
  }
  const message = t("{who} states, until {day}: {notes}", {
    who,
    day: until,
    notes: oneLine(notes, 300),
  });
  return { state: "yes", message, evidence };
}

/** The maximum days since the last test of a runbook: once a quarter. */
const runbookDays = 90;

/** Judges whether the runbook was tested recently. */
export function judgeRunbookTrial(team: TeamFacts, { facts, language: { t } }: Judging): Verdict {
  const { now } = facts;
  const statement = statementsOf(team.files, facts.skill.summary.slug).get("runbook");
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
  return { state: isRecent ? "yes" : "no", message, evidence };
}

/** Returns the entry, and its file if that exists. */
function evidenceOf(
  { index, file, when }: Statement & { readonly index: number },
  { reviewsText, existing }: TeamFacts,
): readonly Evidence[] {
  const at = Date.parse(when);
  const pointer = `/reviews/${index}/about`;
  const range = jsonRanges(reviewsText, [pointer]).get(pointer);
  const line =
    range === undefined ? undefined : positionIn(lineStartsOf(reviewsText), range.start).line;
  const entry = { kind: "file", file: reviewsPath, at } as const;
  return [
    line === undefined ? entry : { ...entry, line },
    ...(file !== undefined && existing.has(file) ? [{ kind: "file", file, at } as const] : []),
  ];
}
