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

/** Derives the level from the permissions, by the registry's own rule (wire contract, section 1). */
export function permissionLevelOf(permissions: Permissions): PermissionLevel {
  if (permissions.filesystem === "write" || permissions.secretCount > 0) return "high";
  if (permissions.browser || permissions.network || permissions.filesystem === "read") {
    return "medium";
  }
  return "low";
}
