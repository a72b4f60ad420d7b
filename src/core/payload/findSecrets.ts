import { escapedOffsets, unescapedText } from "../json/jsonEscapes";
import type { TextRange } from "../json/token";
import { type Language, type LocalizableText, l10nText, localize } from "../text/language";
import type { PayloadProblem } from "./payloadCheck";
import { type SecretForm, secretForms } from "./secretForms";

/** A range of text (UTF-16 offsets) that looks like a credential, and its kind in words. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** Completes the sentence "This looks like …": `an AWS access key`. */
  readonly kind: LocalizableText;
}

/** The description of a known credential. */
const knownKind = l10nText("your Project Key");

/** The maximum number of findings. */
const maxFound = 20;
/** The minimum length of a known credential. A shorter text is no key, and occurs by chance. */
const minKnownLength = 8;

/** The forms that are searched for in a whole text, and those whose matches are one token. */
const textForms = secretForms.filter(({ isText }) => isText);
const tokenForms = secretForms.filter(({ isText }) => !isText);
/** The signs of tokens. A longer sign is left out if it starts with another one: `sk_` also finds `sk_proj_`. */
const tokenSigns = tokenForms
  .flatMap(({ signs }) => signs)
  .filter((sign, _, all) => !all.some((other) => other !== sign && sign.startsWith(other)));
/** Matches at the start of each sign, also of overlapping ones. */
const tokenSign = new RegExp(
  `(?=(${tokenSigns.map((sign) => sign.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")}))`,
  "g",
);
const formsOfSign = new Map(
  tokenSigns.map((start) => [
    start,
    tokenForms.filter(({ signs }) => signs.some((sign) => sign.startsWith(start))),
  ]),
);
/** The length of the shortest token: one of Slack. */
const minTokenLength = 15;
/** The number of characters before a token that its pattern reads: `Bearer `. */
const charactersBefore = 8;
/** For each ASCII character, 1 where a token may contain it. */
const isTokenCharacter = new Uint8Array(128);
for (const character of "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~+/=:") {
  isTokenCharacter[character.charCodeAt(0)] = 1;
}

/**
 * The maximum number of times a text is unescaped. A string in JSON may contain JSON, which may contain such a string
 * again.
 */
const maxUnescapings = 3;

/**
 * Finds credentials in a JSON text, in any spelling of its strings, in text order, at most 20. `knownSecrets` (the
 * Project Key in use) are found anywhere, others only outside of `allowedSecrets`. The text may be incomplete JSON.
 * Takes linear time.
 */
export function findSecrets(
  text: string,
  knownSecrets: readonly string[] = [],
  allowedSecrets: readonly TextRange[] = [],
): FoundSecret[] {
  const found = [...secretsIn(text, knownSecrets)];
  const escapedTexts: string[] = [];
  let read = text;
  while (escapedTexts.length < maxUnescapings && read.includes("\\")) {
    escapedTexts.unshift(read);
    read = unescapedText(read);
    const matches = secretsIn(read, knownSecrets);
    const inside = matches.flatMap(({ start, end }) => [start, end]);
    const unescaped = escapedTexts.reduce(
      (offsets, spelled) => escapedOffsets(spelled, offsets),
      inside,
    );
    for (const [index, match] of matches.entries()) {
      const [start = 0, end = 0] = unescaped.slice(2 * index, 2 * index + 2);
      found.push({ ...match, start, end });
    }
  }
  const isAllowed = (secret: FoundSecret) =>
    secret.kind !== knownKind && allowedSecrets.some((range) => contains(range, secret));
  return distinctSecrets(found.filter((secret) => !isAllowed(secret)));
}

