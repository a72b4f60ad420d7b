import type { Language } from "../text/language";
import type { PayloadCheck } from "./payloadCheck";

/** Turns the check of a text for which there is no schema into what it is: the text is JSON, no more is known. */
export function withoutSchema(check: PayloadCheck, { t }: Language): PayloadCheck {
  if (check.state !== "valid") return check;
  const reason = t(
    "This registry gives no input schema for the skill, so nothing could be checked.",
  );
  const problem = {
    code: "unchecked",
    message: reason,
    severity: "warning" as const,
    start: 0,
    end: 0,
    pointer: "",
  };
  return { ...check, state: "unchecked", reason, problems: [...check.problems, problem] };
}
