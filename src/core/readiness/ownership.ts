import { driftText, notKnownText } from "../review/driftText";
import { reviewFolder, reviewsFileName } from "../review/reviewFiles";
import type { Publisher } from "../skill/skill";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ReadinessFacts, TeamFacts } from "./readinessFacts";
import { byFact, type ItemVerdict, type ReadinessItem, withoutEvidence } from "./readinessItem";
import { statementItem } from "./statementItems";

/** Says who stands behind a skill: its publisher, the team's review, and who in the team answers for it. */
export function ownershipItems(
  facts: ReadinessFacts,
  language: Language,
): readonly ReadinessItem[] {
  const { slug } = facts.skill.summary;
  return [
    { id: "publisher-active", ...publisherVerdict(facts, language) },
    { id: "support-address", ...supportVerdict(facts, language) },
    byFact("reviewed", facts.folder, language, (team, at) =>
      reviewVerdict(slug, team, at, language),
    ),
    statementItem("owner-named", "owner", facts, language),
  ];
}

function publisherVerdict({ skill, now }: ReadinessFacts, { t }: Language): ItemVerdict {
  const { slug, publisher } = skill.summary;
  if (publisher === undefined) {
    return withoutEvidence(
      skill.unanswered?.includes("publisher")
        ? t("The registry did not return the publisher.")
        : t("The registry provides no publisher."),
    );
  }
  const name = oneLine(publisher.name, 100);
  const evidence = [{ kind: "skill", slug, at: now } as const];
  const blocked = blockedWord(publisher);
  if (blocked !== undefined) {
    const message = t("The publisher {name} is “{status}” at the registry.", {
      name,
      status: oneLine(blocked, 60),
    });
    return { state: "notMet", message, evidence };
  }
  // Some registries give a skill's publisher a trust level alone, which only an active one has.
  const word = publisher.status ?? publisher.trustLevel ?? "";
  if (!["active", "verified"].includes(word.toLowerCase())) {
    return withoutEvidence(
      t("The registry does not say whether the publisher {name} is active.", { name }),
    );
  }
  return { state: "met", message: t("The publisher {name} is active.", { name }), evidence };
}

/** A word by which a registry says that a publisher is not, or not fully, active; its own words say nothing here. */
function blockedWord({ status, trustLevel }: Publisher): string | undefined {
  const words = ["pending", "restricted", "suspended", "limited", "blocked"];
  return [status, trustLevel].find((word) => words.includes(word?.toLowerCase() ?? ""));
}

function supportVerdict({ skill, now }: ReadinessFacts, { t }: Language): ItemVerdict {
  const { supportUrl = "", summary } = skill;
  const evidence = [{ kind: "skill", slug: summary.slug, at: now } as const];
  if (supportUrl.trim() === "") {
    return { state: "notMet", message: t("The publisher provides no support address."), evidence };
  }
  const address = oneLine(supportUrl, 200);
  if (!isAddress(supportUrl)) {
    const message = t("The support address cannot be opened: {address}", { address });
    return { state: "notMet", message, evidence };
  }
  return { state: "met", message: t("Support: {address}", { address }), evidence };
}

function isAddress(text: string): boolean {
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return true;
  return URL.canParse(text) && ["https:", "http:", "mailto:"].includes(new URL(text).protocol);
}

function reviewVerdict(
  slug: string,
  { standing: { drift, notKnown }, files }: TeamFacts,
  at: number,
  language: Language,
): ItemVerdict {
  const last = files.reviews.findLast(({ skill, kind }) => skill === slug && kind !== "statement");
  const time = last === undefined ? at : Date.parse(last.when);
  const file = `${reviewFolder}/${reviewsFileName}`;
  const evidence = [{ kind: "file", file, at: time } as const];
  const [worst] = drift;
  if (worst !== undefined) {
    return { state: "notMet", message: driftText(slug, worst, language), evidence };
  }
  const [gap] = notKnown;
  if (gap !== undefined) return withoutEvidence(notKnownText(slug, gap, language));
  const message = language.t("The skill matches the team's review.");
  return { state: "met", message, evidence };
}
