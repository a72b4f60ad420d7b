/**
 * Parses an ECMAScript pattern. Undefined for patterns that are irregular or unsupported (back references, lookbehind,
 * modifiers), and for most invalid ones. The caller asks the native engine whether these are valid.
 */
export function parsePattern(source: string, unicode: boolean): PatternNode | undefined {
  const reader = { source, unicode, at: 0 };
  try {
    const pattern = readChoice(reader);
    return reader.at === source.length ? pattern : undefined;
  } catch (error) {
    if (error instanceof NotSupported || error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Reader {
  readonly source: string;
  readonly unicode: boolean;
  at: number;
}

class NotSupported extends Error {}

function readChoice(reader: Reader): PatternNode {
  const options = [readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    options.push(readSequence(reader));
  }
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
}

function readSequence(reader: Reader): PatternNode {
  const items: PatternNode[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? "")) {
    items.push(readTerm(reader));
  }
  return { kind: "sequence", items };
}

function readTerm(reader: Reader): PatternNode {
  const item = readAtom(reader);
  const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(
    reader.source.slice(reader.at, reader.at + 40),
  );
  if (quantifier === null) return item;
  if (item.kind === "lookahead" || item.kind === "assertion") throw new NotSupported();
  reader.at += quantifier[0].length;
  if (reader.source[reader.at] === "?") reader.at += 1;
  const [text, min, comma, max] = quantifier;
  if (text === "*") return { kind: "repeat", item, min: 0, max: Number.POSITIVE_INFINITY };
  if (text === "+") return { kind: "repeat", item, min: 1, max: Number.POSITIVE_INFINITY };
  if (text === "?") return { kind: "repeat", item, min: 0, max: 1 };
  const least = Number(min);
  const open = max === "" || max === undefined;
  const most = comma === undefined ? least : open ? Number.POSITIVE_INFINITY : Number(max);
  return { kind: "repeat", item, min: least, max: most };
}

function readAtom(reader: Reader): PatternNode {
  const character = reader.source[reader.at];
  if (character === "(") return readGroup(reader);
  if (character === "[") return readClass(reader);
  if (character === "\\") return readEscape(reader);
  if (character === "^") return assertion(reader, 1, "start");
  if (character === "$") return assertion(reader, 1, "end");
  if (character === ".") return characterNode(reader, 1);
  // Without unicode mode, an unmatched bracket is literal.
  const [literal = ""] = reader.unicode ? reader.source.slice(reader.at) : (character ?? "");
  reader.at += literal.length;
  return {
    kind: "character",
    source: /[\^$\\.*+?()[\]{}|/]/.test(literal) ? `\\${literal}` : literal,
  };
}

function readGroup(reader: Reader): PatternNode {
  const [opening = "("] =
    /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]))?/.exec(reader.source.slice(reader.at)) ?? [];
  const isLook = opening === "(?=" || opening === "(?!";
  const isGroup = opening === "(" || opening === "(?:" || opening.endsWith(">");
  if (!isLook && !isGroup) throw new NotSupported();
  reader.at += opening.length;
  const item = readChoice(reader);
  reader.at += 1;
  return isLook ? { kind: "lookahead", item, negated: opening === "(?!" } : item;
}

function readClass(reader: Reader): PatternNode {
  let end = reader.at + 1;
  while (end < reader.source.length && reader.source[end] !== "]") {
    end += reader.source[end] === "\\" ? 2 : 1;
  }
  if (end >= reader.source.length) throw new NotSupported();
  return characterNode(reader, end + 1 - reader.at);
}

const escapesInUnicodeMode =
  /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|P\{[^}]*\}|0(?!\d)|[^\dkuxcpP])/i;
const surrogatePair = /^\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i;
const escapesOtherwise = /^\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|0(?!\d)|[^\dkuxc])/i;

function readEscape(reader: Reader): PatternNode {
  const rest = reader.source.slice(reader.at, reader.at + 200);
  if (rest.startsWith("\\b")) return assertion(reader, 2, "wordBoundary");
  if (rest.startsWith("\\B")) return assertion(reader, 2, "notWordBoundary");
  const escaped = reader.unicode
    ? (surrogatePair.exec(rest) ?? escapesInUnicodeMode.exec(rest))
    : escapesOtherwise.exec(rest);
  if (escaped === null) throw new NotSupported();
  return characterNode(reader, escaped[0].length);
}

function characterNode(reader: Reader, length: number): PatternNode {
  const source = reader.source.slice(reader.at, reader.at + length);
  reader.at += length;
  return { kind: "character", source };
}

function assertion(
  reader: Reader,
  length: number,
  holds: "start" | "end" | "wordBoundary" | "notWordBoundary",
): PatternNode {
  reader.at += length;
  return { kind: "assertion", holds };
}

/** A regular expression as a tree, without details of captures. */
export type PatternNode =
  /** One character, as the source of a regular expression that matches exactly one. */
  | { kind: "character"; source: string }
  | { kind: "sequence"; items: PatternNode[] }
  | { kind: "choice"; options: PatternNode[] }
  | { kind: "repeat"; item: PatternNode; min: number; max: number }
  | { kind: "assertion"; holds: Assertion }
  | { kind: "lookahead"; item: PatternNode; negated: boolean };

/** What an assertion requires at the position between two characters. */
export type Assertion = "start" | "end" | "wordBoundary" | "notWordBoundary";
