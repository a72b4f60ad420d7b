import type { SkillSummary } from "./skill";

/** What a skill may do where it runs. */
export interface Permissions {
  readonly network: boolean;
  readonly browser: boolean;
  readonly filesystem: "none" | "read" | "write";
  /** How many secrets the skill needs. */
  readonly secretCount: number;
  /** The secrets' names where the registry shows them; empty where it redacts them. */
  readonly secretNames: readonly string[];
}

/** How much harm a skill could do: the words of the permission profile filter. */
export type PermissionLevel = "low" | "medium" | "high";

/** Derives the level from the permissions, by the registry's own rule. */
export function permissionLevelOf(permissions: Permissions): PermissionLevel {
  if (permissions.filesystem === "write" || permissions.secretCount > 0) return "high";
  if (permissions.browser || permissions.network || permissions.filesystem === "read") {
    return "medium";
  }
  return "low";
}

/** Ranks a permission level from 0 for low to 2 for high; -1 for a registry's own word. */
function levelRank(level: string): number {
  return ["low", "medium", "high"].indexOf(level.toLowerCase());
}

/**
 * Gives a skill's row the level that counts once its permissions are known: what they amount to, unless
 * the registry states more. A lower level, or a word of the registry's own, is kept as `understatedLevel`.
 */
export function withPermissions(skill: SkillSummary, permissions: Permissions): SkillSummary {
  const level = permissionLevelOf(permissions);
  const { permissionLevel: stated, ...rest } = skill;
  if (stated === undefined || skill.isLevelDerived === true) {
    return { ...rest, permissions, permissionLevel: level, isLevelDerived: true };
  }
  return levelRank(stated) >= levelRank(level)
    ? { ...skill, permissions }
    : {
        ...rest,
        permissions,
        permissionLevel: level,
        understatedLevel: skill.understatedLevel ?? stated,
      };
}

/** Gives a row back the level the registry states, which is what the registry filters and sorts by. */
export function asStated(skill: SkillSummary): SkillSummary {
  const { understatedLevel } = skill;
  return understatedLevel === undefined ? skill : { ...skill, permissionLevel: understatedLevel };
}
