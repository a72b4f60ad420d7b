import { jsonRanges, lineStartsOf, positionIn } from "../payload/payloadCheck";
import { driftText, notKnownText } from "../review/driftText";
import { reviewsPath, type Statement, type StatementTopic } from "../review/files/reviewFiles";
import type { Publisher } from "../skill/skill";
import { dayMs, utcDay } from "../text/dates";
import { type Language, type LocalizableText, l10nText, localize } from "../text/language";
import { parseUrl } from "../text/parseUrl";
import { oneLine } from "../text/plainText";
import { type ReadinessFacts, statementsOf, type TeamFacts } from "./readinessFacts";
import { type Evidence, proven, unproven, type Verdict } from "./verdict";

/** Judges whether the publisher is active at the registry. */
export function judgePublisher({ skill, now }: ReadinessFacts, { t }: Language): Verdict {
  const { slug, publisher } = skill.summary;
  if (publisher === undefined) {
    return unproven(
      skill.unanswered?.includes("publisher")
        ? t("The registry did not return the publisher.")
        : t("The registry provides no publisher."),
    );
  }
  const name = oneLine(publisher.name, 100);
  const evidence = [skillEvidence(slug, now, t)];
  const blocked = blockedWord(publisher);
  if (blocked !== undefined) {
    const values = { name, status: oneLine(blocked, 60) };
    return proven(
      false,
      t("The publisher {name} is “{status}” at the registry.", values),
      evidence,
    );
  }
  // Some registries return only a trust level for a publisher, and only for an active one.
  const word = publisher.status ?? publisher.trustLevel ?? "";
  return ["active", "verified"].includes(word.toLowerCase())
    ? proven(true, t("The publisher {name} is active.", { name }), evidence)
    : unproven(t("The registry does not state whether the publisher {name} is active.", { name }));
}

/** Returns the word that marks a publisher as not fully active; unknown words do not count. */
function blockedWord({ status, trustLevel }: Publisher): string | undefined {
  const words = ["pending", "restricted", "suspended", "limited", "blocked"];
  return [status, trustLevel].find((word) => words.includes(word?.toLowerCase() ?? ""));
}

/** Judges whether the skill has an address for support that can be opened. */
export function judgeSupport({ skill, now }: ReadinessFacts, { t }: Language): Verdict {
  const { supportUrl = "", summary } = skill;
  const evidence = [skillEvidence(summary.slug, now, t)];
  if (supportUrl.trim() === "") {
    return proven(false, t("The publisher provides no support address."), evidence);
  }
  const address = oneLine(supportUrl, 200);
  const isMail = /^[^\s@:/]+@[^\s@:/]+$/.test(supportUrl);
  const isAddress =
    isMail || ["https:", "http:", "mailto:"].includes(parseUrl(supportUrl)?.protocol ?? "");
  const message = isAddress
    ? t("Support: {address}", { address })
    : t("The support address cannot be opened: {address}", { address });
  return proven(isAddress, message, evidence);
}

function skillEvidence(slug: string, at: number, t: Language["t"]): Evidence {
  const link = { opens: "openSkill", argument: slug } as const;
  return { label: t("{slug} at the registry", { slug }), at, link };
}

/** Judges whether the skill is as the team reviewed it. */
export function judgeReview(
  { standing: { drift, notKnown }, files }: TeamFacts,
  { skill, now }: ReadinessFacts,
  language: Language,
): Verdict {
  const { slug } = skill.summary;
  const last = files.reviews.findLast((one) => one.skill === slug && one.kind !== "statement");
  const evidence = [fileEvidence(reviewsPath, last === undefined ? now : Date.parse(last.when))];
  const [worst] = drift;
  if (worst !== undefined) {
    return proven(false, driftText(slug, worst, language), evidence, "reviewSkill");
  }
  const [gap] = notKnown;
  if (gap !== undefined) return unproven(notKnownText(slug, gap, language), "reviewSkill");
  return proven(true, language.t("The skill matches the team's review."), evidence);
}

