import { catalogue } from "../catalogue/catalogue";
import type { Skill } from "../catalogue/skill";
import { defaultPolicy, type Install, type Policy } from "./policy";
import { Project } from "./project";

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
  const project = new Project("local-demo", "Local Demo", startedAt);
  for (const skill of catalogue) {
    const install = demoInstall(skill, startedAt);
    const generous = install.approvalState === "approved" ? { rateLimitPerMinute: 600 } : {};
    const policy = { ...defaultPolicy(install.manifest), ...generous, ...policies[skill.slug] };
    project.installs.set(skill.slug, install);
    project.policies.set(skill.slug, policy);
  }
  return project;
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
