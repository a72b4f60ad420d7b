import { isJsonObject } from "../../core/text/json";
import { noPermissions } from "../catalogue/noPermissions";
import type { Skill } from "../catalogue/skill";
import { type PersonalDataKind, personalDataKinds } from "../computations/findPersonalData";
import { type Replacement, redactText } from "../computations/redactText";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";
import { kinds1, redactInput, redactInput1, redactOutput } from "./redactPiiSchemas";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const text = reader.text("text", { max: 100_000 });
  const kinds = readKinds(reader, personalDataKinds);
  const allow = reader.texts("allow", { fallback: [], max: 200 });
  const replacement = readReplacement(reader);
  return reader.failure() ?? succeeded(redactText(text, kinds, replacement, allow));
};

const runVersion1: SkillRun = (input) => {
  const reader = new InputReader(input);
  const text = reader.text("text", { max: 100_000 });
  const kinds = readKinds(reader, kinds1);
  const character = reader.text("mask", { fallback: "*", min: 1, max: 1 });
  const replacement = { style: "mask", character, keepLast: 0 } as const;
  return reader.failure() ?? succeeded(redactText(text, kinds, replacement, []));
};

function readKinds(
  reader: InputReader,
  known: readonly PersonalDataKind[],
): readonly PersonalDataKind[] {
  const names = reader.texts("kinds", { fallback: known, max: known.length });
  if (!names.every((name) => known.some((kind) => kind === name))) {
    reader.reject("kinds", `may hold ${known.join(", ")} and nothing else`);
  }
  return known.filter((kind) => names.includes(kind));
}

function readReplacement(reader: InputReader): Replacement {
  const value = reader.optional("replacement") ?? { style: "label" };
  if (isJsonObject(value) && value["style"] === "label") return { style: "label" };
  const { style, character = "*", keepLast = 0 } = isJsonObject(value) ? value : {};
  const isMask =
    style === "mask" &&
    typeof character === "string" &&
    [...character].length === 1 &&
    typeof keepLast === "number" &&
    [0, 1, 2, 3, 4].includes(keepLast);
  if (isMask) return { style, character, keepLast };
  reader.reject("replacement", "must be a label, or a mask of one character that keeps 0 to 4");
  return { style: "label" };
}

const runtime = { type: "local", command: "redact-pii", args: ["--stdin", "--json"] } as const;

/** Replaces personal data in a text. */
export const redactPii: Skill = {
  slug: "redact-pii",
  displayName: "Redact personal data",
  description:
    "Finds e-mail addresses, phone numbers, card numbers, IBANs and IP addresses in a text and replaces them. Card numbers and IBANs count only if their check digits are right. Names and postal addresses are not found.",
  tags: ["privacy", "gdpr", "text"],
  category: "security",
  publisher: "lantern-security",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-09-09T14:00:00Z",
  price: { billingModel: "per_call", unitAmountCents: 2 },
  limits: { monthlyBudgetCents: 1000 },
  numbers: { installCount: 702, invocationCount: 33_109, successRate: 0.995, avgLatencyMs: 9 },
  feedback: [
    {
      rating: 5,
      text: "No false card numbers any more, thanks to the check digits.",
      author: "Support team Ghent",
      createdAt: "2026-09-21T10:10:00Z",
    },
    {
      rating: 4,
      text: "Does what it says. Names would be the next thing.",
      author: "Oluwaseun",
      createdAt: "2026-10-15T18:22:00Z",
    },
  ],
  releases: [
    {
      version: "2.0.0",
      publishedAt: "2026-09-07T08:00:00Z",
      changes:
        "mask is now replacement, with a label or a mask. New: allow. IP addresses are found as well.",
      runtime,
      permissions: noPermissions,
      inputSchema: redactInput,
      outputSchema: redactOutput,
      examples: [
        {
          name: "A support message",
          input: {
            text: "Please call +44 20 7946 0018 or write to ana@example.org. Card: 4111 1111 1111 1111.",
          },
          output: {
            text: "Please call [phone number] or write to [e-mail]. Card: [card number].",
            found: [
              { kind: "phone", start: 12, end: 28 },
              { kind: "email", start: 41, end: 56 },
              { kind: "creditCard", start: 64, end: 83 },
            ],
            counts: { email: 1, iban: 0, creditCard: 1, ipAddress: 0, phone: 1 },
          },
        },
        {
          name: "Masked, own address stays",
          input: {
            text: "From help@example.com to bo@example.net, IBAN DE89 3704 0044 0532 0130 00, from 192.0.2.7",
            kinds: ["email", "iban", "ipAddress"],
            replacement: { style: "mask", character: "•", keepLast: 4 },
            allow: ["help@example.com"],
          },
          output: {
            text: "From help@example.com to ••@••••••e.net, IBAN •••• •••• •••• •••• ••30 00, from ••2.0.2.7",
            found: [
              { kind: "email", start: 25, end: 39 },
              { kind: "iban", start: 46, end: 73 },
              { kind: "ipAddress", start: 80, end: 89 },
            ],
            counts: { email: 1, iban: 1, ipAddress: 1 },
          },
        },
      ],
      run,
    },
    {
      version: "1.1.0",
      publishedAt: "2026-05-11T08:00:00Z",
      changes: "First public version.",
      runtime,
      permissions: { ...noPermissions, filesystem: "read" },
      inputSchema: redactInput1,
      outputSchema: redactOutput,
      examples: [
        {
          name: "Masked",
          input: { text: "Mail ana@example.org", mask: "#" },
          output: {
            text: "Mail ###@#######.###",
            found: [{ kind: "email", start: 5, end: 20 }],
            counts: { email: 1, iban: 0, creditCard: 0, phone: 0 },
          },
        },
      ],
      run: runVersion1,
    },
  ],
};
