import type { Language } from "../text/language";
import type { SkillDetail, SkillSummary } from "./skill";
import type { Tone } from "./verification";

/** The permissions of a skill at its runtime. */
export interface Permissions {
  readonly network: boolean;
  readonly browser: boolean;
  readonly filesystem: "none" | "read" | "write";
  /** How many secrets the skill needs. */
  readonly secretCount: number;
  /** The secrets' names if the registry returns them; empty if it redacts them. */
  readonly secretNames: readonly string[];
  /** Granted permissions with unknown names, whose meaning is unknown as well; left out for none. */
  readonly others?: readonly string[];
}

/** How much harm a skill could do: the values of the permission profile filter. */
export type PermissionLevel = "low" | "medium" | "high";

/** Derives the level from the permissions, by the registry's own rule. An unknown permission may allow anything. */
export function permissionLevelOf(permissions: Permissions): PermissionLevel {
  const { filesystem, secretCount, others = [] } = permissions;
  if (filesystem === "write" || secretCount > 0 || others.length > 0) return "high";
  if (permissions.browser || permissions.network || permissions.filesystem === "read") {
    return "medium";
  }
  return "low";
}

/** The permission levels, lowest first. */
export const permissionLevels: readonly PermissionLevel[] = ["low", "medium", "high"];

/** Ranks a permission level from 0 for low to 2 for high; -1 for a registry's own word, and for none. */
export function levelRank(level: string | undefined): number {
  return (permissionLevels as readonly string[]).indexOf(level?.toLowerCase() ?? "");
}

/** Ranks access to files from 0 for none to 2 for write; -1 for a registry's own word, and if unknown. */
export function fileAccessRank(access: string | undefined): number {
  return ["none", "read", "write"].indexOf(access ?? "");
}

/**
 * Returns the level to show for a skill. With known permissions, it is the higher of their level and the registry's
 * stated level; else the stated level, which may be too low. Undefined if both are unknown.
 */
export function skillLevel(permissions: Permissions, stated?: string): PermissionLevel;
export function skillLevel(permissions?: Permissions, stated?: string): string | undefined;
export function skillLevel(permissions?: Permissions, stated?: string): string | undefined {
  if (permissions === undefined) return stated === "" ? undefined : stated;
  const derived = permissionLevelOf(permissions);
  return permissionLevels[Math.max(levelRank(stated), levelRank(derived))];
}

/** Returns the level on which decisions are based. Unknown permissions may allow anything, so their level is high. */
export function assumedLevel({ permissions, summary }: SkillDetail): PermissionLevel {
  return permissions === undefined ? "high" : skillLevel(permissions, summary.permissionLevel);
}

/** Sets a row's level once the skill's permissions are known. Keeps the registry's stated level if that is lower. */
export function withPermissions(skill: SkillSummary, permissions: Permissions): SkillSummary {
  const stated = statedLevel(skill);
  const permissionLevel = skillLevel(permissions, stated);
  const known = { ...withoutLevel(skill), permissions, permissionLevel };
  if (stated === undefined) return { ...known, isLevelDerived: true };
  return levelRank(stated) < levelRank(permissionLevel)
    ? { ...known, understatedLevel: stated }
    : known;
}

/** Removes from a row its permissions, its level and the source of the level. */
export function withoutLevel({
  permissions: _,
  permissionLevel: __,
  isLevelDerived: ___,
  understatedLevel: ____,
  ...rest
}: SkillSummary): SkillSummary {
  return rest;
}

/** Returns the level that the registry states, by which it filters and sorts; undefined if it states none. */
export function statedLevel({
  permissionLevel,
  isLevelDerived,
  understatedLevel,
}: SkillSummary): string | undefined {
  return isLevelDerived === true ? undefined : (understatedLevel ?? permissionLevel);
}

/** Returns a row with the level that the registry states. */
export function withStatedLevel(skill: SkillSummary): SkillSummary {
  const { understatedLevel } = skill;
  return understatedLevel === undefined ? skill : { ...skill, permissionLevel: understatedLevel };
}

/** Names the source of the shown level for programs; undefined if no level is shown. */
export function levelBasis(skill: SkillSummary): "permissions" | "listing" | undefined {
  if (skill.permissions !== undefined) return "permissions";
  return skill.permissionLevel === undefined ? undefined : "listing";
}

/** Adds the registry's stated level if that is lower. Then the shown level differs from the registry's own list. */
export function withUnderstated(
  level: string,
  { understatedLevel: stated }: SkillSummary,
  { t }: Language,
): string {
  return stated === undefined ? level : t("{level} (registry: {stated})", { level, stated });
}

/** A permission level as text, with its source. */
export interface PermissionLevelText {
  readonly word: string;
  /** The permissions behind the level, as one sentence. */
  readonly reason: string;
  readonly source: string;
  readonly tone: Tone;
  /** How many of three bars to show; 0 if the level is unknown. */
  readonly bars: number;
  /** How the stated level and the permissions contradict each other; undefined if they agree. */
  readonly conflict?: string;
}

