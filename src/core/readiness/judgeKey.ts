import { isRowOf, type ProjectKeyRow } from "../project/project";
import { oneLine } from "../text/plainText";
import {
  type Judging,
  type KeyFacts,
  type KeyOccurrences,
  type Verdict,
  withoutEvidence,
} from "./readinessFacts";

/** Judges whether the registry accepts the Project Key, and whether the key belongs to the project. */
export function judgeKey(
  { last4, isRefused }: KeyFacts,
  { at, facts: { project, registry }, language: { t } }: Judging,
): Verdict {
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
    return { state: "no", message, evidence };
  }
  if (!project.isKnown) {
    const { addition } = project;
    const message = t(
      "Sign in to this registry to see which project the Project Key …{last4} belongs to.",
      { last4 },
    );
    return { ...withoutEvidence(message), ...(addition !== undefined && { addition }) };
  }
  const name = oneLine(project.value.detail.summary.name, 100);
  if (row === undefined) {
    const message = t("The Project Key …{last4} does not belong to {project}.", {
      last4,
      project: name,
    });
    const all = { part: "key", project: project.value.detail.summary.slug, name: "" } as const;
    return { state: "no", message, evidence: [{ kind: "project", ...all, at: project.at }] };
  }
  const message = t("The Project Key …{last4} belongs to {project}.", { last4, project: name });
  return { state: "yes", message, evidence };
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

/** Judges whether a file of the workspace contains the Project Key. */
export function judgeKeyOccurrences(
  { found, searched, isComplete }: KeyOccurrences,
  { at, language: { t } }: Judging,
): Verdict {
  if (found.length > 0) {
    const message = t("A file contains the Project Key. Remove it there and rotate the key.");
    const evidence = found.map((place) => ({ kind: "file", ...place, at }) as const);
    return { state: "no", message, evidence };
  }
  if (!isComplete) {
    return withoutEvidence(
      searched === 1
        ? t("The Project Key is not in the 1 file searched; others could not be searched.")
        : t("The Project Key is in none of {count} files; others could not be searched.", {
            count: searched,
          }),
    );
  }
  const message = t("No file of the workspace contains the Project Key.");
  return { state: "yes", message, evidence: [{ kind: "files", count: searched, at }] };
}
