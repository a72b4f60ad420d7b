import { predictionText, predictResponse } from "../project/projectChecks";
import { driftText, notKnownText } from "../review/driftText";
import { reviewFolder, reviewsFileName } from "../review/reviewFiles";
import { fileAccessRank, levelRank, permissionLevelOf } from "../skill/permissions";
import type { Publisher } from "../skill/skill";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { PolicyRow } from "../workspace/policies";
import { isRowOf, type ProjectKeyRow } from "../workspace/project";
import {
  byFact,
  type ItemVerdict,
  installOf,
  type KeyFacts,
  type KeyOccurrences,
  type ProjectFacts,
  type ReadinessFacts,
  type ReadinessItem,
  type TeamFacts,
  withoutEvidence,
} from "./readinessFacts";
import { fallbackItems, logItems, retryItems, statementItem } from "./readinessItems";

/** The questions to ask before customers depend on a skill, in order. */
const questions = ["ownership", "key-scope", "retry-behavior", "logs", "manual-fallback"] as const;

/** One of the five questions. */
export type ReadinessQuestion = (typeof questions)[number];

/** The answers for one skill. */
export interface Readiness {
  readonly slug: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly questions: readonly {
    readonly question: ReadinessQuestion;
    readonly items: readonly ReadinessItem[];
  }[];
}

/** Evaluates the five questions from the facts. */
export function readinessOf(facts: ReadinessFacts, language: Language): Readiness {
  const items: Readonly<Record<ReadinessQuestion, readonly ReadinessItem[]>> = {
    ownership: ownershipItems(facts, language),
    "key-scope": keyScopeItems(facts, language),
    "retry-behavior": retryItems(facts, language),
    logs: logItems(facts, language),
    "manual-fallback": fallbackItems(facts, language),
  };
  const { slug, version } = facts.skill.summary;
  return {
    slug,
    version,
    at: facts.now,
    registry: facts.registry,
    questions: questions.map((question) => ({ question, items: items[question] })),
  };
}

/** Judges what the Project Key allows: the project's policy, whose key it is, and who could read it. */
function keyScopeItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { skill, project, key, keyOccurrences } = facts;
  const { slug } = skill.summary;
  return [
    byFact("invocable", project, language, (value, at) =>
      invocableVerdict(slug, value, facts.now, at, language),
    ),
    byFact("policy-no-wider", project, language, (value, at) =>
      policyVerdict(slug, value, at, language),
    ),
    byFact("key-of-project", key, language, (value, at) => keyVerdict(value, at, facts, language)),
    byFact("key-in-no-file", keyOccurrences, language, (value, at) =>
      placesVerdict(value, at, language),
    ),
  ];
}

/** Judges whether the registry would let the project invoke the skill at all. What passes by itself does not count. */
function invocableVerdict(
  slug: string,
  { detail, policy, permissions }: ProjectFacts,
  now: number,
  at: number,
  language: Language,
): ItemVerdict {
  const { subscriptions, invocations } = detail;
  const found = installOf(detail, slug);
  const skill = found && {
    ...found,
    isPolicyMissing: found.isPolicyMissing ?? policy === undefined,
    ...(policy !== undefined && { policy }),
    ...(permissions !== undefined && { permissions }),
  };
  const answer = predictResponse({ skill, subscriptions, invocations, now });
  const project = detail.summary.slug;
  const evidence = [{ kind: "project", part: "policy", project, name: slug, at } as const];
  const message = predictionText(answer, skill?.status ?? "", language);
  if (answer.kind === "blocked" && answer.until === undefined) {
    return { state: "notMet", message, evidence };
  }
  const isOpen = answer.kind === "allowed" && answer.unknown.length > 0;
  return isOpen ? withoutEvidence(message) : { state: "met", message, evidence };
}