/** Describes how much harm a skill could do: its shown level, and how registry and permissions differ. */
export function permissionLevelText(skill: SkillSummary, language: Language): PermissionLevelText {
  const { t } = language;
  const { permissions } = skill;
  const stated = statedLevel(skill);
  if (permissions === undefined) return statedLevelText(stated, language);
  const derived = permissionLevelOf(permissions);
  const level = skillLevel(permissions, stated);
  return {
    word: levelName(level, language),
    reason: reasonOf(permissions, language),
    source: levelSource(level, derived, stated, language),
    tone: toneOf(level),
    bars: barsOf(level),
    ...(stated !== undefined &&
      stated !== derived && {
        conflict: t("The registry states “{stated}”, but the permissions amount to “{derived}”.", {
          stated,
          derived,
        }),
      }),
  };
}

function levelSource(
  level: PermissionLevel,
  derived: PermissionLevel,
  stated: string | undefined,
  { t }: Language,
): string {
  if (level !== derived) return t("Stated by the registry.");
  return stated === derived
    ? t("Derived by the registry, in line with the permissions the publisher states.")
    : t("Derived here from the permissions the publisher states.");
}

/** Names a permission level. A registry's own word stays. */
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

function statedLevelText(stated: string | undefined, language: Language): PermissionLevelText {
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

/** States that no permission is granted. Empty if any is, since each granted permission is listed separately. */
function reasonOf(permissions: Permissions, language: Language): string {
  const isAnyGranted = permissionSentences(permissions, language).some(({ granted }) => granted);
  return isAnyGranted ? "" : language.t("No files, no network, no browser, no secrets.");
}

function toneOf(level: string): Tone {
  if (level === "low") return "good";
  if (level === "medium") return "caution";
  return level === "high" ? "bad" : "neutral";
}

/** Returns how many of three bars stand for a permission level; 0 for a registry's own word. */
export function barsOf(level: string): number {
  return levelRank(level) + 1;
}

/** One permission as a sentence. */
export interface PermissionSentence {
  readonly permission: "filesystem" | "secrets" | "network" | "browser" | "others";
  /** False if the skill declares that it does not need it. */
  readonly granted: boolean;
  /** How much this one permission grants. */
  readonly risk: PermissionLevel;
  readonly sentence: string;
  /** A possible consequence; empty if it is not granted. */
  readonly consequence: string;
}

/**
 * Describes permissions as sentences: the most powerful first, those not granted last. Permissions with unknown names
 * share one sentence, if there are any.
 */
export function permissionSentences(
  permissions: Permissions,
  language: Language,
): PermissionSentence[] {
  const all = [
    ...othersSentence(permissions.others ?? [], language),
    filesystemSentence(permissions.filesystem, language),
    secretsSentence(permissions, language),
    networkSentence(permissions.network, language),
    browserSentence(permissions.browser, language),
  ];
  return all.sort((a, b) => levelRank(b.risk) - levelRank(a.risk));
}

function othersSentence(names: readonly string[], { t }: Language): PermissionSentence[] {
  if (names.length === 0) return [];
  return [
    {
      permission: "others",
      granted: true,
      risk: "high",
      sentence: t("Has permissions unknown to this extension: {names}", {
        names: names.join(", "),
      }),
      consequence: t("They may allow anything."),
    },
  ];
}

function filesystemSentence(
  access: Permissions["filesystem"],
  { t }: Language,
): PermissionSentence {
  const permission = "filesystem";
  if (access === "write") {
    return {
      permission,
      granted: true,
      risk: "high",
      sentence: t("Writes files on the machine it runs on"),
      consequence: t("It can change or delete what is stored there."),
    };
  }
  if (access === "read") {
    return {
      permission,
      granted: true,
      risk: "medium",
      sentence: t("Reads files on the machine it runs on"),
      consequence: t("What it reads there may end up in its output."),
    };
  }
  return notGranted(permission, t("Does not touch files"));
}

function secretsSentence(permissions: Permissions, { t }: Language): PermissionSentence {
  const permission = "secrets";
  const { secretCount: count, secretNames: names } = permissions;
  if (count <= 0) return notGranted(permission, t("Needs no secrets"));
  const sentence =
    count === 1
      ? t("Uses 1 secret of the project")
      : t("Uses {count} secrets of the project", { count });
  return {
    permission,
    granted: true,
    risk: "high",
    sentence: names.length > 0 ? `${sentence}: ${names.join(", ")}` : sentence,
    consequence: t("It acts with the permissions of these credentials."),
  };
}

function networkSentence(granted: boolean, { t }: Language): PermissionSentence {
  if (!granted) return notGranted("network", t("Does not use the network"));
  return {
    permission: "network",
    granted,
    risk: "medium",
    sentence: t("Connects to other services over the network"),
    consequence: t("The payload may be sent to them."),
  };
}

function browserSentence(granted: boolean, { t }: Language): PermissionSentence {
  if (!granted) return notGranted("browser", t("Does not drive a browser"));
  return {
    permission: "browser",
    granted,
    risk: "medium",
    sentence: t("Drives a web browser"),
    consequence: t("It can open pages, and act on them as a visitor would."),
  };
}

function notGranted(
  permission: PermissionSentence["permission"],
  sentence: string,
): PermissionSentence {
  return { permission, granted: false, risk: "low", sentence, consequence: "" };
}
