import { wording } from "../text/wording";
import { readContainer } from "./containerText";
import type { PayloadProblem } from "./payloadCheck";
import { changeTo, choice, type PayloadFix } from "./payloadFix";
import type { TextEdit } from "./textEdit";

/** Brings a value within the bound it oversteps: trims texts and lists, moves numbers to the bound. */
export function limitFixes(text: string, problem: PayloadProblem, limit: number): PayloadFix[] {
  const { start, end, code } = problem;
  const literal = text.slice(start, end);
  const replaced = (by: string): TextEdit => ({ start, end, text: by });
  switch (code) {
    case "maxLength": {
      const whole = JSON.parse(literal) as string;
      const cut = [...whole.slice(0, limit * 2)].slice(0, limit).join("");
      const title =
        limit === 1
          ? wording("Trim to 1 character")
          : wording("Trim to {limit} characters", { limit });
      return [choice(title, replaced(JSON.stringify(cut)))];
    }
    case "maxItems": {
      const cut = cutList(text, start, limit);
      return cut === undefined
        ? []
        : [choice(wording("Keep the first {limit} only", { limit }), cut)];
    }
    case "minimum":
    case "maximum":
      return [choice(changeTo(String(limit)), replaced(String(limit)))];
    case "exclusiveMinimum":
    case "exclusiveMaximum": {
      // The nearest number beyond a bound is only plain for whole numbers.
      if (!Number.isInteger(limit) || !Number.isInteger(Number(literal))) return [];
      const nearest = String(code === "exclusiveMinimum" ? limit + 1 : limit - 1);
      return [choice(changeTo(nearest), replaced(nearest))];
    }
    case "multipleOf": {
      if (limit <= 0 || !Number.isInteger(limit)) return [];
      const nearest = String(Math.round(Number(literal) / limit) * limit);
      return [choice(changeTo(nearest), replaced(nearest))];
    }
    default:
      return [];
  }
}

function cutList(text: string, open: number, limit: number): TextEdit | undefined {
  const list = readContainer(text, open);
  const last = list?.members.at(-1);
  if (list?.close === undefined || last === undefined) return undefined;
  if (list.members.length <= limit) return undefined;
  const kept = list.members[limit - 1];
  if (kept === undefined) return { start: open + 1, end: list.close, text: "" };
  return { start: kept.end, end: last.end, text: "" };
}
