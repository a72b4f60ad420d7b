import { type LocalizableText, l10nText } from "../text/language";
import { JsonTokens, tokenAt } from "./jsonTokens";
import { type TextRange, Token } from "./token";

/** A reason why a text is not JSON, and its range. */
export interface SyntaxFinding extends TextRange {
  kind: "syntax" | "empty" | "byteOrderMark" | "comment" | "trailingComma";
  message: LocalizableText;
  /**
   * The edit that the reader assumed in order to continue: it inserts a missing character, or removes or replaces an
   * unexpected one.
   */
  repair?: SyntaxRepair;
  /** Set if the text starts with a property's name, so that braces are missing around everything. */
  lacksBraces?: true;
}

/** An edit of the text; `isGuess` if the next token may mean something else. */
export interface SyntaxRepair extends TextRange {
  text: string;
  isGuess?: true;
}

/** The syntax errors of a text, and the text as strict JSON if possible. */
export interface SyntaxReport {
  findings: SyntaxFinding[];
  hidden: number;
  /**
   * The text with spaces instead of comments, trailing commas and a byte order mark, so that offsets stay the same.
   * Undefined if there are other errors.
   */
  readable?: string;
}

/**
 * Finds why a text is not JSON. Recovers after each finding to report several. Uses no recursion and no memory for
 * earlier tokens. Stops after `limit` findings other than comments and trailing commas.
 */
export function checkSyntax(text: string, limit: number): SyntaxReport {
  const reader = new SyntaxReader(text, limit);
  reader.read();
  const byStart = (left: TextRange, right: TextRange) => left.start - right.start;
  const report: SyntaxReport = {
    findings: reader.findings.sort(byStart),
    hidden: reader.hidden,
  };
  // Sort the ranges: a trailing comma is only found after the comments that follow it.
  if (!reader.isBroken) report.readable = withSpacesAt(text, reader.removable.sort(byStart));
  return report;
}

function withSpacesAt(text: string, ranges: readonly TextRange[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    pieces.push(text.slice(from, start), " ".repeat(end - start));
    from = end;
  }
  return [...pieces, text.slice(from)].join("");
}

/** Reads a text to its end and collects its syntax errors. */
class SyntaxReader {
  readonly findings: SyntaxFinding[] = [];
  readonly removable: TextRange[] = [];
  hidden = 0;
  isBroken = false;
  readonly #text: string;
  readonly #limit: number;
  readonly #open: OpenValue[] = [];
  #errorCount = 0;
  #rootIsRead = false;
  #lastEnd = 0;
  #lastComma: TextRange | undefined;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  read(): void {
    const hasMark = this.#text.startsWith("\ufeff");
    if (hasMark) {
      const message = l10nText("Remove the byte order mark; JSON starts without one.");
      this.#reportRemovable("byteOrderMark", message, { start: 0, end: 1 });
    }
    const tokens = new JsonTokens(this.#text, hasMark ? 1 : 0);
    while (this.#errorCount < this.#limit) {
      const kind = tokens.next();
      if (kind === Token.end) {
        this.#readEnd(tokens);
        return;
      }
      if (kind === Token.comment) {
        this.#reportRemovable("comment", l10nText("JSON has no comments."), tokens);
        continue;
      }
      if (this.#lacksBraces(tokens)) {
        const example = { example: '{"a": 1}' };
        const message = l10nText("An object needs braces: {example}", example);
        this.#report(message, tokens).lacksBraces = true;
        return;
      }
      if (!this.#readForeignSeparator(tokens)) {
        const fault = tokens.fault();
        if (fault !== undefined) this.#report(fault.message, fault);
        this.#readToken(tokens, fault !== undefined);
      }
      const { start, end } = tokens;
      const isReported = this.findings.at(-1)?.start === start;
      this.#lastComma = kind === Token.comma && !isReported ? { start, end } : undefined;
      this.#lastEnd = end;
    }
  }

  /** Returns whether the text starts with a property's name. */
  #lacksBraces({ kind, end }: JsonTokens): boolean {
    const isFirst = !this.#rootIsRead && this.#open.length === 0;
    return isFirst && isScalar(kind) && tokenAt(this.#text, end).kind === Token.colon;
  }

