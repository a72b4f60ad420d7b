import { escapedOffsets, unescapedText } from "../json/jsonEscapes";
import type { TextRange } from "../json/token";
import { type Language, type LocalizableText, l10nText, localize } from "../text/language";
import type { PayloadProblem } from "./payloadCheck";
import { secretForms } from "./secretForms";

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

/** Matches a sign of any form. Reads a text twice as fast as one search for each sign, and excludes nearly every text. */
const anySign = new RegExp(
  secretForms
    .flatMap(({ signs }) => signs)
    .map((sign) => sign.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|"),
);

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
  if (!anySign.test(text)) return distinctSecrets(found);
  for (const { kind, signs, pattern } of secretForms) {
    // Substrings are found several times faster than patterns.
    if (!signs.some((sign) => text.includes(sign))) continue;
    let count = 0;
    for (const { index, 0: match } of text.matchAll(pattern)) {
      if (isPlaceholder(match)) continue;
      found.push({ start: index, end: index + match.length, kind });
      count += 1;
      if (count === maxFound) break;
    }
  }
  return distinctSecrets(found);
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
  return isWords || /example|eyJzdWIiOiIxMjM0NTY3ODkwI/i.test(match) || isRepetitive(match);
}

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
