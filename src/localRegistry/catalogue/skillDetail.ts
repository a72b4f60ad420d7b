import { publisherOf } from "./catalogue";
import { levelOf, publicManifest } from "./manifest";
import type { Release, Skill } from "./skill";
import { skillRow } from "./skillRow";

/** Builds everything that is public of one version of a skill. */
export function skillDetail(skill: Skill, release: Release) {
  const { slug, displayName, trustLevel, url, supportUrl } = publisherOf(skill);
  const manifest = publicManifest(skill, release);
  return {
    ...skillRow(skill),
    version: release.version,
    latestVersion: skill.releases[0].version,
    permissionLevel: levelOf(release),
    runtimeType: release.runtime.type,
    manifest,
    inputSchema: release.inputSchema,
    outputSchema: release.outputSchema,
    permissions: manifest.permissions,
    versions: skill.releases.map(({ version, publishedAt, changes }) => ({
      version,
      publishedAt,
      changes,
    })),
    publisher: { slug, name: displayName, verified: trustLevel === "verified", trustLevel, url },
    reviewState: skill.reviewState,
    reviewedAt: skill.reviewedAt ?? null,
    examples: release.examples,
    supportUrl,
  };
}
