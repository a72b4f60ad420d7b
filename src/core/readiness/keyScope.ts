import { permissionLevelOf } from "../skill/permissions";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import type { PolicyRow } from "../workspace/policies";
import { isRowOf, type ProjectKeyRow } from "../workspace/project";
import type { KeyFacts, KeyPlaces, ProjectFacts, ReadinessFacts } from "./readinessFacts";
import { byFact, type ItemVerdict, type ReadinessItem, withoutEvidence } from "./readinessItem";

/** Says what the Project Key opens: the project's policy, whose key it is, and who could read it. */
export function keyScopeItems(facts: ReadinessFacts, language: Language): readonly ReadinessItem[] {
  const { skill, project, key, keyPlaces } = facts;
  const { slug } = skill.summary;
  return [
    byFact("policy-no-wider", project, language, (value, at) =>
      policyVerdict(slug, value, at, language),
    ),
    byFact("key-of-project", key, language, (value, at) => keyVerdict(value, at, facts, language)),
    byFact("key-in-no-file", keyPlaces, language, (value, at) =>
      placesVerdict(value, at, language),
    ),
  ];
}

/** Compares with what the version needs that the project has pinned: no other is invoked. */
function policyVerdict(
  slug: string,
  { detail, policy, permissions }: ProjectFacts,
  at: number,
  language: Language,
): ItemVerdict {
  const { t } = language;
  const project = oneLine(detail.summary.name, 100);
  const install = detail.skills.find((one) => one.slug === slug && one.status !== "removed");
  if (install === undefined) {
    return withoutEvidence(t("{skill} is not installed in {project}.", { skill: slug, project }));
  }
  if (policy === undefined) {
    return withoutEvidence(t("{project} has no policy for {skill}.", { skill: slug, project }));
  }
  if (permissions === undefined) {
    return withoutEvidence(t("The registry provides no permissions for the installed version."));
  }
  const evidence = [
    { kind: "project", part: "policy", project: detail.summary.slug, name: slug, at } as const,
  ];
  const needed = permissionLevelOf(permissions);
  const more = [
    policy.allowNetwork && !permissions.network ? t("network") : "",
    policy.allowBrowser && !permissions.browser ? t("browser") : "",
    fileAccess.indexOf(policy.filesystemAccess) > fileAccess.indexOf(permissions.filesystem)
      ? t("files: {access}", { access: policy.filesystemAccess })
      : "",
    policy.allowSecretAccess && permissions.secretCount === 0 ? t("secrets") : "",
    isLevelAbove(policy, needed) ? t("level: {level}", { level: policy.maxPermissionLevel }) : "",
  ].filter((word) => word !== "");
  if (more.length > 0) {
    const message = t("The policy of {project} allows more than the skill needs: {list}.", {
      project,
      list: more.join(", "),
    });
    return { state: "notMet", message, evidence };
  }
  const message = t("The policy of {project} allows no more than the skill needs.", { project });
  return { state: "met", message, evidence };
}

const fileAccess = ["none", "read", "write"];
const levels = ["low", "medium", "high"];

/** A registry's own word for a level counts as none above: its other rules decide. */
function isLevelAbove({ maxPermissionLevel }: PolicyRow, needed: string): boolean {
  return levels.indexOf(maxPermissionLevel) > levels.indexOf(needed);
}

function keyVerdict(
  { last4, isRefused }: KeyFacts,
  at: number,
  { project, registry }: ReadinessFacts,
  { t }: Language,
): ItemVerdict {
  const rows = project.isKnown ? project.value.keys.filter((row) => isRowOf(row, last4)) : [];
  const row = rows.find(({ revokedAt }) => revokedAt === undefined) ?? rows[0];
  const evidence =
    project.isKnown && row !== undefined
      ? [keyEvidence(project.value.detail.summary.slug, row, project.at)]
      : [{ kind: "registry", name: registry, at } as const];
  if (row?.revokedAt !== undefined || isRefused === true) {
    const message =
      row?.revokedAt === undefined
        ? t("The registry does not accept the Project Key.")
        : t("The Project Key …{last4} is revoked.", { last4 });
    return { state: "notMet", message, evidence };
  }
  if (!project.isKnown) {
    return withoutEvidence(
      t("Sign in to this registry to see which project the Project Key …{last4} belongs to.", {
        last4,
      }),
    );
  }
  const name = oneLine(project.value.detail.summary.name, 100);
  if (row === undefined) {
    const message = t("The Project Key …{last4} does not belong to {project}.", {
      last4,
      project: name,
    });
    const all = { part: "key", project: project.value.detail.summary.slug, name: "" } as const;
    return { state: "notMet", message, evidence: [{ kind: "project", ...all, at: project.at }] };
  }
  const message = t("The Project Key …{last4} belongs to {project}.", { last4, project: name });
  return { state: "met", message, evidence };
}

function keyEvidence(project: string, { name, last4 }: ProjectKeyRow, at: number) {
  return {
    kind: "project",
    part: "key",
    project,
    name: `${oneLine(name, 60)} …${oneLine(last4, 8)}`,
    at,
  } as const;
}

function placesVerdict(
  { found, searched, unread }: KeyPlaces,
  at: number,
  { t }: Language,
): ItemVerdict {
  if (found.length > 0) {
    const message = t("A file contains the Project Key. Remove it there and rotate the key.");
    const evidence = found.map((place) => ({ kind: "file", ...place, at }) as const);
    return { state: "notMet", message, evidence };
  }
  if (unread > 0) {
    return withoutEvidence(
      t("The Project Key is in none of {count} files; {unread} more could not be searched.", {
        count: searched,
        unread,
      }),
    );
  }
  const message = t("No file of the workspace contains the Project Key.");
  return { state: "met", message, evidence: [{ kind: "files", count: searched, at }] };
}
