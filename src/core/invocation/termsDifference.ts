import { permissionSentences } from "../skill/permissionSentences";
import type { Permissions } from "../skill/permissions";
import type { InputMember, Terms } from "./terms";

const maxLines = 8;

/** Says in short lines what is different in the terms `now` from those agreed to `before`. */
export function termsDifference(before: Terms, now: Terms): readonly string[] {
  const lines = [
    ...versionLines(before, now),
    ...permissionLines(before.permissions, now.permissions),
    ...runtimeLines(before, now),
    ...priceLines(before, now),
  ];
  const input = inputLines(before.input, now.input);
  const hidden = before.contractHash !== now.contractHash && lines.length + input.length === 0;
  const all = [...lines, ...input, ...(hidden ? ["Details of the input have changed."] : [])];
  return all.length <= maxLines
    ? all
    : [...all.slice(0, maxLines - 1), `And ${all.length - maxLines + 1} more changes.`];
}

/**
 * Tells whether new terms need to be agreed to: another contract, or another price. A price that a
 * registry did not give this time is no change.
 */
export function termsChanged(before: Terms, now: Terms): boolean {
  return before.contractHash !== now.contractHash || priceLines(before, now).length > 0;
}

function versionLines(before: Terms, now: Terms): string[] {
  if (before.version === now.version) return [];
  return [`Version ${now.version || "(none)"} instead of ${before.version || "(none)"}.`];
}

function permissionLines(before: Permissions | undefined, now: Permissions | undefined): string[] {
  if (now === undefined) {
    return before === undefined ? [] : ["The registry no longer says what it may do."];
  }
  const earlier = grantedSentences(before);
  const current = grantedSentences(now);
  return [
    ...current.filter((line) => !earlier.includes(line)).map((line) => `New: ${lower(line)}.`),
    ...earlier
      .filter((line) => !current.includes(line))
      .map((line) => `No longer: ${lower(line)}.`),
  ];
}

function grantedSentences(permissions: Permissions | undefined): string[] {
  if (permissions === undefined) return [];
  return permissionSentences(permissions)
    .filter(({ granted }) => granted)
    .map(({ sentence }) => sentence);
}

function runtimeLines(before: Terms, now: Terms): string[] {
  if (before.runtime === now.runtime) return [];
  return [
    `It runs as ${now.runtime ?? "(not given)"} instead of ${before.runtime ?? "(not given)"}.`,
  ];
}

function priceLines(before: Terms, now: Terms): string[] {
  if (before.price === now.price || now.price === "") return [];
  return [`It costs: ${now.price}. Before: ${before.price || "not given"}.`];
}

function inputLines(before: readonly InputMember[], now: readonly InputMember[]): string[] {
  const earlier = new Map(before.map((member) => [member.name, member]));
  const current = new Set(now.map(({ name }) => name));
  const changes = now.map((member) => memberLine(earlier.get(member.name), member));
  const gone = before.filter(({ name }) => !current.has(name));
  return [
    ...changes.filter((line) => line !== undefined),
    ...gone.map(({ name }) => `The input no longer has “${name}”.`),
  ];
}

function memberLine(before: InputMember | undefined, now: InputMember): string | undefined {
  if (before === undefined) {
    return `The input has a new ${now.required ? "required " : ""}“${now.name}”.`;
  }
  if (now.required && !before.required) return `The input's “${now.name}” is now required.`;
  if (!now.required && before.required) return `The input's “${now.name}” is no longer required.`;
  return before.digest === now.digest ? undefined : `The input's “${now.name}” takes other values.`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
