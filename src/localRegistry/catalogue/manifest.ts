import type { PermissionLevel } from "../../core/skill/permissions";
import { permissionLevelOf } from "../../core/skill/permissions";
import { publisherOf } from "./catalogue";
import type { ManifestPermissions, Release, Runtime, Skill } from "./skill";

/** Builds the public manifest of a version: commands and secret names are redacted. */
export function publicManifest(skill: Skill, release: Release) {
  const { displayName, url } = publisherOf(skill);
  return {
    schemaVersion: "0.1",
    name: skill.slug,
    displayName: skill.displayName,
    version: release.version,
    description: skill.description,
    tags: skill.tags,
    runtime: publicRuntime(release.runtime),
    permissions: publicPermissions(release.permissions),
    inputSchema: release.inputSchema,
    outputSchema: release.outputSchema,
    author: { name: displayName, url },
  };
}

/** Copies permissions with one placeholder in place of the secrets' names. */
function publicPermissions(permissions: ManifestPermissions): ManifestPermissions {
  const count = permissions.secrets.length;
  if (count === 0) return permissions;
  const handles = count === 1 ? "handle" : "handles";
  return { ...permissions, secrets: [`[${count} secret ${handles} required]`] };
}

/** Derives a version's permission level. */
export function levelOf(release: Release): PermissionLevel {
  const { secrets, ...permissions } = release.permissions;
  return permissionLevelOf({ ...permissions, secretCount: secrets.length, secretNames: secrets });
}

function publicRuntime(runtime: Runtime): Runtime {
  if (runtime.type !== "local") return runtime;
  const args = runtime.args.length === 0 ? [] : [`[${runtime.args.length} redacted args]`];
  return { type: "local", command: "[restricted local runtime]", args };
}
