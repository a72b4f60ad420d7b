import { permissionSentences } from "../../skill/permissionSentences";
import type { Permissions } from "../../skill/permissions";
import { pricesText } from "../../skill/price";
import { english, type Language } from "../../text/language";
import { lowerFirst } from "../../text/plainText";
import { builtInRegistryName } from "../record/invocationRecord";
import type { InputMember, Terms } from "./terms";

const maxLines = 8;

/** Says in short lines what is different in the terms `now` from those agreed to `before`. */
export function termsDifference(before: Terms, now: Terms, language: Language): readonly string[] {
  const { t } = language;
  const lines = [
    ...versionLines(before, now, language),
    ...permissionLines(before.permissions, now.permissions, language),
    ...runtimeLines(before, now, language),
    ...priceLines(before, now, language),
  ];
  const input = inputLines(before.input, now.input, language);
  const hidden = before.digest !== now.digest && lines.length + input.length === 0;
  const all = [...lines, ...input, ...(hidden ? [t("Details of the input have changed.")] : [])];
  if (all.length <= maxLines) return all;
  const count = all.length - maxLines + 1;
  return [...all.slice(0, maxLines - 1), t("And {count} more changes.", { count })];
}

/**
 * Tells whether new terms need to be agreed to: another contract, or another price. A price that a
 * registry did not give this time is no change.
 */
export function termsChanged(before: Terms, now: Terms): boolean {
  return before.digest !== now.digest || priceLines(before, now, english).length > 0;
}

function versionLines(before: Terms, now: Terms, { t }: Language): string[] {
  if (before.version === now.version) return [];
  const none = t("(none)");
  return [
    t("Version {now} instead of {before}.", {
      now: now.version || none,
      before: before.version || none,
    }),
  ];
}

function permissionLines(
  before: Permissions | undefined,
  now: Permissions | undefined,
  language: Language,
): string[] {
  const { t } = language;
  if (now === undefined) {
    return before === undefined ? [] : [t("The registry no longer provides its permissions.")];
  }
  const earlier = grantedSentences(before, language);
  const current = grantedSentences(now, language);
  return [
    ...current
      .filter((line) => !earlier.includes(line))
      .map((line) => t("New: {permission}.", { permission: lowerFirst(line) })),
    ...earlier
      .filter((line) => !current.includes(line))
      .map((line) => t("No longer: {permission}.", { permission: lowerFirst(line) })),
  ];
}

function grantedSentences(permissions: Permissions | undefined, language: Language): string[] {
  if (permissions === undefined) return [];
  return permissionSentences(permissions, language)
    .filter(({ granted }) => granted)
    .map(({ sentence }) => sentence);
}

function runtimeLines(before: Terms, now: Terms, { t }: Language): string[] {
  if (before.runtime === now.runtime) return [];
  const notGiven = t("(not provided)");
  return [
    t("It runs as {now} instead of {before}.", {
      now: now.runtime ?? notGiven,
      before: before.runtime ?? notGiven,
    }),
  ];
}

function priceLines(before: Terms, now: Terms, language: Language): string[] {
  const { t } = language;
  const isSample = now.registry === builtInRegistryName;
  const [earlier, current] = [before, now].map((terms) => pricesText(terms, language, isSample));
  if (earlier === current || !current) return [];
  return [
    t("New price: {now}. Before: {before}.", {
      now: current,
      before: earlier || t("not given"),
    }),
  ];
}

function inputLines(
  before: readonly InputMember[],
  now: readonly InputMember[],
  language: Language,
): string[] {
  const earlier = new Map(before.map((member) => [member.name, member]));
  const current = new Set(now.map(({ name }) => name));
  const changes = now.map((member) => memberLine(earlier.get(member.name), member, language));
  const gone = before.filter(({ name }) => !current.has(name));
  return [
    ...changes.filter((line) => line !== undefined),
    ...gone.map(({ name }) => language.t("The input no longer has “{name}”.", { name })),
  ];
}

function memberLine(
  before: InputMember | undefined,
  { name, required, digest }: InputMember,
  { t }: Language,
): string | undefined {
  if (before === undefined) {
    return required
      ? t("The input has a new required property “{name}”.", { name })
      : t("The input has a new property “{name}”.", { name });
  }
  if (required && !before.required) {
    return t("The input's “{name}” is now required.", { name });
  }
  if (!required && before.required) {
    return t("The input's “{name}” is no longer required.", { name });
  }
  return before.digest === digest
    ? undefined
    : t("The input's “{name}” allows different values.", { name });
}
