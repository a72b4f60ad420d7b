import { isIPv4, isIPv6 } from "node:net";
import type { SkillRun } from "../skillRun";

interface Input {
  readonly text: string;
  readonly kinds?: readonly Kind[];
  readonly replacement?:
    | { readonly style: "label" }
    | { readonly style: "mask"; readonly character?: string; readonly keepLast?: number };
  /** Version 1 only: the character of the mask. */
  readonly mask?: string;
  readonly allow?: readonly string[];
}

type Kind = "email" | "ipAddress" | "phone";

// In order of precedence if matches overlap. Every repetition is bounded, so that no text causes quadratic time.
const kinds: Readonly<
  Record<Kind, { shape: RegExp; label: string; isReal(match: string): boolean }>
> = {
  email: {
    shape: /(?<![\w.+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
    label: "[e-mail]",
    isReal: () => true,
  },
  ipAddress: {
    shape: /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{2,39})(?![\w:])/g,
    label: "[IP address]",
    isReal: (match) => isIPv4(match) || isIPv6(match),
  },
  phone: {
    shape: /(?<![\w.])(?:\+|\(?0)\d[\d ()/-]{5,20}\d(?!\w)/g,
    label: "[phone number]",
    isReal: (match) => /^\D*(?:\d\D*){7,15}$/.test(match),
  },
};

/** Replaces personal data in a text. Version 1 masks it and does not detect IP addresses. */
export const run: SkillRun<Input> = (input, { version }) => {
  const { text, allow = [], mask = "*", replacement = { style: "label" } } = input;
  const isFirst = version.startsWith("1.");
  const known = (Object.keys(kinds) as Kind[]).filter((kind) => !isFirst || kind !== "ipAddress");
  const wanted = known.filter((kind) => input.kinds?.includes(kind) ?? true);
  const used = isFirst ? ({ style: "mask", character: mask } as const) : replacement;
  const found = findPersonalData(text, wanted).filter(
    ({ start, end }) => !allow.includes(text.slice(start, end)),
  );
  let redacted = "";
  let last = 0;
  for (const { kind, start, end } of found) {
    const match = text.slice(start, end);
    const { character = "*", keepLast = 0 } = used.style === "mask" ? used : {};
    redacted += text.slice(last, start);
    redacted += used.style === "label" ? kinds[kind].label : masked(match, character, keepLast);
    last = end;
  }
  const counts = wanted.map((kind) => [kind, found.filter((item) => item.kind === kind).length]);
  return { text: redacted + text.slice(last), found, counts: Object.fromEntries(counts) };
};

function findPersonalData(text: string, wanted: readonly Kind[]) {
  const found: { kind: Kind; start: number; end: number }[] = [];
  const covered = new Uint8Array(text.length);
  for (const kind of wanted) {
    for (const match of text.matchAll(kinds[kind].shape)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (!kinds[kind].isReal(match[0]) || covered.subarray(start, end).includes(1)) continue;
      covered.fill(1, start, end);
      found.push({ kind, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Masks all letters and digits except the last `keepLast`. */
function masked(match: string, character: string, keepLast: number): string {
  const hidden = match.replaceAll(/[^\p{L}\p{N}]/gu, "").length - keepLast;
  let seen = 0;
  return match.replaceAll(/[\p{L}\p{N}]/gu, (item) => (seen++ < hidden ? character : item));
}