const missingTexts: Readonly<Record<StatementTopic, LocalizableText>> = {
  owner: l10nText("No owner is stated for {slug}. Add a statement about “{topic}” to {file}."),
  "retry-rule": l10nText(
    "No retry rule is stated for {slug}. Add a statement about “{topic}” to {file}.",
  ),
  logs: l10nText(
    "No production log is stated for {slug}. Add a statement about “{topic}” to {file}.",
  ),
  runbook: l10nText("No runbook is stated for {slug}. Add a statement about “{topic}” to {file}."),
};

/** Judges a person's statement: whether it exists, is valid, and names an existing file. */
export function judgeStatement(topic: StatementTopic) {
  return (team: TeamFacts, { skill, now }: ReadinessFacts, language: Language): Verdict => {
    const { slug } = skill.summary;
    const statement = statementsOf(team.files, slug).get(topic);
    if (statement === undefined) {
      const { text } = missingTexts[topic];
      const values = { topic, slug, file: reviewsPath };
      return unproven(localize({ text, values }, language), "statement");
    }
    const { until, file, notes } = statement;
    const who = oneLine(statement.who, 100);
    const evidence = statementEvidence(statement, team);
    const { t } = language;
    if (until < utcDay(now)) {
      const message = t("The statement of {who} expired after {day}.", { who, day: until });
      return proven(false, message, evidence, "statement");
    }
    if (file !== undefined && !team.existing.has(file)) {
      const values = { file: oneLine(file, 300), who };
      const message = t("{file}, named by {who}, does not exist.", values);
      return proven(false, message, evidence, "statement");
    }
    const values = { who, day: until, notes: oneLine(notes, 300) };
    return proven(true, t("{who} states, until {day}: {notes}", values), evidence);
  };
}

/** The maximum days since the last test of a runbook: once a quarter. */
const runbookDays = 90;

/** Judges whether the runbook was tested recently. Undefined without one, which another check reports. */
export function judgeRunbookTrial(
  team: TeamFacts,
  { skill, now }: ReadinessFacts,
  { t }: Language,
): Verdict | undefined {
  const statement = statementsOf(team.files, skill.summary.slug).get("runbook");
  if (statement === undefined) return undefined;
  const { tried: day } = statement;
  if (day === undefined) {
    return unproven(
      t("The runbook has no date of its last trial. Add “tried” to a new statement."),
      "statement",
    );
  }
  if (day > utcDay(now)) {
    return unproven(t("The runbook's last trial, {day}, is in the future.", { day }), "statement");
  }
  const isRecent = day >= utcDay(now - runbookDays * dayMs);
  const message = isRecent
    ? t("The runbook was last tried on {day}.", { day })
    : t("The runbook was last tried on {day}, more than {days} days ago.", {
        day,
        days: runbookDays,
      });
  return proven(isRecent, message, statementEvidence(statement, team), "statement");
}

/** Returns the entry, and its file if that exists. */
function statementEvidence(
  { index, file, when }: Statement & { readonly index: number },
  { reviewsText, existing }: TeamFacts,
): readonly Evidence[] {
  const at = Date.parse(when);
  const pointer = `/reviews/${index}/about`;
  const range = jsonRanges(reviewsText, [pointer]).get(pointer);
  const line = range && positionIn(lineStartsOf(reviewsText), range.start).line;
  const isThere = file !== undefined && existing.has(file);
  return [fileEvidence(reviewsPath, at, line), ...(isThere ? [fileEvidence(file, at)] : [])];
}

/** Returns a file of the repository as evidence, or one of its lines, counted from 0. */
export function fileEvidence(file: string, at: number, line?: number): Evidence {
  const label = oneLine(file, 500);
  return line === undefined
    ? { label, at, link: { file } }
    : { label: `${label}:${line + 1}`, at, link: { file, line } };
}
