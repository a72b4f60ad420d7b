import { type PermissionLevel, permissionLevelOf } from "../../core/skill/permissions";
import { catalog, type Manifest, type Release, type Skill } from "./catalog";

/** The invented publishers of the sample skills; their addresses are in the reserved domain .example. */
const publishers = [
  publisher("plainworks", "Plainworks", "active", "verified"),
  publisher("tidy-tables", "Tidy Tables", "active", "verified"),
  publisher("lantern-security", "Lantern Security Studio", "active", "verified"),
  publisher("night-shift-tools", "Night Shift Tools", "active", "active"),
  publisher("paper-kite", "Paper Kite Writers", "pending", "limited"),
];

function publisher(slug: string, displayName: string, status: string, trustLevel: string) {
  return { slug, displayName, status, trustLevel, url: `https://${slug}.example` };
}

function publisherOf(skill: Skill) {
  const found = publishers.find(({ slug }) => slug === skill.publisher);
  if (found === undefined) throw new Error(`${skill.slug} has no listed publisher`);
  return found;
}

/** Derives the permission level of a version. */
export function levelOf({ permissions: { secrets, ...permissions } }: Manifest): PermissionLevel {
  return permissionLevelOf({ ...permissions, secretCount: secrets.length, secretNames: secrets });
}

/** Returns the public copy of a manifest, with commands and the names of secrets redacted. */
export function publicManifest(manifest: Manifest): Manifest {
  const { runtime, permissions } = manifest;
  const count = permissions.secrets.length;
  const handles = count === 1 ? "handle" : "handles";
  return {
    ...manifest,
    permissions: {
      ...permissions,
      secrets: count === 0 ? [] : [`[${count} secret ${handles} required]`],
    },
    runtime:
      runtime.type === "local"
        ? {
            type: "local",
            command: "[restricted local runtime]",
            args: runtime.args.length === 0 ? [] : [`[${runtime.args.length} redacted args]`],
          }
        : runtime,
  };
}

/** Returns the row of a skill in lists. */
export function skillRow(skill: Skill) {
  const { manifest, publishedAt } = skill.releases[0];
  const { averageRating, publishedCount } = feedbackSummary(skill);
  const { slug, displayName } = publisherOf(skill);
  return {
    id: `skill_${skill.slug}`,
    slug: skill.slug,
    displayName: manifest.displayName,
    description: manifest.description,
    tags: manifest.tags,
    category: skill.category,
    version: manifest.version,
    publisher: { slug, name: displayName },
    verificationStatus: skill.verificationStatus,
    permissionLevel: levelOf(manifest),
    runtimeType: manifest.runtime.type,
    billingModel: skill.price.billingModel,
    ...skill.counts,
    averageRating,
    feedbackCount: publishedCount,
    updatedAt: publishedAt,
  };
}

/** Returns all public data of one version of a skill. */
export function skillDetail(skill: Skill, release: Release) {
  const { slug, displayName, trustLevel, url } = publisherOf(skill);
  const manifest = publicManifest(release.manifest);
  return {
    ...skillRow(skill),
    version: manifest.version,
    latestVersion: skill.releases[0].manifest.version,
    permissionLevel: levelOf(release.manifest),
    runtimeType: manifest.runtime.type,
    manifest,
    inputSchema: manifest.inputSchema,
    outputSchema: manifest.outputSchema,
    permissions: manifest.permissions,
    versions: skill.releases.map(({ manifest: { version }, publishedAt, changes }) => ({
      version,
      publishedAt,
      changes,
    })),
    publisher: { slug, name: displayName, verified: trustLevel === "verified", trustLevel, url },
    reviewState: skill.reviewState,
    reviewedAt: skill.reviewedAt ?? null,
    examples: release.examples,
    supportUrl: `${url}/support`,
  };
}

/** Summarizes published reviews: the average with two digits (null without any), and the count per star. */
export function feedbackSummary({ feedback }: Pick<Skill, "feedback">) {
  const sum = feedback.reduce((total, { rating }) => total + rating, 0);
  const breakdown = [1, 2, 3, 4, 5].map((stars) => [
    String(stars),
    feedback.filter(({ rating }) => rating === stars).length,
  ]);
  return {
    averageRating: feedback.length === 0 ? null : Math.round((sum / feedback.length) * 100) / 100,
    publishedCount: feedback.length,
    ratingBreakdown: Object.fromEntries(breakdown) as Readonly<Record<string, number>>,
  };
}

/** Lists the publishers of verified skills, with only these skills. */
export function publisherList() {
  return publishers.flatMap((item) => {
    const skills = catalog.filter(
      (skill) => skill.publisher === item.slug && skill.verificationStatus === "verified",
    );
    if (skills.length === 0) return [];
    const sum = (count: "installCount" | "invocationCount") =>
      skills.reduce((total, { counts }) => total + counts[count], 0);
    const metrics = {
      skillCount: skills.length,
      installCount: sum("installCount"),
      invocationCount: sum("invocationCount"),
    };
    const listed = skills.map(({ slug, releases: [{ manifest }], verificationStatus }) => {
      return {
        slug,
        displayName: manifest.displayName,
        version: manifest.version,
        verificationStatus,
      };
    });
    return [{ ...item, metrics, skills: listed }];
  });
}
