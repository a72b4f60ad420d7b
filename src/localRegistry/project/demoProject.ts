import { randomUUID } from "node:crypto";
import { catalog } from "../catalog/catalog";
import type { Skill } from "../catalog/skill";
import { defaultPolicy, type Install, type Policy } from "./policy";
import { Project, type Update } from "./project";

/** What the demo project allows differently from the defaults, to show one refusal each. */
const policies: Readonly<Record<string, Partial<Policy>>> = {
  "burst-limited": { rateLimitPerMinute: 3 },
  "redact-pii": { monthlyBudgetCents: 1000 },
  "vault-rotate": { maxPermissionLevel: "medium", approvalRequired: false },
  "draft-writer": { approvalRequired: false },
};

/** Installed at an older version, so that an update waits. */
const pinned: Readonly<Record<string, string>> = { "redact-pii": "1.1.0" };

/** High skills that need an owner's approval yet. */
const unapproved = ["status-notice"];

/** Makes the project every registry starts with: all skills installed. `now` is in milliseconds. */
export function createDemoProject(now: number): Project {
  const startedAt = new Date(now).toISOString();
  const project = new Project("local-demo", "Demo of the built-in registry", startedAt);
  for (const skill of catalog) {
    const install = demoInstall(skill, startedAt);
    const generous = install.approvalState === "approved" ? { rateLimitPerMinute: 600 } : {};
    const policy = {
      ...defaultPolicy(install.manifest, startedAt),
      ...generous,
      ...policies[skill.slug],
    };
    project.installs.set(skill.slug, install);
    project.policies.set(skill.slug, policy);
    project.updates.push(...updatesOf(skill));
  }
  project.updates.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return project;
}

// As noisy as the gateway's: two rows for a release, also for one that is installed already.
function updatesOf(skill: Skill): Update[] {
  const [{ manifest, publishedAt, changes }, ...older] = skill.releases;
  const update = (
    more: Pick<Update, "eventType" | "severity" | "title" | "body" | "targetVersion">,
  ) => ({
    id: randomUUID(),
    skill,
    ...more,
    createdAt: publishedAt,
    actionStatus: "open" as const,
    actionNote: null,
    scheduledFor: null,
    resolvedAt: null,
    actionUpdatedAt: null,
  });
  const release = (title: string) =>
    update({
      eventType: "new_version",
      severity: "info",
      title,
      body: changes,
      targetVersion: manifest.version,
    });
  const { displayName, version } = manifest;
  if (skill.verificationStatus === "deprecated") {
    const title = `${displayName} is deprecated`;
    const body = "It is no longer looked after.";
    const severity = "warning";
    return [update({ eventType: "deprecated", severity, title, body, targetVersion: null })];
  }
  return older.length === 0
    ? []
    : [
        release(`${displayName} ${version} was approved`),
        release(`${displayName} ${version} was created`),
      ];
}

function demoInstall(skill: Skill, installedAt: string): Install {
  const release =
    skill.releases.find(({ manifest }) => manifest.version === pinned[skill.slug]) ??
    skill.releases[0];
  return {
    skill,
    manifest: release.manifest,
    status: "installed",
    approvalState: unapproved.includes(skill.slug) ? "owner_required" : "approved",
    installedAt,
    updatedAt: installedAt,
  };
}
