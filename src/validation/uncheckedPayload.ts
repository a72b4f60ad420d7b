import type { PayloadCheck } from "../core/payload/payloadCheck";

/** Says that a text could not be checked, and why, at its first character. */
export function uncheckedPayload(reason: string, text: string): PayloadCheck {
  const start = Math.max(0, text.slice(0, 10_000).search(/\S/));
  const problem = {
    code: "unchecked",
    message: reason,
    severity: "warning" as const,
    start,
    end: Math.min(start + 1, text.length),
    pointer: "",
  };
  return { state: "unchecked", problems: [problem], hiddenProblems: 0, reason };
}
