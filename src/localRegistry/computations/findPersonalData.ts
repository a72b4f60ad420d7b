import { isIPv4, isIPv6 } from "node:net";

/** The kinds of personal data that can be found, in the order they win where they overlap. */
export const personalDataKinds = ["email", "iban", "creditCard", "ipAddress", "phone"] as const;

/** A kind of personal data. */
export type PersonalDataKind = (typeof personalDataKinds)[number];

/** A place in a text that holds personal data; `end` is exclusive, both count UTF-16 units. */
export interface Finding {
  readonly kind: PersonalDataKind;
  readonly start: number;
  readonly end: number;
}

/** Finds personal data of the wanted kinds, in the order of the text, never overlapping. */
export function findPersonalData(text: string, wanted: readonly PersonalDataKind[]): Finding[] {
  const findings: Finding[] = [];
  const taken = new Uint8Array(text.length);
  for (const kind of personalDataKinds.filter((one) => wanted.includes(one))) {
    for (const match of text.matchAll(shapes[kind])) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (!isReal[kind](match[0]) || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      findings.push({ kind, start, end });
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}

// Every repetition has an upper bound, so that no text makes a search take quadratic time.
const shapes: Record<PersonalDataKind, RegExp> = {
  email: /(?<![\w.+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
  iban: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/g,
  creditCard: /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
  ipAddress: /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{2,39})(?![\w:])/g,
  phone: /(?<![\w.])(?:\+|\(?0)\d[\d ()/-]{5,20}\d(?!\w)/g,
};

const isReal: Record<PersonalDataKind, (match: string) => boolean> = {
  email: () => true,
  iban: hasIbanChecksum,
  creditCard: hasLuhnChecksum,
  ipAddress: (match) => isIPv4(match) || isIPv6(match),
  phone: (match) => {
    const digits = match.replaceAll(/\D/g, "").length;
    return digits >= 7 && digits <= 15;
  },
};

// ISO 7064 mod 97-10: country and check digits move to the end, letters count 10 to 35.
function hasIbanChecksum(match: string): boolean {
  const compact = match.replaceAll(" ", "");
  const moved = compact.slice(4) + compact.slice(0, 4);
  const digits = [...moved].map((character) => Number.parseInt(character, 36)).join("");
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

function hasLuhnChecksum(match: string): boolean {
  const digits = [...match.replaceAll(/\D/g, "")].map(Number).reverse();
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && digits.some((digit) => digit !== 0);
}
