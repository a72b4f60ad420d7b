import { type Chunked, runSync } from "../text/chunked";
import { setNewest } from "../text/setNewest";
import { isUserTokenText } from "./credential";
import {
  encodedForms,
  escapedForms,
  hexForm,
  numberForms,
  shortestEncoded,
  utf8Characters,
} from "./secretForms";
import { escapedSigns, unescapeAll } from "./unescape";

/** Replaces a Project Key in a text. */
const keyPlaceholder = "[Project Key]";
/** Replaces a user token in a text. */
const tokenPlaceholder = "[User Token]";
/** Replaces a secret of an environment in a text. */
const secretPlaceholder = "[Secret]";

/** Returns whether a text contains a placeholder, which means that a secret was removed. */
export function hasPlaceholder(text: string): boolean {
  return [keyPlaceholder, tokenPlaceholder, secretPlaceholder].some((placeholder) =>
    text.includes(placeholder),
  );
}

/** The range of a key in a text, as offsets. */
interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** The range of a secret in a text, and its replacement. */
export interface SecretSpan extends KeySpan {
  readonly placeholder: string;
}

/** The number of characters between two yields. They take a millisecond, or about ten if most are escapes. */
const windowLength = 128_000;
/** The maximum number of remembered keys. Beyond it, the oldest are dropped. */
const maxKeys = 100;
/** The maximum length of an escaped character: `\u0026quot;`. */
const longestEscape = 11;
/** The number of characters around a match that decide whether it is a separate word, each of them escaped. */
const contextLength = 24 * longestEscape;

/**
 * Redacts Project Keys and user tokens, each with its own placeholder, in any text: plain, in `Bearer …`, URL-encoded,
 * JSON-escaped in any mixture, with the five HTML entities, in hexadecimal digits, and in Base64 (even of a longer text
 * around the secret). Letters may be in another case, except in Base64, where case matters. Takes linear time for any
 * key and text. Builds no regular expression from a key, since V8 limits their length and quotes them in its errors. A
 * key that could be a word (shorter than 8 characters, or only letters) is redacted only as a separate word in its own
 * case, and never if that would break JSON.
 */
export class KeyRedactor {
  readonly #keys = new Map<string, KeyForms>();
  readonly #secrets = new Map<string, KeyForms>();
  /** The forms of all keys and secrets, and the lengths of the shortest and the longest one. */
  #searched = searchedFor([]);

  /** Redacts these keys from the start. */
  constructor(...keys: readonly string[]) {
    for (const key of keys) this.learn(key);
  }

  /** Redacts this key from now on. Returns whether it was new. Ignores an empty text. */
  learn(key: string): boolean {
    if (key === "" || this.#keys.has(key)) return false;
    setNewest(this.#keys, key, new KeyForms(key), maxKeys);
    this.#learned();
    return true;
  }

  /**
   * Redacts a secret of an environment from now on, even inside a longer word. Unlike keys, secrets are never dropped,
   * since a window has few.
   */
  learnSecret(secret: string): void {
    if (secret === "") return;
    this.#secrets.set(secret, new KeyForms(secret, secretPlaceholder));
    this.#learned();
  }

  #learned(): void {
    this.#searched = searchedFor([...this.#keys.values(), ...this.#secrets.values()]);
  }

  /** Returns whether a text holds a key in any form. */
  holds(text: string): boolean {
    return runSync(this.find(text)).length > 0;
  }

  redact(text: string): string {
    return runSync(this.redactChunked(text));
  }

  /** Redacts the keys in megabytes of text, and yields in between. */
  *redactChunked(text: string): Chunked<string> {
    const spans = yield* this.find(text);
    if (spans.length === 0) return text;
    let clean = "";
    let end = 0;
    for (const [index, span] of spans.entries()) {
      clean += text.slice(end, span.start) + span.placeholder;
      end = span.end;
      if (index % 10_000 === 9_999) yield;
    }
    return clean + text.slice(end);
  }

  /** Finds the keys in a text, in order and without overlaps. */
  *find(text: string): Chunked<readonly SecretSpan[]> {
    const { keys, overlap, shortest } = this.#searched;
    const found: SecretSpan[] = [];
    // Most texts of a response are shorter than every key.
    if (text.length < shortest) return found;
    for (let from = 0; ; from += windowLength) {
      const before = Math.max(0, from - contextLength);
      const end = Math.min(text.length, from + windowLength + overlap + contextLength);
      const isLast = end === text.length;
      const part = new TextPart(text.slice(before, end));
      for (const span of inOrder(keys.flatMap((key) => key.findNamed(part)))) {
        const start = before + span.start;
        // The window in which a match starts has all of it, and what is around it.
        if (start < from || (!isLast && start >= from + windowLength)) continue;
        add(found, { ...span, start, end: before + span.end });
      }
      if (isLast) return found;
      yield;
    }
  }
}

function searchedFor(keys: readonly KeyForms[]) {
  return {
    keys,
    overlap: Math.max(0, ...keys.map(({ longest }) => longest)),
    shortest: Math.min(...keys.map(({ shortest }) => shortest)),
  };
}

/** A piece of text. It is converted once for all keys, since unescaping is most of the work for 50 keys. */
class TextPart {
  #unescaped: UnescapedPart | undefined;
  #lowerCase: string | undefined;

