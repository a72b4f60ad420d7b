import { userTokenVariable } from "../registry/credential";
import { registryFailureText } from "../registry/registryFailure";
import type { UnknownPart } from "../skill/compare/contract";
import type { Change } from "../skill/difference";
import { changeLines, contractPartTitle, type Sides } from "../skill/differenceText";
import { type Permissions, permissionSentences } from "../skill/permissions";
import { pricesText } from "../skill/price";
import { addressText } from "../skill/skillAddress";
import { verificationText } from "../skill/verification";
import type { Language } from "../text/language";
import { lowerFirst, oneLine } from "../text/plainText";
import { type Drift, fixedChanges, stepChanges } from "./drift";
import type { NotKnown } from "./skillStanding";
import type { TeamStanding } from "./standing";

/**
 * Describes the objections of all folders to a skill, one fact per line, each folder's worst objection first. Empty if
 * the skill is as reviewed.
 */
export function standingLines(standing: TeamStanding, language: Language): readonly string[] {
  const { slug, drift, notKnown, broken } = standing;
  const lines = [
    ...drift.map((item) => driftText(slug, item, language)),
    ...notKnown.map((known) => notKnownText(slug, known, language)),
    ...broken.map((file) =>
      language.t("{file} is invalid, so reviews cannot be read. Fix it first.", { file }),
    ),
  ];
  return firstLines(lines);
}

/** Keeps as many lines as fit a dialog or card, without repetitions. */
export function firstLines(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].slice(0, 10);
}

/** Describes in one or two sentences how a skill differs from its reviews, and which review would help. */
export function driftText(slug: string, drift: Drift, language: Language): string {
  const { t } = language;
  const skill = addressText(slug, drift.version);
  switch (drift.kind) {
    case "violation": {
      const { who, notes } = drift.violation;
      return t("{skill} must not be used, according to {who}: {notes}", { skill, who, notes });
    }
    case "not-offered":
      return drift.status === undefined
        ? t(
            "{skill} was reviewed, and the registry no longer has it. It may be suspended, rejected or private: sign in to find it in your project.",
            { skill },
          )
        : t("{skill} is “{now}” at the registry, so it cannot be invoked.", {
            skill,
            now: verificationText(drift.status, language).word,
          });
    case "contract-changed":
      return drift.sides === undefined
        ? t("{skill} has a different contract than the one reviewed, under the same version.", {
            skill,
          })
        : t(
            "{skill} has a different contract than the one reviewed, under the same version: {changes}.",
            { skill, changes: changesText(fixedChanges(drift.sides), drift.sides, language) },
          );
    case "permissions-raised":
      return drift.now === undefined
        ? t("{skill}: the registry no longer provides its permissions. Assume full access.", {
            skill,
          })
        : t("{skill} has more permissions than were reviewed: {permissions}.", {
            skill,
            permissions: raisedPermissions(drift.before, drift.now, language),
          });
    case "verification-lowered":
      return t("{skill} is now “{now}” at the registry; it was “{before}” when reviewed.", {
        skill,
        now: verificationText(drift.now, language).word,
        before: verificationText(drift.before, language).word,
      });
    case "publisher-changed":
      return t("The publisher of {skill} is now {now}; it was {before} when reviewed.", {
        skill,
        now: drift.now ?? t("unknown"),
        before: drift.before ?? t("unknown"),
      });
    case "price-changed":
      return t("New price of {skill}: {now}. When reviewed: {before}.", {
        skill,
        now: pricesText(drift.now, language) || t("not provided"),
        before: pricesText(drift.before, language) || t("not provided"),
      });
    case "other-registry":
      return t(
        "{skill} is not reviewed at {registry}, only {others}. Review it here, or connect to that registry.",
        {
          skill,
          others: drift.others
            .map((item) =>
              t("{version} at {registry}", { version: item.version, registry: item.registry }),
            )
            .join(", "),
          registry: drift.registry,
        },
      );
    case "version-unreviewed":
      return unreviewedVersionText(skill, drift, language);
    case "expired":
      return expiredText(skill, drift, language);
    case "unreviewed":
      return t("{skill} is not reviewed for {criteria}. Review this version.", {
        skill,
        criteria: drift.criteria.join(", "),
      });
  }
}

