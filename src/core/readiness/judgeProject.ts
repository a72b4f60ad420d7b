import { isOver, outcomeOf } from "../invocation/outcome";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import { installOf, isRowOf, type ServerInvocation } from "../project/project";
import { fileAccessRank, levelRank, skillLevel } from "../skill/permissions";
import { type Language, localize } from "../text/language";
import { oneLine } from "../text/plainText";
import { fileEvidence } from "./judgeSkill";
import {
  isUnknown,
  type KeyFacts,
  type KeyOccurrences,
  type ProjectFacts,
  type ReadinessFacts,
} from "./readinessFacts";
import { type Evidence, proven, unproven, type Verdict } from "./verdict";

/** Judges whether a file of the workspace contains the Project Key. */
export function judgeKeyOccurrences(
  { found, searched: count, isComplete }: KeyOccurrences,
  { now }: ReadinessFacts,
  { t }: Language,
): Verdict {
  if (found.length > 0) {
    const message = t("A file contains the Project Key. Remove it there and rotate the key.");
    return proven(
      false,
      message,
      found.map(({ file, line }) => fileEvidence(file, now, line)),
      "rotateProjectKey",
    );
  }
  if (!isComplete) {
    return unproven(
      count === 1
        ? t("The Project Key is not in the 1 file searched; others could not be searched.")
        : t("The Project Key is in none of {count} files; others could not be searched.", {
            count,
          }),
    );
  }
  const label = count === 1 ? t("1 file searched") : t("{count} files searched", { count });
  const message = t("No file of the workspace contains the Project Key.");
  return proven(true, message, [{ label, at: now }]);
}

/** Judges whether the registry accepts the Project Key, and whether the key belongs to the project. */
export function judgeKey(
  { last4, isRefused, at }: KeyFacts,
  { project, registry, now }: ReadinessFacts,
  { t }: Language,
): Verdict {
  const known = isUnknown(project) ? undefined : project;
  const rows = known?.keys.filter((row) => isRowOf(row, last4)) ?? [];
  const row = rows.find(({ revokedAt }) => revokedAt === undefined) ?? rows[0];
  const slug = known?.detail.summary.slug ?? "";
  const link = { opens: "project" } as const;
  const evidence: Evidence =
    row === undefined
      ? { label: oneLine(registry, 200), at, link: { opens: "checkProjectKey" } }
      : {
          label: t("Key {name} of the project {project}", {
            name: `${oneLine(row.name, 60)} …${oneLine(row.last4, 8)}`,
            project: slug,
          }),
          at: now,
          link,
        };
  if (row?.revokedAt !== undefined) {
    const message = t("The Project Key …{last4} is revoked.", { last4 });
    return proven(false, message, [evidence], "setProjectKey");
  }
  if (isRefused === true) {
    const message = t("The registry does not accept the Project Key.");
    return proven(false, message, [evidence], "setProjectKey");
  }
  if (isUnknown(project)) {
    const message = t(
      "Sign in to this registry to see which project the Project Key …{last4} belongs to.",
      { last4 },
    );
    return unproven(message, project.act);
  }
  const values = { last4, project: oneLine(project.detail.summary.name, 100) };
  if (row !== undefined) {
    return proven(true, t("The Project Key …{last4} belongs to {project}.", values), [evidence]);
  }
  const label = t("Keys of the project {project}", { project: slug });
  const message = t("The Project Key …{last4} does not belong to {project}.", values);
  return proven(false, message, [{ label, at: now, link }], "setProjectKey");
}

