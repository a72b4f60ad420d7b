import { type Wording, wording } from "../text/wording";

/** A stretch of text (UTF-16 offsets) that looks like a credential, and what kind, in words. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** Fits behind "This looks like": `an AWS access key`. */
  readonly kind: Wording;
}

/** How many are listed at most. */
const maxFound = 20;

// Every pattern starts with fixed text and has one repetition over one set of characters, so that
// none can take more than a few passes over a text. Forms: as the issuers document their prefixes.
const shapes: readonly { readonly kind: Wording; readonly pattern: RegExp }[] = [
  {
    kind: wording("a private key"),
    pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  { kind: wording("a user token of a registry"), pattern: /\bshub_user_[A-Za-z0-9_-]{8,}/g },
  {
    kind: wording("a Project Key"),
    pattern: /\b(?:skh_[0-9a-f]{32,}|sk_proj_[A-Za-z0-9_-]{12,})/g,
  },
  { kind: wording("an AWS access key"), pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  {
    kind: wording("a GitHub token"),
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/g,
  },
  { kind: wording("a GitLab token"), pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { kind: wording("a Slack token"), pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: wording("a Stripe key"), pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: wording("an API key"), pattern: /\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}/g },
  { kind: wording("a Google API key"), pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: wording("an npm token"), pattern: /\bnpm_[A-Za-z0-9]{36}/g },
];

/**
 * Finds what looks like a credential in a text, in the order of the text, at most 20; `known` are
 * credentials that are to be found wherever they stand (the Project Key in use). Linear in the text.
 */
export function findSecrets(text: string, known: readonly string[] = []): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const secret of known) found.push(...occurrences(text, secret));
  for (const { kind, pattern } of shapes) {
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      if (isPlaceholder(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, kind });
      count += 1;
      if (count === maxFound) break;
    }
  }
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  let end = -1;
  const apart = found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
  return apart.slice(0, maxFound);
}

function occurrences(text: string, secret: string): FoundSecret[] {
  if (secret.length < 8) return [];
  const kind = wording("your Project Key");
  const found: FoundSecret[] = [];
  // Inside JSON a quote or backslash is escaped; the rest of a key stands there as it is.
  for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
    let at = text.indexOf(form);
    while (at >= 0 && found.length < maxFound) {
      found.push({ start: at, end: at + form.length, kind });
      at = text.indexOf(form, at + form.length);
    }
  }
  return found;
}

/** Documentation writes keys of one repeated sign, or says that it is an example; slugs have no digits. */
function isPlaceholder(match: string): boolean {
  const tail = match.slice(-16);
  if (match.startsWith("sk-") && !/\d/.test(match)) return true;
  return /example/i.test(match) || new Set(tail).size <= 2;
}
