import { nativeRegExp } from "./linearRegExp";
import { type PatternNode, parsePattern } from "./parsePattern";

/**
 * Suggests texts that may match a pattern, with at least `shortest` and at most `longest` characters if that is easy.
 * Ignores assertions and lookaheads, so the caller checks each text. Yields nothing for an irregular or malformed
 * pattern.
 */
export function* textsForPattern(
  pattern: string,
  shortest: number,
  longest: number,
): Generator<string> {
  const native = shortest > maxText ? undefined : nativeRegExp(pattern);
  const node = native && parsePattern(pattern, native.unicode);
  if (node === undefined) return;
  for (const option of [0, 1, 2, 3]) {
    for (const extraRepetitions of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]) {
      const text = textFor(node, { option, extraRepetitions });
      if (text === undefined || text.length > longest) break;
      if (text.length >= shortest) yield text;
      // An unanchored pattern may match within a longer text.
      else yield text.padEnd(shortest, text.at(-1) ?? "x");
    }
  }
}

interface CharacterChoice {
  /** The index of the option to take in every choice. A choice with fewer options takes its last one. */
  option: number;
  /** The number of repetitions beyond the minimum. */
  extraRepetitions: number;
}

/** The maximum length of a sample. A pattern may require millions of characters. */
const maxText = 1000;

function textFor(node: PatternNode, choice: CharacterChoice): string | undefined {
  switch (node.kind) {
    case "character":
      return characterFor(node.source, choice.option);
    case "sequence":
      return joined(node.items.map((item) => textFor(item, choice)));
    case "choice": {
      const option = node.options[Math.min(choice.option, node.options.length - 1)];
      return option === undefined ? undefined : textFor(option, choice);
    }
    case "repeat": {
      const count = Math.min(node.min + choice.extraRepetitions, node.max);
      const item = count === 0 ? "" : textFor(node.item, { ...choice, extraRepetitions: 0 });
      return item === undefined || item.length * count > maxText ? undefined : item.repeat(count);
    }
    default:
      return "";
  }
}

function joined(parts: (string | undefined)[]): string | undefined {
  const text = parts.includes(undefined) ? undefined : parts.join("");
  return text !== undefined && text.length > maxText ? undefined : text;
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const likelyCharacters = [..."axA0-_. ", ...printable, ..."\t\n\réäß中あ😀\u0000"];

/** Returns a character that a source matches. `option` selects another character if the source matches several. */
function characterFor(source: string, option: number): string | undefined {
  if (source.length === 1 && source !== ".") return source;
  const test = nativeRegExp(`^(?:${source})$`);
  if (test === undefined) return undefined;
  const fitting = likelyCharacters.filter((character) => test.test(character));
  return fitting[Math.min(option, fitting.length - 1)] ?? literalOf(source);
}

/** Returns the character of a numeric escape. */
function literalOf(source: string): string | undefined {
  const code = /^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))$/i.exec(source);
  if (code === null) return source.length <= 2 && !source.startsWith("\\") ? source : undefined;
  return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16));
}
