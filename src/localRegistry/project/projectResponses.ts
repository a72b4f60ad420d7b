import { findRelease, type Skill } from "../catalog/catalog";
import { levelOf } from "../catalog/skillResponses";
import type { Install, Policy, Project, StoredKey, Subscription } from "./project";
import type { SeenInvocation, Workspace } from "./workspace";

/** Returns a project as in the list of projects. */
export function projectSummary({ log }: Workspace, project: Project) {
  const { id, slug, name, createdAt } = project;
  const installs = [...project.installs.values()];
  const policies = [...project.policies.values()];
  const revokedCount = project.keys.filter(({ revokedAt }) => revokedAt !== null).length;
  const calls = log.entries().filter((seen) => seen.projectSlug === slug);
  const waiting = project.updates.filter(isOpen);
  return {
    id,
    slug,
    name,
    createdAt,
    apiKeys: { activeCount: project.keys.length - revokedCount, revokedCount },
    installs: {
      installedSkillCount: installs.filter(({ status }) => status === "installed").length,
      approvedSkillCount: installs.filter((install) => install.approvalState === "approved").length,
      ownerRequiredCount: installs.filter((install) => install.approvalState === "owner_required")
        .length,
      suspendedInstallCount: installs.filter(({ status }) => status === "suspended").length,
    },
    policy: {
      policyCount: policies.length,
      approvalRequiredCount: policies.filter((policy) => policy.approvalRequired).length,
      monthlyBudgetCents: policies.reduce((sum, one) => sum + one.monthlyBudgetCents, 0),
      state: policies.some((policy) => policy.approvalRequired) ? "owner_review" : "approved",
    },
    runtime: invocationCounts(calls),
    usage: { billableUsageCount: 0, grossCents: project.spentCents, currency: "USD" },
    subscriptions: { activeCount: project.subscriptions.size },
    updates: { count: waiting.length, latestAt: waiting[0]?.createdAt ?? null },
  };
}

function invocationCounts(calls: readonly SeenInvocation[]) {
  const count = (wanted: SeenInvocation["outcome"]) =>
    calls.filter(({ outcome }) => outcome === wanted).length;
  const [successCount, errorCount] = [count("success"), count("error")];
  const ran = successCount + errorCount;
  const latency = calls.reduce((sum, { latencyMs = 0 }) => sum + latencyMs, 0);
  return {
    callCount: calls.length,
    successCount,
    errorCount,
    blockedCount: count("blocked"),
    successRate: ran === 0 ? null : successCount / ran,
    avgLatencyMs: ran === 0 ? null : Math.round(latency / ran),
  };
}

/** Sums up all of a project's usage of a skill, and counts its open incidents. */
export function installUsage({ log }: Workspace, project: Project, skillSlug: string) {
  const calls = log
    .entries()
    .filter((seen) => seen.projectSlug === project.slug && seen.skillSlug === skillSlug);
  const grossCents = project.spentOn(skillSlug);
  const incidents = project.updates.filter(
    ({ skill, eventType, actionStatus }) =>
      skill.slug === skillSlug && eventType === "incident" && isOpen({ actionStatus }),
  );
  return {
    runtime: invocationCounts(calls),
    usage: { billableUsageCount: grossCents === 0 ? 0 : calls.length, grossCents, currency: "USD" },
    incidents: { openCount: incidents.length },
  };
}

/** Returns the newest 25 invocations of a project. */
export function recentInvocations({ log }: Workspace, project: Project) {
  return log
    .entries()
    .filter(({ projectSlug }) => projectSlug === project.slug)
    .filter(({ outcome }) => ["success", "error", "blocked"].includes(outcome))
    .slice(-25)
    .reverse()
    .map(({ invocationId, skillSlug, version, outcome, latencyMs, code, receivedAt }) => ({
      id: invocationId,
      skillSlug: skillSlug ?? null,
      displayName: project.installs.get(skillSlug ?? "")?.manifest.displayName ?? null,
      version: version ?? null,
      status: outcome,
      latencyMs: latencyMs ?? 0,
      errorCode: outcome === "error" ? "runtime_http_error" : (code ?? null),
      createdAt: new Date(receivedAt).toISOString(),
    }));
}

/** Returns a subscription, as in a project's detail and in the response to its start. */
export function subscriptionRow({ slug, price, releases }: Skill, subscription: Subscription) {
  const { displayName } = releases[0].manifest;
  const { billingModel, unitAmountCents } = price;
  const cost = { billingModel, unitAmountCents, currency: "usd" };
  const inactive = { pausedAt: null, canceledAt: null };
  return { skillSlug: slug, displayName, ...cost, ...inactive, ...subscription };
}

/** Returns the displayable data of a key, without the key itself. */
export function keyRow(projectSlug: string, { digest: _, ...key }: StoredKey) {
  return { ...key, projectSlug, keyPrefix: "skh" };
}

/** Returns an install with its unredacted manifest. */
export function installRow(projectSlug: string, install: Install) {
  const { skill, manifest, status, approvalState, installedAt } = install;
  const { displayName, version } = manifest;
  const row = { projectSlug, skillSlug: skill.slug, displayName, version, status, approvalState };
  return { ...row, manifest, installedAt, permissionLevel: levelOf(manifest) };
}

/** Returns a policy as an item of the list of policies. */
export function policyRow(projectSlug: string, skillSlug: string, policy: Policy) {
  const { approvedByUserId: _, ...shown } = policy;
  return { projectSlug, skillSlug, ...shown };
}

/** Returns the newest 50 rows of the update inbox of all skills, except adopted and ignored ones. */
export function inboxRows(project: Project) {
  return project.updates
    .filter(isOpen)
    .slice(0, 50)
    .map(({ skill, targetVersion, ...update }) => {
      const install = project.installs.get(skill.slug);
      const isApproved = findRelease(skill, targetVersion) !== undefined;
      return {
        ...update,
        skillSlug: skill.slug,
        displayName: skill.releases[0].manifest.displayName,
        currentVersion: install?.manifest.version ?? null,
        targetVersion,
        targetReviewStatus: targetVersion === null ? null : isApproved ? "approved" : "queued",
        adoptionState: adoptionState(targetVersion, isApproved, install),
      };
    });
}

// Like the gateway, does not compare with the pinned version: an older version is ready too.
function adoptionState(version: string | null, isApproved: boolean, install: Install | undefined) {
  if (version === null) return "not_version_update";
  if (install === undefined || install.status === "removed") return "removed_install";
  return isApproved ? "ready" : "awaiting_review";
}

function isOpen({ actionStatus }: { readonly actionStatus: string }): boolean {
  return actionStatus !== "adopted" && actionStatus !== "ignored";
}