/** Compares the policy with what the pinned version needs: no other version is invoked. */
function policyVerdict(
  slug: string,
  { detail, policy, permissions }: ProjectFacts,
  at: number,
  language: Language,
): ItemVerdict {
  const { t } = language;
  const project = oneLine(detail.summary.name, 100);
  if (installOf(detail, slug) === undefined) {
    return withoutEvidence(t("{skill} is not installed in {project}.", { skill: slug, project }));
  }
  if (policy === undefined) {
    return withoutEvidence(t("{project} has no policy for {skill}.", { skill: slug, project }));
  }
  if (permissions === undefined) {
    return withoutEvidence(t("The registry provides no permissions for the installed version."));
  }
  const evidence = [
    { kind: "project", part: "policy", project: detail.summary.slug, name: slug, at } as const,
  ];
  const needed = permissionLevelOf(permissions);
  const more = [
    policy.allowNetwork && !permissions.network ? t("network") : "",
    policy.allowBrowser && !permissions.browser ? t("browser") : "",
    fileAccessRank(policy.filesystemAccess) > fileAccessRank(permissions.filesystem)
      ? t("files: {access}", { access: policy.filesystemAccess })
      : "",
    policy.allowSecretAccess && permissions.secretCount === 0 ? t("secrets") : "",
    isLevelAbove(policy, needed) ? t("level: {level}", { level: policy.maxPermissionLevel }) : "",
  ].filter((word) => word !== "");
  if (more.length > 0) {
    const message = t("The policy of {project} allows more than the skill needs: {list}.", {
      project,
      list: more.join(", "),
    });
    return { state: "notMet", message, evidence };
  }
  const message = t("The policy of {project} allows no more than the skill needs.", { project });
  return { state: "met", message, evidence };
}

/** A registry's own word for a level counts as no maximum: its other rules decide. */
function isLevelAbove({ maxPermissionLevel }: PolicyRow, needed: string): boolean {
  return levelRank(maxPermissionLevel) > levelRank(needed);
}

function keyVerdict(
  { last4, isRefused }: KeyFacts,
  at: number,
  { project, registry }: ReadinessFacts,
  { t }: Language,
): ItemVerdict {
  const rows = project.isKnown ? project.value.keys.filter((row) => isRowOf(row, last4)) : [];
  const row = rows.find(({ revokedAt }) => revokedAt === undefined) ?? rows[0];
  const evidence =
    project.isKnown && row !== undefined
      ? [keyEvidence(project.value.detail.summary.slug, row, project.at)]
      : [{ kind: "registry", name: registry, at } as const];
  if (row?.revokedAt !== undefined || isRefused === true) {
    const message =
      row?.revokedAt === undefined
        ? t("The registry does not accept the Project Key.")
        : t("The Project Key …{last4} is revoked.", { last4 });
    return { state: "notMet", message, evidence };
  }
  if (!project.isKnown) {
    return withoutEvidence(
      t("Sign in to this registry to see which project the Project Key …{last4} belongs to.", {
        last4,
      }),
    );
  }
  const name = oneLine(project.value.detail.summary.name, 100);
  if (row === undefined) {
    const message = t("The Project Key …{last4} does not belong to {project}.", {
      last4,
      project: name,
    });
    const all = { part: "key", project: project.value.detail.summary.slug, name: "" } as const;
    return { state: "notMet", message, evidence: [{ kind: "project", ...all, at: project.at }] };
  }
  const message = t("The Project Key …{last4} belongs to {project}.", { last4, project: name });
  return { state: "met", message, evidence };
}

function keyEvidence(project: string, { name, last4 }: ProjectKeyRow, at: number) {
  return {
    kind: "project",
    part: "key",
    project,
    name: `${oneLine(name, 60)} …${oneLine(last4, 8)}`,
    at,
  } as const;
}

function placesVerdict(
  { found, searched, unread }: KeyOccurrences,
  at: number,
  { t }: Language,
): ItemVerdict {
  if (found.length > 0) {
    const message = t("A file contains the Project Key. Remove it there and rotate the key.");
    const evidence = found.map((place) => ({ kind: "file", ...place, at }) as const);
    return { state: "notMet", message, evidence };
  }
  if (unread > 0) {
    return withoutEvidence(
      searched === 1
        ? t("The Project Key is not in the 1 file searched; {unread} more could not be searched.", {
            unread,
          })
        : t("The Project Key is in none of {count} files; {unread} more could not be searched.", {
            count: searched,
            unread,
          }),
    );
  }
  const message = t("No file of the workspace contains the Project Key.");
  return { state: "met", message, evidence: [{ kind: "files", count: searched, at }] };
}

/** Judges who stands behind a skill: its publisher, the team's review, and who in the team is responsible for it. */
function ownershipItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
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
  // Some registries return only a trust level for a publisher, which only an active one has.
  const word = publisher.status ?? publisher.trustLevel ?? "";
  if (!["active", "verified"].includes(word.toLowerCase())) {
    return withoutEvidence(
      t("The registry does not state whether the publisher {name} is active.", { name }),
    );
  }
  return { state: "met", message: t("The publisher {name} is active.", { name }), evidence };
}

/** A word by which a registry marks a publisher as not fully active; its own words do not count. */
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
