import { JsonTokens } from "../json/jsonTokens";
import { Token } from "../json/token";
import type { PayloadProblem } from "../payload/payloadCheck";
import { similarName } from "../schema/explain/similarName";
import type { Language } from "../text/language";
import { placeholder, valueName } from "./placeholders";

/** The codes of problems about words in double braces that no environment declares. */
const codes = { near: "placeholderName", undeclared: "placeholderUndeclared" } as const;

/**
 * Finds the words in double braces that are sent as text, each once. A word that is misspelt, in other case or with
 * blanks is a warning that names the declared one. Another word is a note, unless its string is a template of another
 * program. Property names are never placeholders. `maxListed` limits the result.
 */
export function placeholderDoubts(
  text: string,
  declared: ReadonlySet<string>,
  language: Language,
  maxListed: number,
): readonly PayloadProblem[] {
  if (!text.includes("{{")) return [];
  const found = new Map<string, PayloadProblem>();
  let pending: readonly PayloadProblem[] = [];
  const keep = () => {
    for (const doubt of pending) if (!found.has(doubt.message)) found.set(doubt.message, doubt);
  };
  const tokens = new JsonTokens(text);
  for (
    let kind = tokens.next();
    kind !== Token.end && found.size < maxListed;
    kind = tokens.next()
  ) {
    if (kind === Token.comment) continue;
    // A string before a colon is a property's name.
    if (kind !== Token.colon) keep();
    const { start, end } = tokens;
    pending =
      kind === Token.string ? doubtsIn(text.slice(start, end), start, declared, language) : [];
  }
  keep();
  return [...found.values()].slice(0, maxListed);
}

/** Lists the doubts of a check about words that are not in `told`, and adds them to it. */
export function untoldDoubts(
  { problems }: { readonly problems: readonly PayloadProblem[] },
  told: Set<string>,
): PayloadProblem[] {
  const all: readonly string[] = Object.values(codes);
  return problems.filter(({ code, message }) => {
    if (!all.includes(code) || told.has(message)) return false;
    told.add(message);
    return true;
  });
}

function doubtsIn(
  string: string,
  from: number,
  declared: ReadonlySet<string>,
  { t }: Language,
): readonly PayloadProblem[] {
  const isTemplate = otherTemplate.test(string.replaceAll(ownBraces, ""));
  return [...string.matchAll(words)].flatMap(
    ({ 0: word, 1: name = "", index }): PayloadProblem[] => {
      if (declared.has(word.slice(2, -2))) return [];
      const [start, end] = [from + index, from + index + word.length];
      const place = { start, end, pointer: "" };
      const near = declared.has(name) ? name : similarName(name, [...declared]);
      if (near !== undefined) {
        const value = `{{${near}}}`;
        const isGuess = near.toLowerCase() !== name.toLowerCase();
        const message = t("{word} is sent as text. Did you mean {name}?", { word, name: value });
        const edits = [{ start, end, text: value }];
        const data = { kind: "edit" as const, value, edits, ...(isGuess && { isGuess }) };
        return [{ code: codes.near, severity: "warning", message, ...place, data }];
      }
      if (isTemplate || word.length !== name.length + 4) return [];
      const message = t("{word} is sent as text, since no environment declares it.", { word });
      const data = { kind: "undeclared" as const, name };
      return [{ code: codes.undeclared, severity: "note", message, ...place, data }];
    },
  );
}

/** Matches a name in double braces, also with blanks around it. */
const words = new RegExp(`\\{\\{[ \\t]{0,9}(${valueName})[ \\t]{0,9}\\}\\}`, "g");

/** Matches a `placeholder`, but not one in three braces, which belongs to another program's template. */
const ownBraces = new RegExp(`(?<!\\{)${placeholder.source}`, "g");

/** Matches what only templates of other programs have beside words in double braces. */
const otherTemplate = /\{[{%#]/;