function contains(outer: TextRange, inner: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Finds credentials in a text without unescaping it. */
function secretsIn(text: string, knownSecrets: readonly string[]): FoundSecret[] {
  const found = knownSecrets.flatMap((secret) => occurrences(text, secret));
  for (const form of textForms) {
    // Substrings are found several times faster than patterns.
    if (form.signs.some((sign) => text.includes(sign))) found.push(...matches(form, text, 0));
  }
  let tokens = 0;
  for (const [start, end] of longWords(text)) {
    const offset = Math.max(0, start - charactersBefore);
    const word = text.slice(offset, end + 1);
    const inWord = formsIn(word).flatMap((form) => matches(form, word, offset));
    found.push(...inWord);
    if (inWord.length > 0) tokens += 1;
    if (tokens === maxFound) break;
  }
  return distinctSecrets(found);
}

/** Returns the forms with a sign in a word, in their order. Nearly every word has none. */
function formsIn(word: string): readonly SecretForm[] {
  if (word.search(tokenSign) < 0) return [];
  const forms = new Set<SecretForm>();
  for (const [, sign = ""] of word.matchAll(tokenSign)) {
    for (const form of formsOfSign.get(sign) ?? []) forms.add(form);
  }
  return tokenForms.filter((form) => forms.has(form));
}

/** Finds a form in a part of a text that starts at `offset`. */
function matches({ kind, pattern }: SecretForm, part: string, offset: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const { index, 0: match, 1: before = "" } of part.matchAll(pattern)) {
    if (isPlaceholder(before + match)) continue;
    const start = offset + index - before.length;
    found.push({ start, end: offset + index + match.length, kind });
    if (found.length === maxFound) break;
  }
  return found;
}

/**
 * Yields the ranges of a text that consist of a token's characters and are long enough for one. Reads about every
 * fifteenth character of a text without such a range.
 */
function* longWords(text: string): Generator<[start: number, end: number]> {
  let start = 0;
  let last = minTokenLength - 1;
  while (last < text.length) {
    let at = last;
    while (at >= start && mayBeInToken(text, at)) at -= 1;
    if (at >= start) {
      start = at + 1;
    } else {
      let end = last + 1;
      while (end < text.length && mayBeInToken(text, end)) end += 1;
      yield [start, end];
      start = end + 1;
    }
    last = start + minTokenLength - 1;
  }
}

function mayBeInToken(text: string, at: number): boolean {
  return isTokenCharacter[text.charCodeAt(at)] === 1;
}

function occurrences(text: string, secret: string): FoundSecret[] {
  if (secret.length < minKnownLength) return [];
  const found: FoundSecret[] = [];
  let start = text.indexOf(secret);
  while (start >= 0 && found.length < maxFound) {
    const end = start + secret.length;
    found.push({ start, end, kind: knownKind });
    start = text.indexOf(secret, end);
  }
  return found;
}

/** Sorts the findings and keeps one per range: the one that starts first and is the longest. */
function distinctSecrets(found: FoundSecret[]): FoundSecret[] {
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  let end = -1;
  const each = found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
  return each.slice(0, maxFound);
}

/**
 * Returns whether a match is only a placeholder or a slug. Documentation writes keys of one repeated character, or
 * marks them as examples. A key has digits, and is not a list of words.
 */
function isPlaceholder(match: string): boolean {
  const password = /^[^:]+:\/\/([^:]*):(.*)@$/s.exec(match);
  if (password !== null) return isSamplePassword(password[1] ?? "", password[2] ?? "");
  if (match.startsWith("sk-") && !/\d/.test(match)) return true;
  const isWords = /^[a-z]+(?:[- ._/][a-z]+)+\d?$/i.test(match);
  return isWords || documented.test(match) || isRepetitive(match);
}

/** What documentation writes: the example of JWT, and `user:pass…` and the example of RFC 7617 in Base64. */
const documented = /example|eyJzdWIiOiIxMjM0NTY3ODkwI|^dXNlcjpwYXNz|^QWxhZGRpbjpvcGVu/i;

function isRepetitive(text: string): boolean {
  return new Set(text.slice(-16)).size <= 2;
}

/** Returns whether a password in an address only says that a password belongs there, as `user:password` does. */
function isSamplePassword(user: string, password: string): boolean {
  const isName = !/\d/.test(password) && /pass|pwd|secret|token|key|^port$/i.test(password);
  const isFormat = /^%(?![0-9a-f]{2})/i.test(password);
  return isName || isFormat || password === user || isRepetitive(password);
}

/**
 * Marks credentials in a text as warnings, which block nothing by themselves. `knownSecrets` are found anywhere. No
 * message repeats a credential.
 */
export function secretProblems(
  text: string,
  knownSecrets: readonly string[],
  language: Language,
  allowedSecrets: readonly TextRange[] = [],
): PayloadProblem[] {
  return findSecrets(text, knownSecrets, allowedSecrets).map(({ start, end, kind }) => ({
    code: "secret",
    message: language.t(
      "This looks like {kind}. Whoever runs the skill could use it, so you are asked before it is sent.",
      { kind: localize(kind, language) },
    ),
    severity: "warning",
    start,
    end,
    pointer: "",
    data: { kind: "credential" },
  }));
}
