import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { codeAlphabets, shortCode } from "../computations/shortCode";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const text = reader.text("text", { min: 1, max: 500 });
  const length = reader.wholeNumber("length", { fallback: 8, min: 4, max: 16 });
  const alphabet = reader.choice("alphabet", ["lettersAndDigits", "digits"]);
  const groups = reader.flag("groups", true);
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  const code = shortCode(text, length, codeAlphabets[alphabet]);
  return succeeded({ code: groups ? code.replaceAll(/.{4}(?=.)/g, "$&-") : code });
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Code to make",
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text: {
      type: "string",
      title: "Text",
      description: "What the code stands for, such as an order and a year.",
      minLength: 1,
      maxLength: 500,
    },
    length: {
      type: "integer",
      title: "Length",
      description: "Characters of the code, dashes not counted.",
      minimum: 4,
      maximum: 16,
      default: 8,
    },
    alphabet: {
      enum: ["lettersAndDigits", "digits"],
      title: "Alphabet",
      default: "lettersAndDigits",
    },
    groups: {
      type: "boolean",
      title: "Groups",
      description: "Whether to put a dash after every four characters.",
      default: true,
    },
  },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["code"],
  properties: { code: { type: "string", pattern: "^[0-9A-Z]{1,4}(-[0-9A-Z]{1,4})*$|^[0-9A-Z]+$" } },
};

/** Makes short codes, three a minute, to show a rate limit. */
export const burstLimited: Skill = {
  slug: "burst-limited",
  displayName: "Short codes, three a minute",
  description:
    "Makes a short, easily read code of a text, for instance for a voucher; the same text gives the same code. It may be called three times a minute: for trying out rate limits.",
  tags: ["practice", "codes"],
  category: "ecommerce",
  publisher: "plainworks",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-02-11T09:35:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  limits: { callsPerMinute: 3 },
  numbers: { installCount: 143, invocationCount: 5_127, successRate: 0.944, avgLatencyMs: 3 },
  feedback: [
    {
      rating: 4,
      text: "Codes nobody misreads on the phone.",
      author: "Shop counter",
      createdAt: "2026-03-28T10:26:00Z",
    },
    {
      rating: 3,
      text: "Three a minute is little for a campaign.",
      author: "M. Duarte",
      createdAt: "2026-06-02T19:08:00Z",
    },
  ],
  releases: [
    {
      version: "1.0.1",
      publishedAt: "2026-02-09T08:00:00Z",
      changes: "Leaves out letters that look like digits.",
      runtime: { type: "http", entrypoint: "https://run.plainworks.example/short-codes" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        { name: "A voucher", input: { text: "order 1044, 2026" }, output: { code: "AFSB-ANN9" } },
        {
          name: "A PIN",
          input: { text: "locker 12", length: 6, alphabet: "digits", groups: false },
          output: { code: "805355" },
        },
      ],
      run,
    },
  ],
};
