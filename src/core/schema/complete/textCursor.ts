import { JsonTokens, tokenAt } from "../../json/jsonTokens";
import type { JsonValue } from "../../json/jsonValue";
import { isClosing, isOpening, type TextRange, Token } from "../../json/token";

/** A position in a text that may be invalid JSON, and its surroundings. */
export interface TextCursor {
  /** The steps from the root to the value at the cursor. For a property's name, the steps to its object. */
  readonly steps: readonly (string | number)[];
  /** Whether a property's name or a value is expected at the cursor. */
  readonly at: "name" | "value";
  /** The name or scalar value that the cursor touches. Absent if the cursor is between tokens. */
  readonly token?: TextRange & { readonly kind: Token; readonly isClosed: boolean };
  /** The kind of the token after the cursor and after the token that it touches. */
  readonly next: Token;
  /** The offset of a missing comma before the cursor. Absent if no comma is missing. */
  readonly comma?: number;
  /** The root value, without its broken parts. `keepsMember` decides whether it contains the member at the cursor. */
  readonly root: JsonValue | undefined;
}

/**
 * Finds the position of an offset in a text, and parses as much of the text as possible. Omits broken parts.
 * `keepsMember` keeps the member at the cursor. Undefined if neither a name nor a value is possible.
 */
export function textCursor(
  text: string,
  offset: number,
  keepsMember: boolean,
): TextCursor | undefined {
  const reader = new CursorReader(text, offset, keepsMember);
  return reader.read();
}

/** An open object or array, and the token that is expected next in it. */
interface Open {
  readonly value: { [name: string]: JsonValue } | JsonValue[];
  step: string | number | undefined;
  expects: "name" | "colon" | "value" | "comma";
}

type Position = Omit<TextCursor, "root" | "next">;

class CursorReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #keepsMember: boolean;
  readonly #open: Open[] = [];
  #root: JsonValue | undefined;
  #position: Position | "none" | undefined;
  #next: Token | undefined;
  #lastEnd = 0;

  constructor(text: string, offset: number, keepsMember: boolean) {
    this.#text = text;
    this.#offset = offset;
    this.#keepsMember = keepsMember;
  }

  read(): TextCursor | undefined {
    const tokens = new JsonTokens(this.#text);
    for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
      const isInside = tokens.start < this.#offset && this.#offset < tokens.end;
      if (kind === Token.comment) {
        if (isInside) return undefined;
        continue;
      }
      const isScalar = !isPunctuation(kind);
      const touches = isScalar && tokens.start <= this.#offset && this.#offset <= tokens.end;
      if (this.#position === undefined && (touches || tokens.start >= this.#offset)) {
        this.#position = this.#positionAt(touches ? tokens : undefined) ?? "none";
        if (!touches) this.#next = kind;
      } else if (this.#position !== undefined) this.#next ??= kind;
      this.#take(tokens, touches && !this.#keepsMember);
      this.#lastEnd = tokens.end;
    }
    this.#position ??= this.#positionAt(undefined) ?? "none";
    if (this.#position === "none") return undefined;
    return { ...this.#position, next: this.#next ?? Token.end, root: this.#root };
  }

  #positionAt(token: JsonTokens | undefined): Position | undefined {
    const inside = this.#open.at(-1);
    const steps = this.#open.flatMap(({ step }) => (step === undefined ? [] : [step]));
    const touched = token && {
      token: { start: token.start, end: token.end, kind: token.kind, isClosed: isClosed(token) },
    };
    if (inside === undefined) {
      const isFree = this.#root === undefined || touched !== undefined;
      return isFree ? { steps: [], at: "value", ...touched } : undefined;
    }
    const above = steps.slice(0, -1);
    const comma = { comma: this.#lastEnd };
    switch (inside.expects) {
      case "name":
        return { steps, at: "name", ...touched };
      case "value":
        return { steps, at: "value", ...touched };
      case "comma":
        return Array.isArray(inside.value)
          ? { steps: [...above, Number(inside.step) + 1], at: "value", ...comma, ...touched }
          : { steps: above, at: "name", ...comma, ...touched };
      default:
        return undefined;
    }
  }

  #take(token: JsonTokens, isLeftOut: boolean): void {
    const { kind } = token;
    const inside = this.#open.at(-1);
    if (isOpening(kind)) {
      const isObject = kind === Token.openBrace;
      const value = isObject ? {} : [];
      this.#put(value, inside);
      const step = isObject ? undefined : 0;
      this.#open.push({ value, step, expects: isObject ? "name" : "value" });
    } else if (isClosing(kind)) this.#open.pop();
    else if (inside === undefined) {
      if (kind !== Token.comma && kind !== Token.colon && !isLeftOut)
        this.#put(token.value(), inside);
    } else if (kind === Token.comma) {
      inside.step = Array.isArray(inside.value) ? Number(inside.step) + 1 : undefined;
      inside.expects = Array.isArray(inside.value) ? "value" : "name";
    } else if (kind === Token.colon) inside.expects = "value";
    else if (inside.expects === "value" || (inside.expects === "colon" && !this.#isName(token))) {
      if (isLeftOut) inside.expects = "comma";
      else this.#put(token.value(), inside);
    } else this.#afterValue(token, inside, isLeftOut);
  }

  /**
   * Returns whether a token is a property's name, which has a colon after it. If the colon after the previous name is
   * missing, this distinguishes the next name from a value.
   */
  #isName({ end }: JsonTokens): boolean {
    return tokenAt(this.#text, end).kind === Token.colon;
  }

  /** Handles a token after a value: a name or an item, possibly after a missing comma. */
  #afterValue(token: JsonTokens, inside: Open, isLeftOut: boolean): void {
    if (Array.isArray(inside.value)) {
      inside.step = Number(inside.step) + 1;
      if (!isLeftOut) this.#put(token.value(), inside);
      return;
    }
    inside.step = isLeftOut ? undefined : String(token.value());
    inside.expects = "colon";
  }

  #put(value: JsonValue, inside: Open | undefined): void {
    if (inside === undefined) {
      this.#root ??= value;
      return;
    }
    const { step } = inside;
    inside.expects = "comma";
    if (Array.isArray(inside.value)) inside.value[Number(step)] = value;
    else if (step !== undefined) {
      Object.defineProperty(inside.value, step, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
}

/** Returns whether a token is a bracket, a comma or a colon. */
function isPunctuation(kind: Token): boolean {
  return isOpening(kind) || isClosing(kind) || kind === Token.comma || kind === Token.colon;
}

function isClosed(token: JsonTokens): boolean {
  return token.kind === Token.string && token.fault() === undefined;
}