/** Describes why a skill's standing is unknown. */
export function notKnownText(slug: string, notKnown: NotKnown, language: Language): string {
  const { t } = language;
  switch (notKnown.kind) {
    case "failure":
      return t("{skill} could not be compared with its review. {reason}", {
        skill: slug,
        reason: registryFailureText(notKnown.failure, language),
      });
    case "version":
      return t(
        "{skill} could not be compared with its review: the registry does not return this version.",
        {
          skill: `${slug}@${notKnown.version}`,
        },
      );
    case "unlisted":
      return t(
        "The publisher of {skill} is not known: the registry lists only some skills of each publisher. Otherwise its contract is as reviewed.",
        { skill: addressText(slug, notKnown.version) },
      );
    case "lost":
      return t(
        "{skill} could not be compared with its review: the registry no longer returns its {part}.",
        {
          skill: addressText(slug, notKnown.version),
          part: lowerFirst(contractPartTitle(notKnown.part, language)),
        },
      );
    case "contract":
      return unknownContractText(addressText(slug, notKnown.version), notKnown.part, language);
  }
}

/** Describes which part makes the contract of a skill (`slug@version`) unknown. */
export function unknownContractText(skill: string, part: UnknownPart, language: Language): string {
  const { t } = language;
  switch (part) {
    case "values":
      return t(
        "The contract of {skill} cannot be hashed: JSON parsers disagree on a value of it.",
        {
          skill,
        },
      );
    case "permissions":
      return t(
        "The contract of {skill} cannot be hashed: it has permissions unknown to this extension.",
        { skill },
      );
    case "manifest":
      return t(
        "The Project Key does not show the permissions of {skill}. Sign in, or set {variable}.",
        {
          skill,
          variable: userTokenVariable,
        },
      );
    default:
      return t(
        "The contract of {skill} cannot be hashed: the registry did not return its {part}.",
        {
          skill,
          part: lowerFirst(contractPartTitle(part, language)),
        },
      );
  }
}

/** The maximum number of changes in one line; *Show What Changed* has all. */
const maxChanges = 5;

/** Describes the most serious changes in one line; empty if there are none. */
export function changesText(changes: readonly Change[], sides: Sides, language: Language): string {
  const lines = changeLines(changes, sides, language);
  const shown = lines.slice(0, maxChanges).map((line) => oneLine(line, 120));
  const count = lines.length - shown.length;
  const values = { values: shown.join("; "), count };
  return count > 0 ? language.t("{values} and {count} more", values) : shown.join("; ");
}

function unreviewedVersionText(
  skill: string,
  { criteria, from, isSameContract, sides }: Extract<Drift, { kind: "version-unreviewed" }>,
  language: Language,
): string {
  const { t } = language;
  const values = { skill, from, criteria: criteria.join(", ") };
  if (isSameContract) {
    return t(
      "{skill} is not reviewed for {criteria}. Its contract is the same as in {from}: review the changes since then.",
      values,
    );
  }
  const changes = sides === undefined ? "" : changesText(stepChanges(sides), sides, language);
  return changes === ""
    ? t("{skill} is not reviewed for {criteria}. Review the changes since {from}.", values)
    : t("{skill} is not reviewed for {criteria}. Review what changed since {from}: {changes}.", {
        ...values,
        changes,
      });
}

function expiredText(
  skill: string,
  { by, until }: Extract<Drift, { kind: "expired" }>,
  { t }: Language,
): string {
  switch (by) {
    case "review":
      return t("The review of {skill} expired after {day}. Review it again.", {
        skill,
        day: until,
      });
    case "exemption":
      return t("The exemption of {skill} expired after {day}. Review this version.", {
        skill,
        day: until,
      });
    case "publisher":
      return t("The trust in the publisher of {skill} expired after {day}. Review this version.", {
        skill,
        day: until,
      });
  }
}

function raisedPermissions(
  before: Permissions | undefined,
  now: Permissions,
  language: Language,
): string {
  const granted = (permissions: Permissions) =>
    permissionSentences(permissions, language)
      .filter((permissionSentence) => permissionSentence.granted)
      .map(({ sentence }) => lowerFirst(sentence));
  const earlier = before === undefined ? [] : granted(before);
  return granted(now)
    .filter((sentence) => !earlier.includes(sentence))
    .join("; ");
}
