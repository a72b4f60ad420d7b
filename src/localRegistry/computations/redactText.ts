import { type Finding, findPersonalData, type PersonalDataKind } from "./findPersonalData";

/** What stands in a text's place once it is redacted. */
export type Replacement =
  | { readonly style: "label" }
  /** One character per letter and digit, the last `keepLast` of them left readable. */
  | { readonly style: "mask"; readonly character: string; readonly keepLast: number };

/** Replaces personal data of the given kinds in a text; texts in `allow` stay. */
export function redactText(
  text: string,
  kinds: readonly PersonalDataKind[],
  replacement: Replacement,
  allow: readonly string[],
) {
  const findings = findPersonalData(text, kinds).filter(
    ({ start, end }) => !allow.includes(text.slice(start, end)),
  );
  let redacted = "";
  let last = 0;
  for (const finding of findings) {
    redacted += text.slice(last, finding.start) + replace(text, finding, replacement);
    last = finding.end;
  }
  const counts = kinds.map((kind) => [kind, findings.filter((one) => one.kind === kind).length]);
  return {
    text: redacted + text.slice(last),
    found: findings.map(({ kind, start, end }) => ({ kind, start, end })),
    counts: Object.fromEntries(counts) as Record<string, number>,
  };
}

const labels: Record<PersonalDataKind, string> = {
  email: "[e-mail]",
  iban: "[IBAN]",
  creditCard: "[card number]",
  ipAddress: "[IP address]",
  phone: "[phone number]",
};

function replace(text: string, { kind, start, end }: Finding, replacement: Replacement): string {
  if (replacement.style === "label") return labels[kind];
  const { character, keepLast } = replacement;
  const match = text.slice(start, end);
  const hidden = match.replaceAll(/[^\p{L}\p{N}]/gu, "").length - keepLast;
  let seen = 0;
  return match.replaceAll(/[\p{L}\p{N}]/gu, (one) => (seen++ < hidden ? character : one));
}
