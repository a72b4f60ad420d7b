import type { Language } from "../../text/language";
import { revealHiddenIn } from "../../text/revealHidden";
import type { SkillDetail } from "../skill";
import { permissionGroup, priceGroup, runtimeGroup, schemaGroup } from "./changeGroups";
import { type SkillChanges, skillChanges } from "./skillChanges";
import type { ChangeGroup, VersionDifference } from "./versionDifference";

/** Puts the differences between two versions of a skill into words. Pure; safe to send to the page as it is. */
export function describeChanges(
  before: SkillDetail,
  after: SkillDetail,
  language: Language,
): VersionDifference {
  const found = skillChanges(before, after);
  const groups = [
    permissionGroup(found.permissions, language),
    schemaGroup("input", found.input, language),
    schemaGroup("output", found.output, language),
    runtimeGroup(found.runtime, language),
    priceGroup(found.prices, language),
  ].filter(({ changes, note }) => changes.length > 0 || note !== "");
  const needsLook = groups.some(({ changes }) => changes.some((change) => change.needsLook));
  return revealHiddenIn<VersionDifference>({
    before: before.summary.version.slice(0, 100),
    after: after.summary.version.slice(0, 100),
    summary: summaryOf(groups, needsLook, isSameText(found), language),
    needsLook,
    groups,
  });
}

function isSameText({ input, output }: SkillChanges): boolean {
  return [input, output].every((schema) => schema.kind !== "compared" || schema.isSameText);
}

function summaryOf(
  groups: readonly ChangeGroup[],
  needsLook: boolean,
  sameText: boolean,
  { t }: Language,
): string {
  if (groups.some(({ note }) => note !== "")) {
    return t("Not everything could be compared; look at both manifests.");
  }
  if (groups.length === 0 && !sameText) {
    return t(
      "Permissions, runtime and price are the same. The schemas differ only in how they are written, such as in descriptions.",
    );
  }
  if (groups.length === 0) {
    return t("Permissions, schemas, runtime and price are the same.");
  }
  return needsLook
    ? t("Review the marked changes before updating.")
    : t("Nothing found that would break a call that worked before.");
}
