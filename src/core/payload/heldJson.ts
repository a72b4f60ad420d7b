import { checkSyntax } from "../json/checkSyntax";
import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import { syntaxFixes } from "./fixes/syntaxFixes";
import { applyEdits, withoutOverlaps } from "./fixes/textEdit";

/** JSON that a text holds, and its value. */
interface HeldJson {
  readonly text: string;
  readonly value: JsonValue;
}

/** The maximum number of rounds of repairs. Each may uncover a mistake that an earlier one hid. */
const maxRounds = 5;
/** The maximum number of places in a text where JSON may start. */
const maxStarts = 10;
/** The maximum length of a text that is repaired. */
const maxRepaired = 100_000;
/** The maximum number of mistakes that are repaired at once. */
const maxMistakes = 500;

/**
 * Finds the JSON in a text that people paste: JSON with comments or trailing commas, a literal of JavaScript or Python,
 * a fenced block, a line of a log, a command. Undefined if the text holds no object or list. For searching only: what is
 * sent is checked as it is written.
 */
export function heldJson(text: string): HeldJson | undefined {
  const fenced = [...text.matchAll(/^ {0,3}(?:```+|~~~+)[^\n]*\n([\s\S]*?)^ {0,3}(?:```|~~~)/gm)];
  const whole = text.trim();
  for (const part of [...fenced.map(([, inner = ""]) => inner.trim()), whole]) {
    const held = repaired(part) ?? firstInside(part);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** Finds the first object or list inside a text, from its opening bracket to the last closing one that ends it. */
function firstInside(text: string): HeldJson | undefined {
  let starts = 0;
  for (const { index, 0: open } of text.matchAll(/[{[]/g)) {
    starts += 1;
    if (starts > maxStarts) return undefined;
    const end = text.lastIndexOf(open === "{" ? "}" : "]");
    const held = end > index ? repaired(text.slice(index, end + 1)) : undefined;
    if (held !== undefined) return held;
  }
  return undefined;
}

/** Repairs a text by the fixes of the editor that are not in doubt. Undefined if it is no object or list then. */
function repaired(written: string): HeldJson | undefined {
  let text = written;
  for (let round = 0; round < maxRounds; round += 1) {
    const value = parsedJson(text);
    if (value !== undefined) {
      return isJsonObject(value) || Array.isArray(value) ? { text, value } : undefined;
    }
    if (text.length > maxRepaired) return undefined;
    const { findings, readable } = checkSyntax(text, maxMistakes);
    const edits = findings.flatMap(({ start, end, repair }) => {
      const fix = syntaxFixes(text, { start, end }, repair).find((one) => one.isUnambiguous);
      return fix?.edits ?? [];
    });
    const next = readable ?? applyEdits(text, withoutOverlaps(edits));
    if (next === text) return undefined;
    text = next;
  }
  return undefined;
}
