import { type Result, registryFailureText } from "../../registry/registryFailure";
import { changeLines, versionLines } from "../../skill/differenceText";
import { isPriceUnanswered } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import type { Language } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { canInvoke } from "./canInvoke";
import { isAtStake } from "./consentQuestion";
import { notCallableText, termsUnknownText } from "./gateNotices";
import { termsChanges, termsOf } from "./terms";

/** How long an agreement is valid, in milliseconds. Later the registry may have changed the skill. */
export const agreementMs = 300_000;

/**
 * Explains how a newly read skill differs from the agreed one, or why it can no longer be invoked; undefined for
 * neither. If money or permissions are at stake, an unreadable skill or price counts as different.
 */
export function changeSinceAgreed(
  agreed: SkillDetail,
  read: Result<SkillDetail>,
  language: Language,
): string | undefined {
  const { slug } = agreed.summary;
  const unknown = termsUnknownText(slug, language);
  if (!read.ok) {
    const isGone = read.failure.kind === "notFound";
    const reason = registryFailureText(read.failure, language);
    return isGone || isAtStake(agreed) ? `${unknown} ${reason}` : undefined;
  }
  const verdict = canInvoke(read.value);
  if (verdict.kind === "no") return notCallableText(slug, verdict, language);
  const changes = changesSince(agreed, read.value, language);
  if (changes.length > 0) {
    const text = language.t(
      "{skill} was not invoked: it changed at the registry after it was agreed to.",
      { skill: slug },
    );
    return [text, ...changes.slice(0, maxNamed)].join(" ");
  }
  const isPriceLost = isPriceUnanswered(read.value) && !isPriceUnanswered(agreed);
  return isPriceLost && isAtStake(agreed) ? unknown : undefined;
}

/** The maximum number of changes in a sentence; the dialog lists all. */
const maxNamed = 3;

/** Describes the changes since the agreement. `termsChanges` decides what counts as a change. */
function changesSince(
  agreed: SkillDetail,
  read: SkillDetail,
  language: Language,
): readonly string[] {
  const otherVersion = versionLines(agreed.summary.version, read.summary.version, language);
  if (otherVersion.length > 0) return otherVersion;
  // Both come from the same registry, so its name does not matter here.
  const sides = { before: termsOf("", agreed), after: termsOf("", read) };
  const changes = termsChanges(sides.before, sides.after);
  return changeLines(changes, sides, language).map((line) => `${oneLine(line, 200)}.`);
}
