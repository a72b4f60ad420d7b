import * as vscode from "vscode";
import type { PayloadBinding } from "../../core/payload/payloadBinding";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { labelText } from "../../core/text/plainText";

/**
 * A registry may know one version only and answer with that. An input is neither checked nor sent by
 * another contract than the one it is for.
 */
export function otherVersionGiven(
  { slug, version }: PayloadBinding,
  { summary }: SkillDetail,
): RegistryFailure | undefined {
  const given = summary.version;
  if (version === undefined || given === "" || given === version) return undefined;
  const message = vscode.l10n.t(
    "This registry returned {2} instead of {0} {1}. Update the payload to {2} to check and send it.",
    slug,
    version,
    given,
  );
  return { kind: "notFound", message };
}

/** Says of a skill that is not there which one it is, and where a document has its name from. */
export function ofSkill(
  failure: RegistryFailure,
  { slug, version }: PayloadBinding,
  isNamed: boolean,
): RegistryFailure {
  if (failure.kind !== "notFound") return failure;
  const skill = labelText(version === undefined ? slug : `${slug}@${version}`, 80);
  const message = isNamed
    ? vscode.l10n.t("This registry has no skill “{0}”, which this file is named after.", skill)
    : vscode.l10n.t("This registry has no skill “{0}”.", skill);
  return { kind: "notFound", message };
}
