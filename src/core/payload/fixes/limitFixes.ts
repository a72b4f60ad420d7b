import { l10nText } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import { readContainer } from "./containerText";
import { missingItemFixes } from "./itemFixes";
import { nearestNumber, numberRules } from "./nearestNumber";
import { changeTo, choice, type FixInput, type PayloadFix } from "./payloadFix";
import type { TextEdit } from "./textEdit";
import { textFormFixes } from "./textFormFixes";

/**
 * Brings a value within the bound it oversteps: trims and fills texts and lists, moves numbers to the
 * nearest that is allowed.
 */
export function limitFixes(input: FixInput, problem: PayloadProblem, limit: number): PayloadFix[] {
  const { text } = input;
  const { start, end, code } = problem;
  const literal = text.slice(start, end);
  const replaced = (by: string): TextEdit => ({ start, end, text: by });
  switch (code) {
    case "maxLength": {
      const whole = JSON.parse(literal) as string;
      const cut = [...whole.slice(0, limit * 2)].slice(0, limit).join("");
      const title =
        limit === 1
          ? l10nText("Trim to 1 character")
          : l10nText("Trim to {limit} characters", { limit });
      return [choice(title, replaced(JSON.stringify(cut)))];
    }
    case "maxItems": {
      const cut = cutList(text, start, limit);
      return cut === undefined
        ? []
        : [choice(l10nText("Keep the first {limit} only", { limit }), cut)];
    }
    case "minItems":
      return missingItemFixes(input, problem, limit);
    case "minLength":
      return textFormFixes(input, problem);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf": {
      const { layers } = input.schemaAt(problem.schemaPointer);
      const [value, rules] = [Number(literal), numberRules(layers)];
      // Beyond an open bound nothing is nearest; to a whole number the next whole one is.
      const whole = { ...rules, steps: [...rules.steps, 1] };
      const nearest =
        nearestNumber(value, rules) ??
        (Number.isInteger(value) ? nearestNumber(value, whole) : undefined);
      if (nearest === undefined) return [];
      return [
        { ...choice(changeTo(String(nearest)), replaced(String(nearest))), isPreferred: true },
      ];
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
