import type { PayloadProblem } from "../../payload/payloadCheck";
import type { Language } from "../../text/language";

/**
 * Says what is wrong with the output of a call. Only what breaks a rule of the output schema is said
 * to; that it could not be checked, or that a number loses digits, stands for itself.
 */
export function outputProblemText(
  { code, message, schemaPointer }: PayloadProblem,
  { t }: Language,
): string {
  const isOfSchema = schemaPointer !== undefined && code !== "unchecked";
  return isOfSchema ? `${t("Not as the skill's output schema says.")} ${message}` : message;
}
