import type { Language } from "../text/language";
import { permissionSentences } from "./permissionSentences";
import { type PermissionLevel, type Permissions, permissionLevelOf } from "./permissions";
import type { Tone } from "./verification";

/** How much a skill could do, in words, and who says so. */
export interface PermissionLevelText {
  readonly word: string;
  /** The permissions that make it so, as one sentence. */
  readonly reason: string;
  readonly source: string;
  readonly tone: Tone;
  /** How many of three bars stand for it; 0 where it is not known. */
  readonly bars: number;
  /** Says how the level the registry states and the permissions disagree; undefined where they agree. */
  readonly conflict?: string;
}

/**
 * Says how much harm a skill could do. The permissions decide where they are known; a registry's
 * stated level is compared with them, and believed only where there are none.
 */
export function permissionLevelText(
  permissions: Permissions | undefined,
  stated: string | undefined,
  language: Language,
): PermissionLevelText {
  const { t } = language;
  if (permissions === undefined) return statedPower(stated, language);
  const level = permissionLevelOf(permissions);
  const conflict = stated !== undefined && stated !== "" && stated !== level;
  return {
    word: levelName(level, language),
    reason: reasonOf(permissions, level, language),
    source:
      stated === level
        ? t("Derived by the registry, in line with the permissions the publisher states.")
        : t("Derived here from the permissions the publisher states."),
    tone: toneOf(level),
    bars: barsOf(level),
    ...(conflict && {
      conflict: t("The registry states “{stated}”, but the permissions amount to “{derived}”.", {
        stated,
        derived: level,
      }),
    }),
  };
}

/** Names a permission level; a registry's own word stays as it is. */
export function levelName(level: string, { t }: Language): string {
  switch (level) {
    case "low":
      return t("Low permissions");
    case "medium":
      return t("Medium permissions");
    case "high":
      return t("High permissions");
    default:
      return level;
  }
}

function statedPower(stated: string | undefined, language: Language): PermissionLevelText {
  const { t } = language;
  if (stated === undefined || stated === "") {
    return {
      word: t("Permissions not provided"),
      reason: t(
        "Permissions not provided by this registry. Treat the level as high until you know.",
      ),
      source: "",
      tone: "caution",
      bars: 0,
    };
  }
  return {
    word: levelName(stated, language),
    reason: t("The registry provides this level, but not the permissions behind it."),
    source: t("Derived by the registry, from permissions it does not show."),
    tone: toneOf(stated),
    bars: barsOf(stated),
  };
}

function reasonOf(permissions: Permissions, level: PermissionLevel, language: Language): string {
  const causes = permissionSentences(permissions, language).filter(
    ({ granted, risk }) => granted && risk === level,
  );
  if (causes.length === 0) {
    return language.t("No files, no network, no browser, no secrets.");
  }
  return `${causes.map(({ sentence }) => sentence).join(". ")}.`;
}

function toneOf(level: string): Tone {
  if (level === "low") return "good";
  if (level === "medium") return "caution";
  return level === "high" ? "bad" : "neutral";
}

function barsOf(level: string): number {
  return ["low", "medium", "high"].indexOf(level) + 1;
}
