import { permissionLevelOf } from "../../skill/permissions";
import type { SkillDetail } from "../../skill/skill";
import { type LocalizableText, l10nText } from "../../text/localizableText";
import type { PolicyVerdict } from "../invocation";
import { errorCodeWords } from "../outcome/errorCodeWords";

/** Whether a call can be answered by the skill. A `no` has the code the registry would give. */
export type RunVerdict =
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly code: string; readonly cure: LocalizableText }
  | { readonly kind: "unknown"; readonly why: LocalizableText };

/** States in which no registry runs a skill (wire contract, section 1). */
const notCallable = ["draft", "submitted", "rejected", "suspended"];
const callable = ["verified", "deprecated"];

/**
 * Decides before sending whether a call can run. `told` is what the registry says of the skill in
 * this project now, where it was asked; what only a policy knows stays unknown without it.
 */
export function canRun(skill: SkillDetail, told?: PolicyVerdict): RunVerdict {
  const state = told?.verificationStatus ?? skill.summary.verificationStatus ?? "";
  if (notCallable.includes(state)) return no("skill_not_verified");
  if (told !== undefined) return byPolicy(skill, told);
  return callable.includes(state)
    ? { kind: "unknown", why: l10nText("The project's policy decides when the call arrives.") }
    : {
        kind: "unknown",
        why: l10nText("The registry does not say whether the skill was verified."),
      };
}

function byPolicy(skill: SkillDetail, told: PolicyVerdict): RunVerdict {
  const { installStatus, approvalState, maxPermissionLevel } = told;
  if (installStatus !== undefined && installStatus !== "active") {
    return no(installStatus === "none" ? "skill_not_installed" : "install_not_active");
  }
  if (approvalState !== undefined && approvalState !== "approved") {
    return no("policy_approval_required");
  }
  const level = told.permissionLevel ?? (skill.permissions && permissionLevelOf(skill.permissions));
  const needed = rank(level);
  const allowed = rank(maxPermissionLevel);
  if (needed >= 0 && allowed >= 0 && needed > allowed) return no("permission_level_exceeded");
  return { kind: "yes" };
}

function rank(level: string | undefined): number {
  return ["low", "medium", "high"].indexOf(level ?? "");
}

function no(code: string): RunVerdict {
  return { kind: "no", code, cure: errorCodeWords(code) ?? l10nText("the registry refuses it.") };
}