  /** Reads `=`, `=>` or `;` in place of a colon or comma, or `;` after the end. Returns whether it is one. */
  #readForeignSeparator({ kind, start, end }: JsonTokens): boolean {
    const separator = this.#text.slice(start, Math.min(end, start + 2));
    if (kind !== Token.unknown || !/^(?:=>?|;)$/.test(separator)) return false;
    const sign = separator === ";" ? "," : ":";
    const container = this.#open.at(-1);
    if (container === undefined) {
      if (sign === ":" || !this.#rootIsRead) return false;
      const message = l10nText("Remove this; the JSON ends before it.");
      this.#report(message, { start, end }, { start, end, text: "" });
      return true;
    }
    if (container.expects !== (sign === ":" ? "colon" : "commaOrClose")) return false;
    const message = l10nText("A {sign} is expected here.", { sign });
    this.#report(message, { start, end }, { start, end, text: sign });
    container.expects = sign === ":" ? "value" : container.isObject ? "key" : "item";
    return true;
  }

  #readToken(token: JsonTokens, isReported: boolean): void {
    const container = this.#open.at(-1);
    const { kind } = token;
    switch (kind) {
      case Token.openBrace:
      case Token.openBracket: {
        this.#readValue(token, isReported, container);
        const isObject = kind === Token.openBrace;
        this.#open.push({ isObject, expects: isObject ? "firstKey" : "firstItem" });
        return;
      }
      case Token.closeBrace:
      case Token.closeBracket:
        this.#readClosing(token, container);
        return;
      case Token.comma:
        this.#readComma(token, container);
        return;
      case Token.colon:
        if (container?.expects === "colon") container.expects = "value";
        else this.#report(l10nText("A colon is not expected here."), token);
        return;
      default:
        this.#readValue(token, isReported, container);
    }
  }

  #readValue(token: JsonTokens, isReported: boolean, container: OpenValue | undefined): void {
    if (container === undefined) {
      if (this.#rootIsRead) this.#report(l10nText("Remove this; the JSON ends before it."), token);
      this.#rootIsRead = true;
      return;
    }
    switch (container.expects) {
      case "firstKey":
      case "key":
        this.#readName(token, isReported, container);
        return;
      case "colon":
        this.#report(
          l10nText("A colon is expected after the property name."),
          token,
          this.#missing(":"),
        );
        container.expects = "commaOrClose";
        return;
      case "commaOrClose": {
        const isName = container.isObject && this.#isName(token);
        // An already reported invalid token may stand for the comma.
        if (token.kind === Token.unknown && !isName) {
          container.expects = container.isObject ? "key" : "item";
          return;
        }
        // A text without a colon after it is no name: it may belong to the value before it.
        const isGuess = container.isObject && !this.#hasColon(token);
        const comma = this.#missing(",", isGuess);
        this.#report(l10nText("A comma is missing before this."), token, comma);
        if (isName) this.#readName(token, isReported, container);
        return;
      }
      default:
        container.expects = "commaOrClose";
    }
  }

  #readName(token: JsonTokens, isReported: boolean, container: OpenValue): void {
    container.expects = "colon";
    if (token.kind === Token.string || isReported) return;
    this.#report(l10nText("A property name in double quotes is expected here."), token);
  }

  /** Returns whether a token is probably a property name: a string, or anything before a colon. */
  #isName(token: JsonTokens): boolean {
    return token.kind === Token.string || this.#hasColon(token);
  }

  #hasColon({ end }: JsonTokens): boolean {
    return tokenAt(this.#text, end).kind === Token.colon;
  }

  #readComma(token: JsonTokens, container: OpenValue | undefined): void {
    if (container === undefined) {
      this.#report(l10nText("A comma is not expected here."), token);
      return;
    }
    if (container.expects === "colon")
      this.#report(l10nText("A colon and a value are missing here."), token);
    else if (container.expects !== "commaOrClose") {
      const { start, end } = token;
      const removed = { start, end, text: "" };
      this.#report(l10nText("Something is missing before this comma."), token, removed);
    }
    container.expects = container.isObject ? "key" : "item";
  }

  #readClosing(token: JsonTokens, container: OpenValue | undefined): void {
    const isObject = token.kind === Token.closeBrace;
    if (container === undefined) {
      const signs = { opener: isObject ? "{" : "[", closer: isObject ? "}" : "]" };
      this.#report(l10nText("Unmatched {closer}.", signs), token);
      return;
    }
    if (container.isObject !== isObject) {
      const sign = closerOf(container);
      const isForgotten = this.#open.at(-2)?.isObject === isObject;
      const missing = isForgotten && mayClose(container) ? sign : undefined;
      const message = l10nText("A {sign} is expected here.", { sign });
      this.#report(message, token, this.#missing(missing));
      // The inner container is not closed. Close it if an outer one matches this closer.
      if (!isForgotten) return;
      this.#open.pop();
      this.#open.pop();
      this.#afterValue();
      return;
    }
    const isTrailing = container.expects === "key" || container.expects === "item";
    if (isTrailing && this.#lastComma !== undefined) {
      const message = l10nText("Remove this comma; nothing follows it.");
      this.#reportRemovable("trailingComma", message, this.#lastComma);
    } else if (container.expects === "colon" || container.expects === "value") {
      this.#report(l10nText("A value is missing here."), token);
    }
    this.#open.pop();
    this.#afterValue();
  }

  #afterValue(): void {
    const outside = this.#open.at(-1);
    if (outside !== undefined) outside.expects = "commaOrClose";
  }

  #readEnd(token: JsonTokens): void {
    const container = this.#open.at(-1);
    const last = { start: Math.max(0, this.#lastEnd - 1), end: this.#lastEnd };
    if (container !== undefined) {
      const words = l10nText("A {sign} is missing at the end.", { sign: closerOf(container) });
      this.#report(words, last, this.#missing(closersOf(this.#open)));
    } else if (!this.#rootIsRead && this.#errorCount === 0) {
      this.isBroken = true;
      const message = l10nText("The document is empty.");
      this.findings.push({ kind: "empty", message, start: 0, end: token.end });
    }
  }

  /** Returns the edit that inserts a text after the last token. */
  #missing(text: string | undefined, isGuess = false): SyntaxRepair | undefined {
    const at = { start: this.#lastEnd, end: this.#lastEnd };
    return text === undefined ? undefined : { ...at, text, ...(isGuess && { isGuess }) };
  }

  #report(
    message: LocalizableText,
    { start, end }: TextRange,
    repair?: SyntaxRepair,
  ): SyntaxFinding {
    this.isBroken = true;
    this.#errorCount += 1;
    const finding: SyntaxFinding = { kind: "syntax", message, start, end };
    if (repair !== undefined) finding.repair = repair;
    this.findings.push(finding);
    return finding;
  }

  #reportRemovable(
    kind: SyntaxFinding["kind"],
    message: LocalizableText,
    { start, end }: TextRange,
  ): void {
    this.removable.push({ start, end });
    if (this.findings.length < this.#limit) this.findings.push({ kind, message, start, end });
    else this.hidden += 1;
  }
}

/** An open object or array, and the tokens allowed next in it. */
interface OpenValue {
  readonly isObject: boolean;
  expects: "firstKey" | "key" | "colon" | "value" | "firstItem" | "item" | "commaOrClose";
}

function isScalar(kind: Token): boolean {
  return (
    kind === Token.string ||
    kind === Token.unknown ||
    kind === Token.number ||
    kind === Token.literal
  );
}

/** The maximum number of brackets to close automatically. */
const maxClosed = 100;

/** Returns the character that closes a container. */
function closerOf({ isObject }: OpenValue): string {
  return isObject ? "}" : "]";
}

/** Returns whether a container may be closed here. */
function mayClose({ expects }: OpenValue): boolean {
  return expects === "firstKey" || expects === "firstItem" || expects === "commaOrClose";
}

/** Returns the characters that close all open containers, outermost first; undefined if anything else is missing. */
function closersOf(open: readonly OpenValue[]): string | undefined {
  const inner = open.at(-1);
  if (inner === undefined || !mayClose(inner) || open.length > maxClosed) return undefined;
  return open.map(closerOf).reverse().join("");
}