  constructor(readonly text: string) {}

  /** Returns the piece without escapes, and the original offset of each character. */
  unescaped(): UnescapedPart {
    if (this.#unescaped === undefined) {
      const { text, starts } = unescapeAll(this.text);
      this.#unescaped = { part: new TextPart(text), starts };
    }
    return this.#unescaped;
  }

  lowerCase(): string {
    this.#lowerCase ??= lowerCaseOf(this.text);
    return this.#lowerCase;
  }
}

/**
 * A piece of text without escapes, and the original offset of each of its characters. The offsets are undefined if the
 * original has no escapes.
 */
interface UnescapedPart {
  readonly part: TextPart;
  readonly starts: Int32Array | undefined;
}

/**
 * Converts a text to lower case without changing its length. A letter such as `İ` would become two characters, so a
 * text with such letters gets only A to Z converted.
 */
function lowerCaseOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The patterns of a key: those that match in any case are in lower case. */
class Patterns {
  readonly #exact: readonly Pattern[];
  readonly #anyCase: readonly Pattern[];
  readonly lengths: readonly number[];

  constructor(exact: readonly string[], anyCase: readonly string[]) {
    this.#exact = patterns(exact);
    this.#anyCase = patterns(anyCase.map((form) => form.toLowerCase()));
    this.lengths = [...this.#exact, ...this.#anyCase].map(({ form }) => form.length);
  }

  find(part: TextPart): readonly KeySpan[] {
    return [
      ...this.#exact.flatMap((pattern) => pattern.find(part.text)),
      ...this.#anyCase.flatMap((pattern) => pattern.find(part.lowerCase())),
    ];
  }
}

/** The forms of one key to search for. */
class KeyForms {
  /** The lengths of the shortest form, and of the longest one with every character escaped. */
  readonly shortest: number;
  readonly longest: number;
  readonly #isWord: boolean;
  readonly #written: Patterns;
  readonly #unescaped: Patterns;
  /** Substrings to search for first: a text that escapes a character of a key contains at least one of them. */
  readonly #escapes: readonly string[];
  readonly #placeholder: string;

  constructor(key: string, secret?: typeof secretPlaceholder) {
    // A secret from a file has its last line break, which others trim.
    const trimmed = key.trim() || key;
    // Search for the key without its outer backslashes: since an escaped backslash is two backslashes, a match could
    // start at either of them.
    const bare = trimmed.replace(/^\\+|\\+$/g, "") || trimmed;
    const isSecret = secret !== undefined;
    const spelled = isSecret ? [bare, utf8Characters(bare), ...numberForms(bare)] : [bare];
    const bytes = isSecret ? utf8Characters(trimmed) : trimmed;
    const encoded = encodedForms(bytes);
    this.#placeholder = secret ?? (isUserTokenText(key) ? tokenPlaceholder : keyPlaceholder);
    this.#isWord = !isSecret && (bare.length < shortestEncoded || /^[a-z]{1,20}$/i.test(bare));
    // Beyond ASCII, the case of a letter may depend on its neighbors.
    const isAnyCase = (form: string) =>
      !this.#isWord && form.length >= shortestEncoded && /^[\0-\x7f]*$/.test(form);
    const unescaped = [
      ...spelled.map((form) => unescapeAll(form).text),
      ...(isSecret ? escapedForms(bare).map((form) => unescapeAll(form).text) : []),
    ];
    const inCase = (forms: readonly string[]) => forms.filter((form) => !isAnyCase(form));
    this.#written = new Patterns(
      [...inCase(spelled), ...encoded],
      [...spelled.filter(isAnyCase), ...hexForm(bytes)],
    );
    this.#unescaped = new Patterns([...inCase(unescaped), ...encoded], unescaped.filter(isAnyCase));
    const signs = ['"', "\\", "/"].filter((sign) =>
      [bare, ...encoded].some((form) => form.includes(sign)),
    );
    const unicode = /[^\0-\xff]/.test(key) ? "\\u" : "\\u00";
    const letters = escapedSigns.flatMap(([sign, written]) =>
      bare.includes(sign) ? [written] : [],
    );
    this.#escapes = ["%", unicode, ...signs.map((sign) => `\\${sign}`), ...letters];
    const lengths = [...this.#written.lengths, ...this.#unescaped.lengths];
    this.shortest = Math.min(...lengths);
    this.longest = Math.max(...lengths, key.length) * longestEscape;
  }

