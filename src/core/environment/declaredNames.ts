import { TokenPath } from "../json/jsonPointer";
import { JsonTokens } from "../json/jsonTokens";
import { parsedJson } from "../json/jsonValue";
import { type TextRange, Token } from "../json/token";
import { findPlaceholders } from "./placeholders";

/** The name of a value or a secret in a text, with its range without quotes and braces. */
export interface NameRange extends TextRange {
  readonly name: string;
  /** The environment that declares the name; undefined in a payload. */
  readonly environment?: string;
}

/** Finds every declaration of a name in the text of an environments file. */
export function declaredNames(text: string): readonly NameRange[] {
  const found: NameRange[] = [];
  const tokens = new JsonTokens(text);
  const path = new TokenPath();
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    if (kind === Token.string && path.depth === 4) {
      const { start, end } = tokens;
      const [first, environment, member, step] = path.steps();
      const isName = step === undefined ? member === "values" : member === "secrets";
      const name = parsedJson(text.slice(start, end));
      if (first === "environments" && isName && typeof name === "string") {
        found.push({ name, environment: `${environment}`, start: start + 1, end: end - 1 });
      }
    }
    path.take(tokens);
  }
  return found;
}

/** Finds the names of the placeholders in a text. If `names` is undefined, any name counts. */
export function placeholderNames(
  text: string,
  names: Parameters<typeof findPlaceholders>[1],
): readonly NameRange[] {
  return findPlaceholders(text, names).map(({ name, start, end }) => ({
    name,
    start: start + 2,
    end: end - 2,
  }));
}
