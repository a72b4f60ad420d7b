import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { predictionText, predictResponse } from "../project/gateway/projectChecks";
import type { PolicyRow } from "../project/project";
import { installOf, type ServerInvocation } from "../project/project";
import { incidentsText, usageText } from "../project/usageText";
import { fileAccessRank, levelRank, skillLevel } from "../skill/permissions";
import { invocationPrice } from "../skill/price";
import { localize } from "../text/language";
import { oneLine } from "../text/plainText";
import { invocationEvidence, recordsOf } from "./judgeRecord";
import {
  type Evidence,
  type ItemVerdict,
  type Judging,
  type ProjectFacts,
  withoutEvidence,
} from "./readinessFacts";

/**
 * Judges whether the registry would let the project invoke the skill. Obstacles that pass by themselves do not count.
 */
export function judgeInvocability(project: ProjectFacts, judging: Judging): ItemVerdict {
  const { detail, policy, permissions } = project;
  const { facts, language } = judging;
  const { subscriptions, invocations } = detail;
  const found = installOf(detail, judging.facts.skill.summary.slug);
  const skill = found && {
    ...found,
    isPolicyMissing: found.isPolicyMissing ?? policy === undefined,
    ...(policy !== undefined && { policy }),
    ...(permissions !== undefined && { permissions }),
  };
  const answer = predictResponse({ skill, subscriptions, invocations, now: facts.now });
  const evidence = [projectEvidence("policy", project, judging)];
  const message = predictionText(answer, skill?.status ?? "", language);
  if (answer.kind === "blocked" && answer.until === undefined) {
    return { state: "notMet", message, evidence };
  }
  const isOpen = answer.kind === "allowed" && answer.unknown.length > 0;
  return isOpen ? withoutEvidence(message) : { state: "met", message, evidence };
}

/** Compares the policy with the needs of the pinned version, the only one that is invoked. */
export function judgePolicy(facts: ProjectFacts, judging: Judging): ItemVerdict {
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
    return { state: "notMet", message, evidence };
  }
  const message = t("The policy of {project} allows no more than the skill needs.", { project });
  return { state: "met", message, evidence };
}

/**
 * Returns whether the needed level exceeds the policy's maximum. An unknown word sets no maximum; other rules then
 * decide.
 */
function isLevelAbove({ maxPermissionLevel }: PolicyRow, needed: string): boolean {
  return levelRank(maxPermissionLevel) > levelRank(needed);
}

/** Judges whether a monthly budget limits the cost of a retry loop. */
export function judgeBudget(project: ProjectFacts, judging: Judging): ItemVerdict {
  const { t } = judging.language;
  const { policy } = project;
  if (policy === undefined) return noPolicy(project, judging);
  if (invocationPrice(judging.facts.skill).kind === "free") {
    const message = t("Invocations of this skill are free.");
    return { state: "notApplicable", message, evidence: [] };
  }
  const evidence = [projectEvidence("policy", project, judging)];
  return policy.monthlyBudgetCents > 0
    ? {
        state: "met",
        message: t("A monthly budget limits what a retry loop could cost."),
        evidence,
      }
    : {
        state: "notMet",
        message: t("No monthly budget limits what a retry loop could cost."),
        evidence,
      };
}

function noPolicy({ detail }: ProjectFacts, judging: Judging): ItemVerdict {
  const project = oneLine(detail.summary.name, 100);
  const { slug: skill } = judging.facts.skill.summary;
  return withoutEvidence(
    judging.language.t("{project} has no policy for {skill}.", { skill, project }),
  );
}

/** Judges whether the registry records the project's invocations of the skill. */
export function judgeRegistryLog(project: ProjectFacts, judging: Judging): ItemVerdict {
  const { language } = judging;
  const { t } = language;
  const usage = installOf(project.detail, judging.facts.skill.summary.slug)?.usage;
  const text = usageText(usage, language);
  if (text === "") {
    const name = oneLine(project.detail.summary.name, 100);
    return withoutEvidence(
      t("The registry has no invocation of it by {project}.", { project: name }),
    );
  }
  const incidents = incidentsText(usage, language);
  const message = t("At the registry: {usage}.", {
    usage: [text, incidents].filter((item) => item !== "").join(" · "),
  });
  return { state: "met", message, evidence: [projectEvidence("invocations", project, judging)] };
}

/** Compares the record with the registry's list of invocations, for those that both should contain. */
export function judgeRecordAgreement(
  { detail }: ProjectFacts,
  { at, facts, language }: Judging,
): ItemVerdict {
  const { t } = language;
  if (!facts.record.isKnown) return withoutEvidence(localize(facts.record.why, language));
  const records = recordsOf(facts.record.value, facts);
  const server = detail.invocations;
  const project = detail.summary.slug;
  const atServer = new Map(server.map((invocation) => [invocation.id, invocation]));
  const shared = records.flatMap((record) => {
    const other = record.invocationId === undefined ? undefined : atServer.get(record.invocationId);
    return other === undefined ? [] : [{ record, other }];
  });
  const list = { kind: "project", part: "invocations", project, name: "", at } as const;
  const unlike = shared.find(({ record, other }) => !agrees(record.status, other.status));
  if (unlike !== undefined) {
    const { record, other } = unlike;
    const message = t("An invocation is “{here}” on record and “{there}” at the registry.", {
      here: record.status,
      there: oneLine(other.status, 60),
    });
    return { state: "notMet", message, evidence: [invocationEvidence(record), list] };
  }
  const lost = records.find((record) => isLost(record, project, server, atServer));
  if (lost !== undefined) {
    const message = t("A recorded invocation is missing from the registry's list.");
    return { state: "notMet", message, evidence: [invocationEvidence(lost), list] };
  }
  const [newest] = shared;
  if (newest === undefined) {
    return withoutEvidence(t("No invocation is both on record and in the registry's list."));
  }
  const message =
    shared.length === 1
      ? t("1 invocation is the same on record and at the registry.")
      : t("{count} invocations are the same on record and at the registry.", {
          count: shared.length,
        });
  return { state: "met", message, evidence: [invocationEvidence(newest.record), list] };
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
