import * as vscode from "vscode";
import type { PayloadBinding } from "../../core/payload/payloadBinding";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";

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
    "This registry does not hand out {0} {1}: it answered with {2}. Move the input to {2} to check and send it.",
    slug,
    version,
    given,
  );
  return { kind: "notFound", message };
}
