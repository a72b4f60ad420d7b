import type { PayloadCheck } from "../core/payload/payloadCheck";

/**
 * Says that a text could not be checked, and why, at its first character. `schemaPointer` is the place
 * in the schema that is the reason, where there is one.
 */
export function uncheckedPayload(
  reason: string,
  text: string,
  schemaPointer?: string,
): PayloadCheck {
  const start = Math.max(0, text.slice(0, 10_000).search(/\S/));
  const problem = {
    code: "unchecked",
    message: reason,
    severity: "warning" as const,
    start,
    end: Math.min(start + 1, text.length),
    pointer: "",
    ...(schemaPointer === undefined ? {} : { schemaPointer }),
  };
  return { state: "unchecked", problems: [problem], hiddenProblems: 0, reason };
}