  findNamed(part: TextPart): readonly SecretSpan[] {
    return this.#find(part).map((span) => ({ ...span, placeholder: this.#placeholder }));
  }

  #find(part: TextPart): readonly KeySpan[] {
    const written = this.#separateWords(part, this.#written.find(part));
    if (!this.#escapes.some((sign) => part.text.includes(sign))) return written;
    const { part: plain, starts } = part.unescaped();
    if (starts === undefined) return written;
    const unescaped = this.#separateWords(plain, this.#unescaped.find(plain)).map(
      ({ start, end }) => ({
        start: starts[start] ?? 0,
        end: starts[end] ?? part.text.length,
      }),
    );
    return [...written, ...unescaped];
  }

  #separateWords(part: TextPart, spans: readonly KeySpan[]): readonly KeySpan[] {
    return this.#isWord ? spans.filter((span) => isSeparateWord(part, span)) : spans;
  }
}

/**
 * Returns whether a match is a separate word: not part of a longer word, the name of a JSON member, a bare number, true
 * or null.
 */
function isSeparateWord({ text }: TextPart, { start, end }: KeySpan): boolean {
  const [before = "", after = ""] = [text[start - 1], text[end]];
  if (/[\w-]/.test(before) || /[\w-]/.test(after)) return false;
  if (after === '"' && /^"\s{0,20}:/.test(text.slice(end, end + 22))) return false;
  const isValue = /^(?:[-\d.]|true$|false$|null$)/.test(text.slice(start, end));
  return (
    !isValue || before === '"' || after === '"' || /bearer $/i.test(text.slice(start - 7, start))
  );
}

/**
 * Finds one form of a key. Native code searches for its first characters; from there on, the algorithm of Knuth, Morris
 * and Pratt reads each character once. Native code alone compares a long key again at each near miss: a key of b and
 * 4,095 times a, which a registry may issue.
 */
class Pattern {
  readonly #start: string;
  readonly #fallback: Int32Array;

  constructor(readonly form: string) {
    this.#start = form.slice(0, 12);
    this.#fallback = new Int32Array(form.length);
    for (let at = 1, state = 0; at < form.length; at += 1) {
      state = this.#next(state, form.charCodeAt(at));
      this.#fallback[at] = state;
    }
  }

  find(text: string): readonly KeySpan[] {
    const found: KeySpan[] = [];
    const { length } = this.form;
    let at = text.indexOf(this.#start);
    while (at >= 0) {
      let state = 0;
      do {
        state = this.#next(state, text.charCodeAt(at));
        at += 1;
        if (state === length) add(found, { start: at - length, end: at });
      } while (state > 0 && at < text.length);
      at = text.indexOf(this.#start, at);
    }
    return found;
  }

  #next(state: number, code: number): number {
    const { form } = this;
    let matched = state === form.length ? (this.#fallback[state - 1] ?? 0) : state;
    while (matched > 0 && code !== form.charCodeAt(matched)) {
      matched = this.#fallback[matched - 1] ?? 0;
    }
    return code === form.charCodeAt(matched) ? matched + 1 : 0;
  }
}

function patterns(forms: readonly string[]): readonly Pattern[] {
  return [...new Set(forms)].filter((form) => form !== "").map((form) => new Pattern(form));
}

function inOrder(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  return spans.length < 2 ? spans : [...spans].sort((one, other) => one.start - other.start);
}

/** Adds a range after the others, or extends the last one if they overlap. */
function add<Span extends KeySpan>(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last === undefined || span.start >= last.end) spans.push(span);
  else if (span.end > last.end) spans[spans.length - 1] = { ...last, end: span.end };
}
