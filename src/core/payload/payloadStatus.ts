import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { pinNote } from "../skill/description/describeSkill";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";
import { type PayloadCheck, verdictText } from "./payloadCheck";

/** The state of a bound document's text. */
export type PayloadState =
  | { readonly kind: "checking" }
  /** The skill could not be read, so the schema for the check is missing. */
  | { readonly kind: "unavailable"; readonly failure: RegistryFailure }
  | { readonly kind: "checked"; readonly skill: SkillDetail; readonly check: PayloadCheck };

/** The status bar's text for a payload: the name of an icon, a few words, and a tooltip. */
export interface PayloadStatusText {
  readonly icon: string;
  readonly words: string;
  readonly tooltip: string;
}

/**
 * Describes the state of a payload. The tooltip of a checked one also names the project's version. `listed` is how many
 * errors and warnings the editor lists for it.
 */
export function payloadStatusText(
  state: PayloadState,
  listed: number,
  language: Language,
): PayloadStatusText {
  const { t } = language;
  if (state.kind === "checking") {
    const tooltip = t("Checking against the input schema");
    return { icon: "loading~spin", words: t("checking"), tooltip };
  }
  if (state.kind === "unavailable") {
    const tooltip = registryFailureText(state.failure, language);
    return { icon: "question", words: t("not checked"), tooltip };
  }
  const { check, skill } = state;
  const note = pinNote(skill, language);
  const about = checkTooltip(check, language);
  return {
    icon: icons[check.state],
    words: verdictText(check, language, listed + check.hiddenProblems),
    tooltip: note === undefined ? about : `${about}\n${oneLine(note.text, 300)}`,
  };
}

const icons = { valid: "pass", invalid: "error", unchecked: "question" };

function checkTooltip({ state, reason }: PayloadCheck, { t }: Language): string {
  if (state === "valid") return t("The payload is valid");
  return state === "invalid"
    ? t("Show the problems")
    : (reason ?? t("The payload was not validated"));
}
