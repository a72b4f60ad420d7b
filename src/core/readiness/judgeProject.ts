import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { PolicyRow } from "../project/project";
import { installOf, type ServerInvocation } from "../project/project";
import { fileAccessRank, levelRank, skillLevel } from "../skill/permissions";
import { localize } from "../text/language";
import { oneLine } from "../text/plainText";
import { invocationEvidence, recordsOf } from "./judgeRecord";
import {
  type Evidence,
  type Judging,
  type ProjectFacts,
  type Verdict,
  withoutEvidence,
} from "./readinessFacts";

/** Compares the policy with the needs of the pinned version, the only one that is invoked. */
export function judgePolicy(facts: ProjectFacts, judging: Judging): Verdict {
  const { detail, policy, permissions } = facts;
  const { slug } = judging.facts.skill.summary;
  const { t } = judging.language;
  const project = oneLine(detail.summary.name, 100);
  const install = installOf(detail, slug);
  if (install === undefined) {
    return withoutEvidence(t("{skill} is not installed in {project}.", { skill: slug, project }));
  }
  if (policy === undefined) return noPolicy(facts, judging);
  if (permissions === undefined) {
    return withoutEvidence(t("The registry provides no permissions for the installed version."));
  }
  const evidence = [projectEvidence("policy", facts, judging)];
  const needed = skillLevel(permissions, install.permissionLevel);
  const more = [
    policy.allowNetwork && !permissions.network ? t("network") : "",
    policy.allowBrowser && !permissions.browser ? t("browser") : "",
    fileAccessRank(policy.filesystemAccess) > fileAccessRank(permissions.filesystem)
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
    return { state: "no", message, evidence };
  }
  const message = t("The policy of {project} allows no more than the skill needs.", { project });
  return { state: "yes", message, evidence };
}

/**
 * Returns whether the needed level exceeds the policy's maximum. An unknown word sets no maximum; other rules then
 * decide.
 */
function isLevelAbove({ maxPermissionLevel }: PolicyRow, needed: string): boolean {
  return levelRank(maxPermissionLevel) > levelRank(needed);
}

function noPolicy({ detail }: ProjectFacts, judging: Judging): Verdict {
  const project = oneLine(detail.summary.name, 100);
  const { slug: skill } = judging.facts.skill.summary;
  return withoutEvidence(
    judging.language.t("{project} has no policy for {skill}.", { skill, project }),
  );
}

/** Looks for an invocation that the record and the registry's list tell differently. */
export function judgeRecordAgreement(
  { detail }: ProjectFacts,
  { at, facts, language }: Judging,
): Verdict | undefined {
  const { t } = language;
  if (!facts.record.isKnown) return withoutEvidence(localize(facts.record.why, language));
  const records = recordsOf(facts.record.value, facts);
  const server = detail.invocations;
  const project = detail.summary.slug;
  const atServer = new Map(server.map((invocation) => [invocation.id, invocation]));
  const list = { kind: "project", part: "invocations", project, name: "", at } as const;
  for (const record of records) {
    const other = record.invocationId === undefined ? undefined : atServer.get(record.invocationId);
    if (other === undefined || agrees(record.status, other.status)) continue;
    const message = t("An invocation is “{here}” on record and “{there}” at the registry.", {
      here: record.status,
      there: oneLine(other.status, 60),
    });
    return { state: "no", message, evidence: [invocationEvidence(record), list] };
  }
  const lost = records.find((record) => isLost(record, project, server, atServer));
  if (lost === undefined) return undefined;
  const message = t("A recorded invocation is missing from the registry's list.");
  return { state: "no", message, evidence: [invocationEvidence(lost), list] };
}

/** Returns whether two statuses agree. A status that registries do not use agrees with every other. */
function agrees(here: InvocationRecord["status"], there: string): boolean {
  const words = ["success", "error", "blocked"];
  return here === there || !words.includes(here) || !words.includes(there);
}

/** Returns whether an invocation is missing from the registry's list, which is complete back to its oldest entry. */
function isLost(
  { invocationId, startedAt, projectSlug, status }: InvocationRecord,
  project: string,
  server: readonly ServerInvocation[],
  atServer: ReadonlyMap<string, ServerInvocation>,
): boolean {
  if (invocationId === undefined || projectSlug !== project || status === "running") return false;
  const times = server.flatMap(({ createdAt }) => createdAt ?? []);
  return times.length > 0 && startedAt > Math.min(...times) && !atServer.has(invocationId);
}

function projectEvidence(
  part: "policy" | "invocations",
  { detail }: ProjectFacts,
  judging: Judging,
): Evidence {
  const project = detail.summary.slug;
  return { kind: "project", part, project, name: judging.facts.skill.summary.slug, at: judging.at };
}