/** Compares the policy with the needs of the pinned version, the only one that is invoked. */
export function judgePolicy(
  { detail, policy, permissions }: ProjectFacts,
  { skill, now }: ReadinessFacts,
  { t }: Language,
): Verdict {
  const { slug } = skill.summary;
  const project = oneLine(detail.summary.name, 100);
  const install = installOf(detail, slug);
  if (install === undefined) {
    const message = t("{skill} is not installed in {project}.", { skill: slug, project });
    return unproven(message, "installSkill");
  }
  if (policy === undefined) {
    return unproven(
      t("{project} has no policy for {skill}.", { skill: slug, project }),
      "editPolicy",
    );
  }
  if (permissions === undefined) {
    return unproven(t("The registry provides no permissions for the installed version."));
  }
  const { maxPermissionLevel: level, filesystemAccess: access } = policy;
  // An unknown word sets no maximum; other rules then decide.
  const isLevelAbove =
    levelRank(level) > levelRank(skillLevel(permissions, install.permissionLevel));
  const more = [
    policy.allowNetwork && !permissions.network ? t("network") : "",
    policy.allowBrowser && !permissions.browser ? t("browser") : "",
    fileAccessRank(access) > fileAccessRank(permissions.filesystem)
      ? t("files: {access}", { access })
      : "",
    policy.allowSecretAccess && permissions.secretCount === 0 ? t("secrets") : "",
    isLevelAbove ? t("level: {level}", { level }) : "",
  ].filter((word) => word !== "");
  const names = { name: slug, project: detail.summary.slug };
  const label = t("Policy of {name} in the project {project}", names);
  const list = more.join(", ");
  const message =
    more.length > 0
      ? t("The policy of {project} allows more than the skill needs: {list}.", { project, list })
      : t("The policy of {project} allows no more than the skill needs.", { project });
  const evidence = [{ label, at: now, link: { opens: "project" } as const }];
  return proven(more.length === 0, message, evidence, "editPolicy");
}

/** Looks for an invocation that was repeated after its outcome was unknown. */
export function judgeRepeats(
  all: readonly InvocationRecord[],
  facts: Pick<ReadinessFacts, "skill" | "registry">,
  { t }: Language,
): Verdict | undefined {
  const records = recordsOf(all, facts);
  for (const [index, unknown] of records.entries()) {
    const { requestSha256 } = unknown;
    const isUndecided = isOver(unknown) && outcomeOf(unknown).counts === "undecided";
    if (!isUndecided || requestSha256 === undefined) continue;
    const again = records
      .slice(0, index)
      .findLast((one) => one.requestSha256 === requestSha256 && outcomeOf(one).mayBeBilled);
    if (again === undefined) continue;
    const message = t(
      "An invocation was repeated after its outcome was unknown: it may have run twice.",
    );
    return proven(
      false,
      message,
      [unknown, again].map((one) => invocationEvidence(one, t)),
    );
  }
  return undefined;
}

/** Looks for an invocation that the record and the registry's list tell differently. */
export function judgeRecordAgreement(
  { detail }: ProjectFacts,
  facts: ReadinessFacts,
  language: Language,
): Verdict | undefined {
  const { t } = language;
  if (isUnknown(facts.record)) return unproven(localize(facts.record.why, language));
  const project = detail.summary.slug;
  const atServer = new Map(detail.invocations.map((one) => [one.id, one]));
  const list: Evidence = {
    label: t("Invocations of the project {project}", { project }),
    at: facts.now,
    link: { opens: "project" },
  };
  const records = recordsOf(facts.record, facts);
  for (const record of records) {
    const other = atServer.get(record.invocationId ?? "");
    if (other === undefined || agrees(record.status, other.status)) continue;
    const values = { here: record.status, there: oneLine(other.status, 60) };
    const message = t("An invocation is “{here}” on record and “{there}” at the registry.", values);
    return proven(false, message, [invocationEvidence(record, t), list]);
  }
  const lost = records.find((record) => isLost(record, project, detail.invocations));
  if (lost === undefined) return undefined;
  const message = t("A recorded invocation is missing from the registry's list.");
  return proven(false, message, [invocationEvidence(lost, t), list]);
}

/** Selects the invocations of this skill at this registry, newest first. */
function recordsOf(
  all: readonly InvocationRecord[],
  { skill, registry }: Pick<ReadinessFacts, "skill" | "registry">,
): readonly InvocationRecord[] {
  return all
    .filter((one) => one.skillSlug === skill.summary.slug && one.registry === registry)
    .toSorted((one, other) => other.startedAt - one.startedAt);
}

function invocationEvidence(record: InvocationRecord, t: Language["t"]): Evidence {
  const { id, invocationId = id, startedAt: at } = record;
  const link = { opens: "openInvocation", argument: { id } } as const;
  return { label: t("Invocation {id}", { id: oneLine(invocationId) }), at, link };
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
): boolean {
  if (invocationId === undefined || projectSlug !== project || status === "running") return false;
  const times = server.flatMap(({ createdAt }) => createdAt ?? []);
  const isListed = server.some(({ id }) => id === invocationId);
  return times.length > 0 && startedAt > Math.min(...times) && !isListed;
}
